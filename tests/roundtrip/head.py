"""What the head of a test program says: the comment lines that it begins with.

    // One or two sentences about the program.
    //
    // expect: deadlock            passed, or a kind of failure; also the name of its folder
    // within: random, 100 runs    by which rule, and how many runs it may take
    // bug: lock_both, main        functions that a report of the failure should name
    // flags: -O2                  for the compiler, further ones
    // points: memory; the reason  which set of points it takes, if not the usual one
    // variant: clang -O1: passed, 20 runs; the reason
                                   what is expected instead where it is built that way; without
                                   a compiler or a level it holds for all of them. There may be several.
"""
import pathlib
import re
from dataclasses import dataclass, field

EXPECTATIONS = ("passed", "assert", "signal", "exit", "terminate", "deadlock", "lost-wakeup",
                "livelock", "timeout", "oracle")
RULES = ("stay", "random", "priority")
KEYS = ("expect", "within", "bug", "flags", "variant", "points")
# Of a variant only: a compiler may make a loop of it that nobody can get into.
UNRESOLVED = "unresolved"


class BadHead(Exception):
    pass


@dataclass
class Head:
    expect: str
    rule: str
    runs: int
    bug: list = field(default_factory=list)
    variants: list = field(default_factory=list)
    points: str = None  # a set of points; None: the usual one

    def options(self):
        """Of a command that runs it."""
        return ("--rule", self.rule, *(("--points", self.points) if self.points else ()))

    def built_by(self, compiler, level):
        """What is expected of the program if this compiler has built it at this level."""
        for variant in self.variants:
            if variant.compiler in ("", compiler) and variant.level in ("", level):
                return Head(variant.expect, self.rule, variant.runs or self.runs,
                            [] if variant.expect in ("passed", UNRESOLVED) else self.bug,
                            points=self.points)
        return self


@dataclass
class Variant:
    compiler: str  # empty: all; likewise the level
    level: str
    expect: str
    runs: int  # 0: as many as the program's other builds may take
    reason: str


def comment_lines(text):
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return lines


def fields_of(lines):
    """The `key: value` lines behind the first empty one."""
    if "" not in lines or not lines[0]:
        raise BadHead("it begins with a description, an empty comment line and then `expect:`")
    fields = {}
    for line in lines[lines.index("") + 1:]:
        found = re.fullmatch(r"([a-z]+): (\S.*)", line)
        if not found:
            raise BadHead(f"'{line}' is not `key: value`")
        key, value = found.groups()
        if key not in KEYS:
            raise BadHead(f"unknown key '{key}'; there are {', '.join(KEYS)}")
        if key == "variant":
            fields.setdefault(key, []).append(value)
            continue
        if key in fields:
            raise BadHead(f"'{key}' is there twice")
        fields[key] = value
    return fields


def parse_variant(text):
    found = re.fullmatch(r"(gcc|clang)? ?(-O\d)?: ([a-z-]+)(?:, ([1-9]\d*) runs?)?; (\S.*)", text)
    if not found or not (found[1] or found[2]):
        raise BadHead(f"variant '{text}' is not such as `clang -O1: passed, 20 runs; the reason`")
    if found[3] not in (*EXPECTATIONS, UNRESOLVED):
        raise BadHead(f"a variant expects '{found[3]}', which is none of "
                      f"{', '.join((*EXPECTATIONS, UNRESOLVED))}")
    return Variant(found[1] or "", found[2] or "", found[3], int(found[4] or 0), found[5])


def parse_points(fields):
    """The set of points that the bug needs, if that is not the usual one."""
    if "points" not in fields:
        return None
    found = re.fullmatch(r"(\w+); (\S.*)", fields["points"])
    if not found or found[1] not in ("sync", "calls", "memory"):
        raise BadHead(f"points '{fields['points']}' is not such as `memory; the reason`")
    return found[1]


def parse_head(text, folder):
    fields = fields_of(comment_lines(text))
    for key in ("expect", "within"):
        if key not in fields:
            raise BadHead(f"'{key}:' is missing")
    expect = fields["expect"]
    if expect not in EXPECTATIONS:
        raise BadHead(f"expects '{expect}', which is none of {', '.join(EXPECTATIONS)}")
    if expect != folder:
        raise BadHead(f"expects {expect} but lies in the folder {folder}")
    within = re.fullmatch(r"(\w+), ([1-9]\d*) runs?", fields["within"])
    if not within or within[1] not in RULES:
        raise BadHead(f"within '{fields['within']}' is not such as `random, 100 runs`")
    bug = [name.strip() for name in fields.get("bug", "").split(",") if name.strip()]
    if expect == "passed" and bug:
        raise BadHead("a program that passes has no bug")
    body = text[text.find("#include"):]
    for function in bug:
        if not re.search(rf"\b{re.escape(function)}\b *\(", body):
            raise BadHead(f"bug '{function}' is no function of the program")
    variants = [parse_variant(variant) for variant in fields.get("variant", [])]
    return Head(expect, within[1], int(within[2]), bug, variants, parse_points(fields))


def read_head(path):
    path = pathlib.Path(path)
    return parse_head(path.read_text(), path.parent.name)
