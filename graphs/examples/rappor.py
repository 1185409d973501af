"""Does RAPPOR's permanent response keep the epsilon that its authors state, and for which values is it that bad?"""

from fractions import Fraction
from itertools import combinations, product
from math import prod

import mechdesign as md

# Erlingsson, Pihur and Korolova 2014, arXiv:1407.6981: a value sets h = 2 bits of a Bloom filter; each bit is replaced
# by a fair coin with probability f = 1/2, once and for all. Theorem 1: epsilon = 2 h ln((1 - f/2) / (f/2)) = 4 ln 3.
F, BITS = Fraction(1, 2), range(4)  # other bits, which neither of two values sets, tell nothing
values = ["".join("01"[bit in chosen] for bit in BITS) for chosen in combinations(BITS, 2)]
reports = ["".join(bits) for bits in product("01", repeat=len(BITS))]
kept = {True: 1 - F / 2, False: F / 2}
matrix = [
    [str(prod(kept[x == y] for x, y in zip(value, report, strict=True))) for report in reports] for value in values
]

rappor = md.mechanism_from_matrix(matrix, inputs=values, outputs=reports)
for epsilon in ("4.3945", "4.3944"):  # 4 ln 3 = 4.39444...
    print(f"{epsilon}-private: {md.certify(rappor, epsilon=epsilon).private}")
tight = md.tight_epsilons(rappor)
print(f"Values that share no bit: {tight['1100', '0011'][1]:.4f}; that share one: {tight['1100', '0110'][1]:.4f}.")
md.save_figure(md.plot_tight_epsilons(tight, values), "rappor.svg")
