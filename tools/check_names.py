#!/usr/bin/env python3
"""Fails if two types of the driver have one name.

The linker keeps one copy of what templates make of a type, so that two types of one name in one
namespace become one in some builds, and not in others. Types that only one source file knows belong
into a namespace without a name.
"""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"(?:struct|class|enum class) ([A-Z]\w+)(?: final)?(?: *:[^:].*)? *\{")


def types_of(path):
    """Types at namespace scope, with the namespace they are in."""
    spaces = []
    for line in path.read_text().splitlines():
        if opened := re.match(r"namespace ?([\w:]*) ?\{", line):
            spaces.append(opened[1])
        elif re.match(r"\}  // namespace", line):
            spaces.pop()
        elif (found := TYPE.match(line)) and "" not in spaces:
            yield "::".join([*spaces, found[1]])


places = collections.defaultdict(list)
for path in sorted(pathlib.Path("src").rglob("*.[ch]pp")):
    if path.parts[1] == "runtime":
        continue  # another program
    for name in types_of(path):
        places[name].append(str(path))
wrong = [f"{name} is defined in {' and '.join(paths)}" for name, paths in places.items() if len(paths) > 1]
print("\n".join(wrong))
sys.exit(bool(wrong))
