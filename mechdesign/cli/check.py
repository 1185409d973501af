"""`mechdesign check`."""

import click

from mechdesign.certificate.check import check_certificate
from mechdesign.certificate.checker import Rejected
from mechdesign.cli.common import json_option, print_json
from mechdesign.errors import InputError
from mechdesign.exact import decimal_above, decimal_below


@click.command("check")
@click.argument("certificate", metavar="CERT.json")
@json_option
def check_command(certificate: str, as_json: bool) -> int:
    """Check a certificate, as anybody can with checker.py alone. Exit 0 accepted, 1 refuted, 2 not a certificate."""
    try:
        value, bound = check_certificate(certificate)
    except Rejected as reason:
        if reason.status == 2:
            raise InputError(str(reason), source=certificate) from None
        if as_json:
            print_json({"accepted": False, "status": reason.status, "reason": str(reason)})
        else:
            click.echo(f"Rejected: {reason}")
        return 1
    if as_json:
        print_json({"accepted": True, "value_exact": str(value), "bound_exact": str(bound)})
    else:
        click.echo("Accepted: the mechanism is private on every edge, both ways, for every set of outputs;")
        above, below = decimal_above(value, 12), decimal_below(bound, 12)
        click.echo(f"its objective is at most {above}; no private mechanism with these groups is below {below}.")
    return 0
