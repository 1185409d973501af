"""Other packages, imported only when they are wanted."""

import importlib
from types import ModuleType

from mechdesign.errors import InputError


class MissingPackageError(InputError):
    """A package that is wanted is not installed, or does not load here."""


def load(module: str, *, needs: str) -> ModuleType:
    """Return a module of another package.

    Parameters
    ----------
    module
        its name, with dots.
    needs
        what pip calls the package, with a version.

    Raises
    ------
    MissingPackageError
        with the command that installs it.

    Examples
    --------
    >>> load("zebra.stripes", needs="zebra>=1")
    Traceback (most recent call last):
    mechdesign.packages.MissingPackageError: zebra>=1 is not installed: pip install "zebra>=1"
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]:
            raise MissingPackageError(f'{needs} is not installed: pip install "{needs}"') from None
        reason = str(error).partition(" (")[0]  # without the path of a file
        raise MissingPackageError(f'{needs} does not load ({reason}): pip install "mechdesign[zoo]"') from None
