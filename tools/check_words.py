#!/usr/bin/env python3
"""Fails if a name that was retired is used again, in code, comments, tests, benchmarks or documents.

A name is retired when its concept got another one. The old one would be a second word for the same
thing, or the same word for two things. `--self-check` tries whether this tool finds what it looks for.
"""
import pathlib
import re
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "include", "tests", "bench", "docs", "examples", "fuzz")
SUFFIXES = {".c", ".cpp", ".h", ".hpp", ".inc", ".S", ".py", ".sh", ".md", ".txt"}


@dataclass(frozen=True)
class Retired:
    """A name that must not come back, as a regular expression for whole words, and what to write."""
    name: str
    instead: str
    # Files that may have it, relative to the root: because they read what older versions wrote, say.
    allowed: tuple[str, ...] = ()


RETIRED = (
    Retired("Isolation|RefusedIsolation|IsolatedPlaces?|IsolatedPaths|isolation", "sandbox (isolate is delta debugging)",
            allowed=("docs/isolate.md", "src/cli/flags.cpp", "bench/fault_damage.py", "tests/cli/sandbox_test.py")),
    Retired("no[-_]isolation", "no-sandbox", allowed=("src/cli/flags.cpp", "tests/cli/sandbox_test.py")),
    Retired("run_traces", "leftovers"),
    Retired("Hold", "StopAt"),
    Retired("Moment|moment_(?:json|text|line)", "Snapshot"),
    Retired("Look", "Probe"),
    Retired("Trial", "Attempt"),
    Retired("Session", "ProgramProcess"),
    Retired("Worker|WorkerRequest|Crew|Job|Piece", "Runner, ProcessRunner or Pool"),
    Retired("Diagnosis|diagnosis", "Checkup: what `doctor` finds; a diagnosis is the kind of a bug"),
    Retired("sameness", "cpu_identity"),
    Retired("essence", "portable_constraints"),
    Retired("Raw|raw_options", "ParsedFlags"),
    Retired("MostSeconds", "kMostSecondPositions"),
    Retired("Campaign|campaign", "HuntLoop, hunt_loop (a campaign is a hunt on many machines)"),
    Retired("Packer|Unpacker|pack_modules|pack_frames|unpack_\\w+", "FieldWriter, FieldReader, data/bytes"),
    Retired("JudgeOptions", "Judging"),
    Retired("Inquiry", "OpenedFailure"),
    Retired("Console", "Terminal and Reporter"),
)


def uses(text, retired):
    """The lines of `text` that have the name, each as its number and what was found. It is a whole word
    also between underscores: `Hold` is in `Hold` and `kHold`, not in `Holder` or `Threshold`."""
    pattern = re.compile(rf"(?<![A-Za-z0-9])k?(?:{retired.name})(?![A-Za-z0-9])")
    for number, line in enumerate(text.splitlines(), 1):
        for found in pattern.finditer(line):
            yield number, found[0]


def check_text(path, text, all_retired):
    """What is wrong with the file at `path`, relative to the root: with its text and with its name."""
    wrong = []
    for retired in all_retired:
        if path in retired.allowed:
            continue
        for number, word in uses(text, retired):
            wrong.append(f"{path}:{number}: '{word}' is retired; write {retired.instead}")
        for _, word in uses(path, retired):
            wrong.append(f"{path}: the name of the file has '{word}', which is retired; use {retired.instead}")
    return wrong


def check_tree(root, all_retired):
    wrong = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                wrong += check_text(path.relative_to(root).as_posix(), path.read_text(), all_retired)
    for retired in all_retired:
        for allowed in retired.allowed:
            if not (root / allowed).exists():
                wrong.append(f"tools/check_words.py: {allowed} may use '{retired.name}', but there is no such file")
    return wrong


def self_check():
    """Whether retired words are found where they are, and nowhere else."""
    retired = (Retired("Hold", "StopAt", allowed=("src/old.cpp",)), Retired("no[-_]isolation", "no-sandbox"))
    table = {
        "Hold hold{};": 1,
        "set(kHold, 1);": 1,
        "// a Hold, and another Hold": 2,
        "make_Hold_of": 1,
        "Holder, Threshold, Holds, hold": 0,
        "--no-isolation and no_isolation": 2,
        "first\nsecond Hold": 1,
        "": 0,
    }
    for text, count in table.items():
        found = check_text("src/new.cpp", text, retired)
        assert len(found) == count, (text, found)
    assert check_text("src/new.cpp", "first\nsecond Hold", retired)[0].startswith("src/new.cpp:2: 'Hold'")
    assert check_text("src/old.cpp", "Hold", retired) == []
    assert len(check_text("src/Hold.cpp", "", retired)) == 1
    for word in RETIRED:
        assert word.instead, f"what to write instead of '{word.name}'?"
        re.compile(word.name)
    # The whole walk: a retired word that this very tree has must be found in it.
    assert check_tree(ROOT, (Retired("PROPERTY", "another word"),)), "the walk through the tree finds nothing"
    assert check_tree(ROOT, (Retired("Hold_that_nobody_has", "StopAt", allowed=("src/missing.cpp",)),))


def main():
    if sys.argv[1:] == ["--self-check"]:
        self_check()
        return
    wrong = check_tree(ROOT, RETIRED)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
