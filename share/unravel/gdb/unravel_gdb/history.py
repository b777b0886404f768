"""What needs more than one run: the last hit before here, the last write."""
import re

import gdb

from .session import has_process

# How far before here to look for a hit, in points: the next is tried if there was none. A run is made
# for each, and every hit in it costs about a millisecond. Chosen by hand.
WINDOWS = (100, 10_000, 1_000_000)

# A search is given up after this many hits in one window. Chosen by hand.
MOST_HITS = 100_000

WATCHPOINTS = (gdb.BP_WATCHPOINT, gdb.BP_HARDWARE_WATCHPOINT, gdb.BP_READ_WATCHPOINT,
               gdb.BP_ACCESS_WATCHPOINT)

# What the processor can watch at once.
WATCHED_BYTES = 8


# Instructions that only read memory, though it is their last operand in AT&T syntax.
ONLY_READ = re.compile(r"(cmp(?!xchg)|test|bt[bwlq]?\b|u?comis|push|call|jmp|i?mul[bwlq]?\b|i?div|prefetch)")
ALWAYS_WRITE = re.compile(r"(lock )?(xchg|xadd|cmpxchg)")


def is_store(text):
    """Whether an instruction, in AT&T syntax, writes to memory."""
    text = " ".join(text.split())
    if ALWAYS_WRITE.match(text):
        return True
    operation, _, operands = text.removeprefix("lock ").partition(" ")
    if operation.startswith("rep"):
        operation, _, operands = operands.partition(" ")
    last = re.split(r",(?![^(]*\))", operands.partition("#")[0].partition("<")[0])[-1].strip()
    return not ONLY_READ.match(operation) and ("(" in last or last.startswith("0x"))


def has_just_stored():
    """Whether the instruction before this one, of the innermost frame, writes to memory."""
    frame = gdb.newest_frame()
    function = frame.function()
    if function is None:
        return True  # not known
    begin = function.symtab and function.value().address
    code = frame.architecture().disassemble(int(begin), frame.pc() - 1)
    return not code or is_store(code[-1]["asm"])


class Place:
    """A moment at which gdb has stopped the run, as it can be recognised in another run: the points
    passed, the instruction and the stack pointer, and how many equal moments came before."""

    def __init__(self, step, number=0):
        frame = gdb.newest_frame()
        self.step = step
        self.key = (step, frame.pc(), int(frame.read_register("rsp")))
        self.number = number


def go_to_line(session, line, count):
    """Goes to the Nth time that a thread comes to a line."""
    if count < 1:
        raise gdb.GdbError("times are counted from 1")
    try:
        places = gdb.decode_line(line)[1]
    except gdb.error as error:
        raise gdb.GdbError(str(error)) from None
    if not places:
        raise gdb.GdbError("no code at " + line)
    session.go("goto start")
    times = 0
    with session.moving():
        one = gdb.Breakpoint(line, internal=True)
        one.silent = True
        try:
            while times < count and session.resume_to_hit():
                times += 1
        finally:
            one.delete()
    if times < count:
        raise gdb.GdbError("threads came to %s only %d times in this run" % (line, times))
    session.tell_here()


class Search:
    """Looks for the last hit before here, in runs that are made again."""

    def __init__(self, session):
        self.session = session
        position = session.where()
        self.here = Place(position["step"])
        # Where the session itself stopped the run is the beginning of its step. Elsewhere gdb stopped
        # it, after what it hit in this step.
        self.is_at_point = session.is_at_stop()
        self.here.number = session.count_of(self.here.key)

    def last_hit(self, breakpoints, counts=lambda: True):
        """The last hit of these that counts, or None."""
        for window in (*WINDOWS, None):
            begin = 1 if window is None else max(1, self.here.step - window)
            hits = self.hits_from(begin, breakpoints, counts)
            if hits:
                return hits[-1]
            if begin == 1:
                break
        return None

    def hits_from(self, begin, breakpoints, counts):
        self.go_to_step(begin)
        hits, seen = [], {}
        with self.session.moving(breakpoints):
            while self.session.resume_to_hit(self.stop_step()):
                step = self.session.where()["step"]
                place = Place(step)
                place.number = seen.get(place.key, 0)
                seen[place.key] = place.number + 1
                if self.is_past(place):
                    break
                if counts():
                    hits.append(place)
                if len(hits) > MOST_HITS:
                    raise gdb.GdbError("there are more than %d hits before here; disable what is hit "
                                       "all the time" % MOST_HITS)
        return hits

    def go_to_step(self, step):
        self.session.go("goto start" if step == 1 else "goto %d" % step)

    def stop_step(self):
        """The run is not let go on behind the next point after here."""
        return self.here.step if self.is_at_point else self.here.step + 1

    def is_past(self, place):
        if place.step != self.here.step:
            return place.step > self.here.step
        if self.is_at_point:
            return True
        return place.key == self.here.key and place.number >= self.here.number

    def go_to(self, hit, breakpoints):
        """Makes the run again, up to a hit."""
        self.go_to_step(max(1, hit.step - 1) if hit.step > 1 else 1)
        seen = 0
        with self.session.moving(breakpoints):
            while self.session.resume_to_hit():
                if Place(self.session.where()["step"]).key != hit.key:
                    continue
                if seen == hit.number:
                    return
                seen += 1
        raise gdb.GdbError("the run did not come to the hit again")


def reverse_continue(session):
    stopping = [one for one in session.users_breakpoints() if one.enabled]
    if not stopping:
        raise gdb.GdbError("no breakpoint or watchpoint is enabled; `unravel back` goes to the point "
                           "before")
    search = Search(session)
    hit = search.last_hit(stopping)
    if hit is None:
        search.go_to_step(1)
        print("no breakpoint or watchpoint was hit before; this is the start of the run")
        session.show(session.where())
        return
    search.go_to(hit, stopping)
    session.tell_here()


def last_write(session, expression):
    """Goes to where an expression got its value, by a watchpoint on its memory."""
    try:
        value = gdb.parse_and_eval(expression)
        address, size, text = int(value.address), value.type.sizeof, str(value)
    except TypeError:
        raise gdb.GdbError("%s is not in memory" % expression) from None
    if size > WATCHED_BYTES:
        raise gdb.GdbError("%s has %d bytes, and at most %d can be watched; name a part of it"
                           % (expression, size, WATCHED_BYTES))
    # The same memory in another run, whatever is in scope there.
    unit = {1: "char", 2: "short", 4: "int", 8: "long"}.get(size)
    watched = "*(%s *) %d" % (unit, address) if unit else "*(char (*)[%d]) %d" % (size, address)
    search = Search(session)
    # A store of the same value counts, too; gdb tells of these only together with reads.
    one = gdb.Breakpoint(watched, gdb.BP_WATCHPOINT, gdb.WP_ACCESS, internal=True)
    one.silent = True
    one.enabled = False
    try:
        hit = search.last_hit([one], has_just_stored)
        if hit is None:
            search.go_to_step(1)
            print("%s has had its value, %s, since before the first thread was created"
                  % (expression, text))
            session.show(session.where())
            return
        search.go_to(hit, [one])
    finally:
        if one.is_valid():
            one.delete()
    print("the last write to %s, whose value is %s, was here:" % (expression, text))
    session.tell_here()


def show_threads(session):
    """Every thread: its state, what it waits for, and its stack."""
    selected = gdb.selected_thread()
    frame = gdb.selected_frame()
    rows = session.threads()
    for row in rows:
        text = "T%d at %s: %s" % (row["thread"], row["clock"], row["state"])
        if row["waits_for_thread"]:
            text += " of T%d" % row["object"]
        elif row["object"]:
            text += " on " + name_of(row["object"])
        if row["holds"]:
            text += "; holds " + ", ".join(name_of(one) for one in row["holds"])
        print(("* " if row["has_turn"] else "  ") + text)
        if row["gdb"] is not None:
            row["gdb"].switch()
            for line in gdb.execute("backtrace", False, True).splitlines():
                print("      " + line)
    selected.switch()
    if frame.is_valid():
        frame.select()


def name_of(address):
    """`mutex`, `accounts + 40`, or the address."""
    text = gdb.execute("info symbol %d" % address, False, True)
    if text.startswith("No symbol"):
        return "0x%x" % address
    return text.partition(" in section")[0].strip()
