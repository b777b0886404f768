"""Command lines that nobody should give."""
import random
import re
import subprocess

COMMANDS = ("run", "record", "hunt", "check", "simplify", "isolate", "replay", "list", "show", "diff", "query", "races",
            "doctor")

# With --oracle they are commands of a shell: none does anything.
VALUES = (
    "", " ", "-", "--", "-1", "0", "00", "1", "18446744073709551616", "9" * 400, "1e9", "0x10", "nan", "inf", "-inf", "1.5",
    "0s", "-5s", "1y", "5 s", "99999999999999999h", "x", "é", "\u202eabc", "\x1b[31mred", "tab\there", "new\nline",
    b"\xff\xfe", "%s%n", "../../elsewhere", "../elsewhere/precious", "/", "/dev/null", "/dev/full", "/nowhere/at/all",
    "x" * 5000, "T1:", "T99999999999:1", "T-1:5", "T1:1+", "u1.", "u1.AAAA", "u1." + "A" * 3000, "u2.AAAA", "sync,sync",
    "random,random", "all", "auto", "a=b", "$(false)", ";", "abc", "ffffff", "..", ".", "\\", "'", "\"")

PLACES_OPTIONS = ("--keep-files", "--store")  # which may make what they name


def options_of(unravel, command):
    text = subprocess.run([unravel, command, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\s+(?:-\w,)?(--[a-z-]+)", text, re.MULTILINE)


class ArgumentMaker:
    def __init__(self, unravel, program, runs):
        self.options = {command: options_of(unravel, command) for command in COMMANDS}
        self.program = str(program)
        self.runs = runs

    def program_part(self, chance):
        name = chance.choice((self.program, self.program, self.program, "/nowhere/prog", "/", "/etc/passwd", "precious", "",
                              "/dev/null", "\x1b[31m", "sh", "/bin/true"))
        return ["--", name, *chance.choices(VALUES, k=chance.choice((0, 0, 1, 3)))]

    def make(self, seed):
        """A command line, and whether it may write to a place that it names."""
        chance = random.Random(seed)
        command = chance.choice((*COMMANDS, *COMMANDS, "", "hunts", "--version", "-x", "\x1b[31m"))
        line = [command]
        options = self.options.get(command, ["--runs"])
        for _ in range(chance.choice((1, 1, 2, 3, 6))):
            option = chance.choice((*options, *options, "--nonsense", "-z", "--runs", "--run", "--="))
            value = chance.choice(VALUES)
            line += chance.choice(([option, value], [option], [f"{option}={value}"] if isinstance(value, str) else [option]))
        if command in ("hunt", "run", "record", "races", "doctor"):
            # So that what is no nonsense after all ends soon.
            line += ["--for", "1s"] if command == "hunt" and "--for" not in line else []
            line += self.program_part(chance) if chance.random() < 0.9 else []
        else:
            line += chance.choices((*VALUES, *self.runs, *self.runs), k=chance.choice((0, 1, 1, 2, 4)))
        line = [part if isinstance(part, bytes) else part.encode(errors="surrogateescape") for part in line]
        names_a_place = any(part.split(b"=")[0].decode(errors="replace") in PLACES_OPTIONS for part in line)
        return line, names_a_place
