"""The optimum as an exact function of e^epsilon, or of delta: its pieces, and a proof of them."""

from mechdesign.formulas.find import formula as formula
from mechdesign.formulas.formula import Formula as Formula
from mechdesign.formulas.pieces import Piece as Piece
