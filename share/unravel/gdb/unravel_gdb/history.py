"""What needs more than one run: the last hit before here, the last write."""
import gdb

from .session import has_process, quietly

# How far before here to look for a hit, in points: the next is tried if there was none. A run is made
# for each, and every hit in it costs about a millisecond. Chosen by hand.
WINDOWS = (100, 10_000, 1_000_000)

# A search is given up after this many hits in one window. Chosen by hand.
MOST_HITS = 100_000


class Hit:
    """A stop of gdb, as it can be recognised in another run: the step, the instruction and the stack
    pointer, and how many equal ones came before it since the search began."""

    def __init__(self, step, frame, number):
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
    with session.moving():
        one = gdb.Breakpoint(line, internal=True, temporary=False)
        one.silent = True
        try:
            times = 0
            while times < count:
                session.resume()
                if not has_process() or session.is_at_stop():
                    break
                times += one.hit_count > times
        finally:
            if one.is_valid():
                one.delete()
    if times < count:
        raise gdb.GdbError("a thread came to %s only %d times" % (line, times))
    session.tell_here()


def hits_until(session, reached, is_hit):
    """Lets the run go on until `reached` says so, or until it stops for good. Returns all hits."""
    hits, seen = [], {}
    while True:
        session.resume()
        if not has_process() or session.is_at_stop():
            return hits
        frame = gdb.newest_frame()
        if not is_hit():
            continue
        step = session.driver.ask("where")["stopped"]["step"]
        hit = Hit(step, frame, 0)
        if reached(hit):
            return hits
        hit.number = seen.get(hit.key, 0)
        seen[hit.key] = hit.number + 1
        hits.append(hit)
        if len(hits) >= MOST_HITS:
            raise gdb.GdbError("there are too many hits before here; "
                               "disable breakpoints that are hit all the time")
