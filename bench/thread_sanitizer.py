"""The races that GCC's ThreadSanitizer itself finds in a program, as pairs of source lines."""
import os
import re
import subprocess

# Everything it sees, all runs to their end; suppressing equal stacks would hide pairs. Some programs
# bring suppressions of their own, which hold.
OPTIONS = ("halt_on_error=0 exitcode=0 history_size=7 report_signal_unsafe=0 report_thread_leaks=0 "
           "report_destroy_locked=0 report_mutex_bugs=0 detect_deadlocks=0 suppress_equal_stacks=0 "
           "suppress_equal_addresses=0 force_seq_cst_atomics=0")

# More runs of a program that hangs would only take their time.
MOST_KILLED = 3

RACES = ("data race", "data race on vptr (ctor/dtor vs virtual call)", "data race on vptr",
         "heap-use-after-free", "heap-use-after-free (virtual call vs free)")

# Of the two stacks that raced; others tell where a thread or a block comes from.
ACCESS = re.compile(r"  (?:Previous )?(?:atomic )?(?:read|write)(?: \[.*\])? of size \d+ at .* by .*:$",
                    re.IGNORECASE)
FRAME = re.compile(r"    #\d+ .* (\S+?):(\d+)(?::\d+)? \(\S+\)$")


def own_line(frames, sources):
    """The innermost frame's that is code of the program's own, as `file:line`."""
    for frame in frames:
        found = FRAME.match(frame)
        if found and found[1].startswith(sources):
            return f"{os.path.basename(found[1])}:{found[2]}"
    return None


def stacks_of(report):
    """The frames of each access."""
    stacks, open_stack = [], None
    for line in report.splitlines():
        if ACCESS.match(line):
            open_stack = []
            stacks.append(open_stack)
        elif line.startswith("    #") and open_stack is not None:
            open_stack.append(line)
        elif not line.startswith("    "):
            open_stack = None
    return stacks


def pairs_in(text, sources):
    """All pairs of lines in what a run wrote to standard error, and how many reports had a side of
    which it had lost the stack."""
    pairs, lost = set(), 0
    for report in text.split("WARNING: ThreadSanitizer: ")[1:]:
        kind = report.split(" (pid=")[0]
        if kind not in RACES:
            continue
        lines = [own_line(stack, sources) for stack in stacks_of(report)]
        if len(lines) == 2 and all(lines):
            pairs.add(tuple(sorted(lines)))
        else:
            lost += 1
    return pairs, lost


def races_of(binary, runs, sources, seconds):
    """Over all runs: pairs, lost reports and how many runs had to be killed."""
    pairs, lost, killed = set(), 0, 0
    environment = dict(os.environ, TSAN_OPTIONS=OPTIONS)
    for _ in range(runs):
        if killed == MOST_KILLED:
            break
        # Its shadow memory does not fit every layout that a kernel may choose.
        with subprocess.Popen(["setarch", "-R", binary], env=environment, text=True,
                              errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            try:
                _, said = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                killed += 1
                process.kill()
                _, said = process.communicate()
        found, without = pairs_in(said, sources)
        pairs |= found
        lost += without
    return pairs, lost, killed
