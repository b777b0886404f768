"""What the head of a test program says: the comment lines that it begins with.

    // One or two sentences about the program.
    //
    // expect: deadlock            passed, or a kind of failure; also the name of its folder
    // within: random, 100 runs    by which rule, and how many runs it may take
    // bug: lock_both, main        functions that a report of the failure should name
    // flags: -O2                  for the compiler, further ones
"""
import pathlib
import re
from dataclasses import dataclass, field

EXPECTATIONS = ("passed", "assert", "signal", "exit", "terminate", "deadlock", "lost-wakeup",
                "livelock", "timeout", "oracle")
RULES = ("stay", "random", "priority")
KEYS = ("expect", "within", "bug", "flags")


class BadHead(Exception):
    pass


@dataclass
class Head:
    expect: str
    rule: str
    runs: int
    bug: list = field(default_factory=list)


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
        if key in fields:
            raise BadHead(f"'{key}' is there twice")
        fields[key] = value
    return fields


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
    return Head(expect, within[1], int(within[2]), bug)


def read_head(path):
    path = pathlib.Path(path)
    return parse_head(path.read_text(), path.parent.name)
