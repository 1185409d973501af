"""`mechdesign design` with one epsilon: one mechanism, as text, as files, as a picture, as a point of a curve."""

from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from typing import Any

import networkx as nx

from mechdesign.cli.curve_file import keep_points, question_of, read_curve
from mechdesign.cli.design_files import write_design
from mechdesign.cli.design_text import about_certificate, details, print_design, summary
from mechdesign.cli.output import print_json, progress_bar
from mechdesign.cli.price_text import prices_in_json, print_prices
from mechdesign.designer.caution import unbounded
from mechdesign.designer.design import design
from mechdesign.designer.edge_prices import check_has_prices
from mechdesign.designer.method import checked_method
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.own_epsilons import scaled
from mechdesign.graph.uncertainty import is_robust, nominal
from mechdesign.show.terminal import console
from mechdesign.solver.linear_program import write_program


@dataclass(frozen=True)
class Targets:
    """The files to write, by what is in them; None if not."""

    mechanism: str | None
    certificate: str | None
    curve: str | None
    plot: str | None
    mps: str | None = None
    map: str | None = None

    def write(self, result: Design, *, prices: bool) -> None:
        """Write mechanism, certificate and picture: of the design or, with prices, of what the edges cost."""
        write_design(result, mechanism=self.mechanism, certificate=self.certificate)
        if self.plot is not None:
            from mechdesign.report.design_plot import plot_design  # matplotlib loads slowly
            from mechdesign.report.graph_plot import plot_graph
            from mechdesign.report.plots import save_figure

            drawn = plot_graph(result.graph, prices=result.prices()) if prices else plot_design(result)
            save_figure(drawn, self.plot)


def run_design(
    graph: nx.Graph,
    epsilon: Epsilon,
    options: dict[str, Any],
    targets: Targets,
    executor: Executor | None,
    as_json: bool,
    *,
    prices: bool = False,
) -> None:
    """Design for one epsilon, write what is wanted, and show it."""
    if prices:
        check_has_prices(options["method"])
    if targets.plot is not None:
        from mechdesign.report.design_plot import check_design  # matplotlib loads slowly
        from mechdesign.report.drawable import check_graph

        if prices:
            check_graph(graph)
        else:
            check_design(graph, options["objective"])
    question = question_of(graph, options)
    points = {} if targets.curve is None else read_curve(targets.curve, question)
    if targets.mps is not None:
        checked_method(*(options[key] for key in ("objective", "method", "shared", "command")))
        asked = {key: options[key] for key in ("delta", "objective", "shared")}
        if is_robust(graph) and not options["nominal"]:
            raise InputError("--mps: the program of profiles known only within bounds has no end; use --nominal too")
        own = nominal(scaled(graph, epsilon) if options["scale_own"] else graph)
        write_program(own, targets.mps, epsilon=epsilon, **asked)
    with progress_bar("designing, by component") as progress:
        result = design(graph, epsilon=epsilon, executor=executor, progress=progress, **options)
    alone = unbounded(graph, nominal=options["nominal"])
    targets.write(result, prices=prices)
    if targets.curve is not None:
        point = summary(result) | {"mechanism": targets.mechanism, "certificate": targets.certificate}
        keep_points(targets.curve, question, points, {result.epsilon: point})
    if as_json:
        warning = " ".join(filter(None, (alone, result.warning))) or None
        answer = details(result) | {"warning": warning} | (prices_in_json(result) if prices else {})
        print_json(answer | asdict(targets))
        return
    if alone is not None:
        console().print(alone)
    print_design(console(), result)
    if prices:
        print_prices(console(), result)
    if targets.certificate is not None and (words := about_certificate(result.objective)):
        console().print(words)
    written = [path for path in asdict(targets).values() if path is not None]
    console().print(f"Written: {', '.join(written)}." if written else "Not written; -o FILE writes the mechanism.")
