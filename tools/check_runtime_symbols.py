#!/usr/bin/env python3
"""Fails if the runtime imports a symbol that is not in tools/runtime_symbols.txt, or if it calls the
mem*, str* or malloc that it has for the program.

Usage: check_runtime_symbols.py LIBRARY...
"""
import pathlib
import re
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parent
LIST = TOOLS / "runtime_symbols.txt"
RUNTIME = TOOLS.parent / "src/runtime"


def allowed_symbols():
    lines = [line.split("#")[0].strip() for line in LIST.read_text().splitlines()]
    return [line for line in lines if line]


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def imported_symbols(library):
    listing = output_of("nm", "-D", "--undefined-only", "--format=posix", library)
    return {line.split()[0].split("@")[0] for line in listing.splitlines()}


def functions_for_the_program():
    """Accesses and allocations that count where the program makes them, but not where we do."""
    strings = (RUNTIME / "os/string_functions.inc").read_text()
    allocation = (RUNTIME / "interpose/allocation.cpp").read_text()
    found = re.findall(r"^(?:UNRAVEL_STRING|ALLOCATION)\([^,]+, (\w+),", strings + allocation, re.M)
    return {*found, "strdup", "strndup"}


def own_calls(library, functions):
    """Those of `functions` that code of the library reaches: through the loader, or straight."""
    relocations = output_of("readelf", "--relocs", "--wide", library)
    called = set(re.findall(r" R_X86_64_(?:JUMP_SLOT?|GLOB_DAT|64)\S* +\w+ +(\w+)", relocations))
    code = output_of("objdump", "--disassemble", "--no-show-raw-insn", library)
    called |= set(re.findall(r"\t(?:call|jmp|lea) .*<(\w+)(?:@plt)?>$", code, re.M))
    return called & functions


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    for library in sys.argv[1:]:
        check(library)


def check(library):
    allowed = allowed_symbols()
    imported = imported_symbols(library)
    functions = functions_for_the_program()
    wrong = []
    exported = set(output_of("nm", "-D", "--defined-only", "--format=posix", library).split())
    if missing := sorted(functions - exported):
        wrong.append(f"{library} lacks {' '.join(missing)}: the program would call libc's")
    if calls := sorted(own_calls(library, functions)):
        wrong.append(
            f"the runtime calls its own {' '.join(calls)}, which may switch threads\n"
            "    the linker should have sent it to those of os/plain_strings.cpp: it does so only\n"
            "    for calls from other files than the one that defines the function"
        )
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
