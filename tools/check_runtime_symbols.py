#!/usr/bin/env python3
"""Fails if the runtime imports a symbol that is not in tools/runtime_symbols.txt.

Usage: check_runtime_symbols.py LIBRARY
"""
import pathlib
import subprocess
import sys

LIST = pathlib.Path(__file__).resolve().parent / "runtime_symbols.txt"


def allowed_symbols():
    lines = [line.split("#")[0].strip() for line in LIST.read_text().splitlines()]
    return [line for line in lines if line]


def imported_symbols(library):
    listing = subprocess.run(
        ["nm", "-D", "--undefined-only", "--format=posix", library],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return {line.split()[0].split("@")[0] for line in listing.splitlines()}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    allowed = allowed_symbols()
    imported = imported_symbols(sys.argv[1])
    wrong = []
    if allowed != sorted(set(allowed)):
        wrong.append(f"{LIST.name} is not sorted, or names a symbol twice")
    if extra := sorted(imported - set(allowed)):
        wrong.append(
            f"the runtime imports symbols that {LIST.name} does not allow: {' '.join(extra)}\n"
            "    what it imports may be interposed by us or by the program; call it through os/\n"
            "    instead, or add it to the list if it is safe in every thread at every moment"
        )
    if stale := sorted(set(allowed) - imported):
        wrong.append(f"{LIST.name} allows what the runtime no longer imports: {' '.join(stale)}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
