"""A matrix misses the epsilon that somebody claims for it: what is the least change that mends it?"""

import mechdesign as md

MATRIX = [["0.70", "0.20", "0.10"], ["0.10", "0.80", "0.10"], ["0.20", "0.20", "0.60"]]
mended = md.mend(MATRIX, epsilon="1.5", digits=3)

for name, verdict in {"before": mended.before, "after": mended.after}.items():
    print(f"{name}: {verdict.epsilon[1]:.4f}-private; the claim {'holds' if verdict.private else 'does not hold'}.")
print(f"A row moves by {float(mended.value):.4f} on average; by the given one and then k-ary randomised response,")
print(f"which also mends it, by {float(mended.baseline):.4f}.")
md.save_figure(md.plot_matrices(mended.mechanism), "mending.svg")
