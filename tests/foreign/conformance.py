#!/usr/bin/env python3
"""Holds a running server to protocol.md: a foreign client, written from that page alone.

    conformance.py ADDR:PORT --mode relay|direct [--slow]

The server must have protocol.md's default limits and no other clients. Each check prints a line; the
last line is `N passed, N failed`, and the exit code is 1 if one failed. Standard library only, Python
3.8 and newer. As a library: `run`.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Callable, Optional

sys.dont_write_bytecode = True

from client import Address  # noqa: E402
from harness import CHECKS, DIRECT, RELAY, Check, Skipped  # noqa: E402
import checks  # noqa: E402, F401


@dataclass
class Summary:
    """How many checks passed, failed and could not be made here."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0


def run(
    server: Address, mode: str, slow: bool = False, report: Callable[[str], None] = print
) -> Summary:
    """Makes all checks of a mode, with `slow` those that take long too; `report` gets each line."""
    summary = Summary()
    due = [check for check in CHECKS if mode in check.modes and (slow or not check.slow)]
    # First one by one; then those that mostly wait, each on a thread of its own.
    in_turn = [check for check in due if not check.beside]
    beside = [check for check in due if check.beside]
    for pool_size, some in ((1, in_turn), (len(beside), beside)):
        with ThreadPoolExecutor(max(pool_size, 1)) as pool:
            for check, outcome in [(check, pool.submit(check.run, server, mode)) for check in some]:
                report(_line(check, outcome, summary))
    return summary


def _line(check: Check, outcome: Future[Optional[str]], summary: Summary) -> str:
    """A check's line, when it is through; counts it."""
    try:
        wrong = outcome.result()
    except Skipped as reason:
        summary.skipped += 1
        return f"skip  {check.name}: {reason}"
    if wrong is None:
        summary.passed += 1
        return f"ok    {check.name}"
    summary.failed += 1
    return f"FAIL  {check.name}: {wrong}"


def main() -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(description="Hold a running server to protocol.md.")
    parser.add_argument("server", type=Address.parse, metavar="ADDR:PORT")
    parser.add_argument("--mode", choices=[RELAY, DIRECT], required=True)
    parser.add_argument("--slow", action="store_true", help="also the checks that take half a minute")
    arguments = parser.parse_args()
    summary = run(arguments.server, arguments.mode, arguments.slow, lambda line: print(line, flush=True))
    print(f"{summary.passed} passed, {summary.failed} failed")
    return 1 if summary.failed else 0


if __name__ == "__main__":
    sys.exit(main())
