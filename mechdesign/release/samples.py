"""What the rows of one group tell: how often each output was released, and how much that may vary."""

from dataclasses import dataclass

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.release.channels import Channel
from mechdesign.release.intervals import standard_errors


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows that count alike and were drawn independently.

    Attributes
    ----------
    counts
        (outputs,): how often each was released.
    """

    counts: Floats

    def worth(self, coefficients: Floats | None, alpha: float, these_rows: bool) -> Floats:
        """Return how many rows drawn independently tell as much about the means of coefficients (outputs, means).

        Or, without coefficients, about the share of each output; in intervals that may miss with probability `alpha`.
        """
        del alpha, these_rows
        return np.full(self.counts.size if coefficients is None else coefficients.shape[1], self.counts.sum())

    def error(self, channel: Channel, these_rows: bool) -> Floats:
        """Return the standard errors (categories,) of the unbiased estimates."""
        return standard_errors(channel, self.counts, these_rows=these_rows)
