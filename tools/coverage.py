#!/usr/bin/env python3
"""Prints how many lines of each folder of src the tests reached, from what gcov has in a build folder.

A line that several objects have, such as one of a header, is reached if it was in any of them. What the
injected runtime does in programs is not counted: only its core is, in unit tests.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent


def room_of(file):
    """The room of a file like src/runtime/core/turn.cpp; None for what is not in src."""
    try:
        parts = pathlib.Path(os.path.normpath(ROOT / file)).relative_to(ROOT / "src").parts
    except ValueError:
        return None
    return "/".join(parts[:2]) if parts[0] == "runtime" and len(parts) > 2 else parts[0]


def counts_of(notes):
    """What gcov says of one object: lines by file, and how often each was reached. Without a .gcda file,
    which an object has once it was run, every line has 0."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", str(notes)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True)
    for document in done.stdout.splitlines():
        for file in json.loads(document)["files"]:
            yield file["file"], {line["line_number"]: line["count"] for line in file["lines"]}


def reached_lines(build):
    """For each file of src its lines, and whether each was reached."""
    lines = collections.defaultdict(dict)
    # Of our own objects and of those of the tests, which have the headers as they see them.
    objects = sorted(build.resolve().rglob("*.cpp.gcno"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for counts in pool.map(lambda notes: list(counts_of(notes)), objects):
            for file, by_line in counts:
                if room_of(file) is None:
                    continue
                known = lines[os.path.normpath(ROOT / file)]
                for number, count in by_line.items():
                    known[number] = known.get(number, False) or count > 0
    return lines


def by_room(lines):
    rooms = collections.defaultdict(lambda: [0, 0])
    for file, known in lines.items():
        for room in (room_of(file), "all"):
            rooms[room][0] += sum(known.values())
            rooms[room][1] += len(known)
    return dict(rooms)


def share(counts):
    reached, lines = counts
    return f"{reached:6} {100 * reached / lines:5.1f} %" if lines else "     -      "


def print_table(columns):
    """`columns`: (title, rooms) pairs."""
    names = sorted({room for _, rooms in columns for room in rooms} - {"all"}) + ["all"]
    print(f"{'room':20} {'lines':>7}" + "".join(f"  {title:>14}" for title, _ in columns))
    for name in names:
        # A header's templates are lines only once something uses them.
        lines = max(rooms.get(name, (0, 0))[1] for _, rooms in columns)
        print(f"{name:20} {lines:7}" + "".join(f"  {share(rooms.get(name, (0, 0))):>14}" for _, rooms in columns))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="the folder of a build with --coverage")
    parser.add_argument("--title", default="reached")
    parser.add_argument("--save", type=pathlib.Path, help="also write the figures to a file, for --beside")
    parser.add_argument("--beside", type=pathlib.Path, help="also show the figures of this file")
    parser.add_argument("--files", metavar="ROOM", help="show each file of a room instead")
    arguments = parser.parse_args()

    lines = reached_lines(arguments.build)
    if not lines:
        parser.error(f"{arguments.build} has no coverage: `./dev coverage` makes it")
    if arguments.files:
        for file, known in sorted(lines.items()):
            if room_of(file) == arguments.files:
                missed = [number for number, reached in sorted(known.items()) if not reached]
                print(f"{os.path.relpath(file, ROOT):50} {share((sum(known.values()), len(known)))}  {missed}")
        return
    rooms = by_room(lines)
    columns = [(arguments.title, rooms)]
    if arguments.beside:
        columns.insert(0, tuple(json.loads(arguments.beside.read_text())))
    if arguments.save:
        arguments.save.write_text(json.dumps([arguments.title, rooms]))
    print_table(columns)


if __name__ == "__main__":
    main()
