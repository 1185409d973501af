"""Pictures, and in `page` reports. What draws is loaded when it is asked for, as matplotlib is slow to load."""

from mechdesign.late import homes_in, passing_on

__getattr__ = passing_on(__name__, homes_in(__file__ + "i"))
