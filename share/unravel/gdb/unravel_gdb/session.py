"""A session: the driver, the run's process that gdb is attached to, and how to get to a place."""
import contextlib
import re

import gdb

from . import frames
from .driver import Driver, Refused

STOP_FUNCTION = "unravel_stopped"


class Ended(gdb.GdbError):
    """The run has ended, though it should have stopped."""


class StopBreakpoint(gdb.Breakpoint):
    """The runtime calls this function where the run stops."""

    def __init__(self):
        super().__init__(STOP_FUNCTION, gdb.BP_BREAKPOINT, internal=True)
        self.silent = True


def has_process():
    return gdb.selected_inferior().pid != 0


def quietly(command):
    """Without what gdb tells about threads, frames and stops."""
    before = gdb.parameter("suppress-cli-notifications")
    gdb.execute("set suppress-cli-notifications on")
    try:
        return gdb.execute(command, False, True)
    finally:
        gdb.execute("set suppress-cli-notifications " + ("on" if before else "off"))


class Session:
    def __init__(self, unravel, arguments):
        self.driver = Driver(unravel, arguments)
        self.is_moving = False  # the session itself lets the run go on
        self.is_running = False  # the driver was told that the user lets it go on
        self.stops = []  # what gdb told since the run went on
        self.breakpoint = None
        self.folded = frames.Folded()
        self.log = []  # hits of breakpoints in this process
        try:
            self.run = self.driver.read()["run"]
        except BaseException:
            self.driver.close()
            raise
        self.prepare_gdb()

    def prepare_gdb(self):
        # By default gdb looks for files in the process's own namespace, which an ordinary user
        # may not enter. The files are the same ones.
        if gdb.parameter("sysroot") in ("", "target:"):
            quietly("set sysroot /")
        # With --catch-all the kernel sends it for system calls of the program.
        quietly("handle SIGSYS nostop noprint pass")
        # The run stops for its failure before this.
        quietly("handle SIGABRT nostop noprint pass")
        gdb.events.stop.connect(self.on_stop)
        gdb.events.exited.connect(self.on_exit)
        gdb.events.cont.connect(self.on_continue)
        gdb.events.breakpoint_created.connect(self.spare_runtime)

    def close(self):
        gdb.events.stop.disconnect(self.on_stop)
        gdb.events.exited.disconnect(self.on_exit)
        gdb.events.cont.disconnect(self.on_continue)
        gdb.events.breakpoint_created.disconnect(self.spare_runtime)
        gdb.frame_filters.pop(self.folded.name, None)
        if has_process():
            quietly("kill")
        if self.breakpoint is not None and self.breakpoint.is_valid():
            self.breakpoint.delete()
        self.driver.close()

    def spare_runtime(self, one):
        """A breakpoint on a function such as `set` is not meant for unravel's own code."""
        if one.number <= 0 or one.type != gdb.BP_BREAKPOINT or not has_process():
            return
        for location in getattr(one, "locations", None) or ():  # older versions do not tell them
            name = gdb.solib_name(location.address) if location.address else None
            if not name or not name.endswith(frames.RUNTIME) or not location.enabled:
                continue
            if frames.plain_name(location.function) != one.location:
                location.enabled = False

    # --- What gdb tells ---

    def on_continue(self, _):
        if not self.is_moving and not self.is_running:
            self.is_running = True
            self.driver.send("running")

    def on_stop(self, event):
        self.is_running = False
        self.stops.append(event)
        if self.is_moving:
            return
        if self.is_at_stop():
            self.show(self.where())
        elif isinstance(event, gdb.BreakpointEvent):
            frame = gdb.newest_frame()
            step = self.driver.ask("where")["stopped"]["step"]
            self.log.append((step, frame.pc(), int(frame.read_register("rsp"))))

    def on_exit(self, _):
        self.is_running = False
        self.stops.append(None)
        self.log = []
        if not self.is_moving:
            self.tell_end(self.driver.ask("where"))

    def is_at_stop(self):
        return has_process() and (gdb.newest_frame().name() or "").endswith(STOP_FUNCTION)

    # --- Where the run is ---

    def where(self):
        answer = self.driver.ask("where")
        if "ended" in answer:
            self.tell_end(answer)
            raise Ended("the run has ended; `unravel goto PLACE` makes it again")
        return answer["stopped"]

    def tell_here(self):
        """Tells where the run is, if that is not where it stops by itself: at a line or a hit."""
        position = self.where()
        rows = self.threads()
        number = gdb.selected_thread().ptid[1]
        row = next((row for row in rows if row["kernel_thread"] == number), None)
        who = "T%d" % row["thread"] if row else "a thread that has ended"
        print("in %s, after step %d of %d, at %s"
              % (who, position["step"], position["points"], position["clock"]))
        gdb.execute("frame")

    def tell_end(self, answer):
        end = answer.get("ended")
        if end is None:
            return
        if end["reproduced"]:
            print("the run has ended as recorded: " + end["outcome"])
        else:
            print("the run has ended in another way than recorded: " + end["differs"])
            print("`unravel goto PLACE` makes it again")

    def threads(self):
        """What the driver knows of every thread, with gdb's thread."""
        by_number = {thread.ptid[1]: thread for thread in gdb.selected_inferior().threads()}
        rows = self.driver.ask("threads")["threads"]
        for row in rows:
            row["gdb"] = by_number.get(row["kernel_thread"])
            if row["gdb"] is not None and row["gdb"].name != "T%d" % row["thread"]:
                row["gdb"].name = "T%d" % row["thread"]
        return rows

    def select(self, row):
        """Selects a thread and, in it, the program's frame."""
        if row["gdb"] is None:
            return False
        row["gdb"].switch()
        frames.program_frame().select()
        return True

    def show(self, position):
        """Selects the thread that has the turn, and tells where the run is."""
        stopped = gdb.selected_thread()
        rows = self.threads()
        text = "at %s, step %d of %d" % (position["clock"], position["step"], position["points"])
        if position["why"] == "failure":
            text += ": " + (position["told"] or "the run failed")
        print(text)
        if position["why"] == "divergence":
            print("the run takes another way here than recorded: " + (position["told"] or ""))
            print("`unravel back` makes it again, up to the step before")
        elif position["told"] and position["why"] != "failure":
            print(position["told"])
        current = next((row for row in rows if row["has_turn"]), None)
        if position["why"] == "failure":  # of several that are stuck, the one that is told
            failing = self.run["failing_thread"]
            current = next((row for row in rows if row["thread"] == failing), current)
        other = position["switch"] if position["why"] == "switch" else None
        if other is not None and other["to"] is not None:
            self.show_switch(other, rows)
        if current is not None:
            self.select(current)
        else:  # it has ended
            stopped.switch()
            frames.program_frame().select()
        self.show_frame(position["thread"])

    def show_frame(self, thread):
        if frames.is_own(gdb.selected_frame()):
            gdb.execute("frame")
        else:
            print("T%d is not in the program's own code: it begins or ends" % thread)

    def show_switch(self, switch, rows):
        to = next((row for row in rows if row["thread"] == switch["to"]), None)
        text = "T%d is %s, T%d gets the turn" % (switch["from"], switch["why"], switch["to"])
        if to is not None and self.select(to):
            frame = gdb.selected_frame()
            is_new = not frames.is_own(frame)
            text += " and begins" if is_new else " and goes on in " + frames.place_of(frame)
        print(text)

    # --- Getting to a place ---

    @contextlib.contextmanager
    def moving(self, stopping=()):
        """While the session moves the run, of the user's breakpoints only `stopping` stop it."""
        states = [(one, one.enabled) for one in {*self.users_breakpoints(), *stopping}]
        for one, enabled in states:
            if enabled != (one in stopping):
                one.enabled = one in stopping
        before, self.is_moving = self.is_moving, True
        try:
            yield
        finally:
            self.is_moving = before
            for one, enabled in states:
                if one.is_valid() and one.enabled != enabled:
                    one.enabled = enabled

    def users_breakpoints(self):
        """Those that the user sees. Watchpoints and catchpoints are among them."""
        return [one for one in gdb.breakpoints() if one.is_valid() and one.number > 0]

    def go(self, request):
        """Brings the run to a place, and returns where it is. The user's breakpoints stay quiet."""
        way = self.driver.ask(request)["way"]
        with self.moving():
            if way == "forward":
                self.resume_to_stop()
            elif way == "again":
                self.make_again()
        return self.where()

    def resume(self, is_new=False):
        """Lets the run go on. Returns gdb's event, or None if the process has ended. `is_new`: gdb was
        attached to it where it stands, and has not been at its own breakpoint there yet."""
        self.stops = []
        if not is_new:
            self.driver.send("running")
        quietly("continue")
        return self.stops[-1] if self.stops else None

    def resume_to_stop(self, is_new=False):
        while True:
            event = self.resume(is_new)
            is_new = False
            if not has_process():
                self.where()  # tells how it ended, and raises
            if self.is_at_stop():
                return
            # A signal that the program handles, or Ctrl-C.
            if isinstance(event, gdb.SignalEvent) and event.stop_signal == "SIGINT":
                raise gdb.GdbError("interrupted on the way; `unravel where` tells where the run is")

    def resume_to_hit(self, until=None):
        """Lets the run go on to the next hit of a breakpoint or watchpoint. Returns False if it comes
        to the point `until`, to its failure or to its end before that."""
        if until is not None and self.driver.ask("goto %d" % until)["way"] != "forward":
            return False
        while True:
            event = self.resume()
            if not has_process() or self.is_at_stop():
                return False
            if isinstance(event, gdb.BreakpointEvent):
                return True
            if isinstance(event, gdb.SignalEvent) and event.stop_signal == "SIGINT":
                raise gdb.GdbError("interrupted on the way; `unravel where` tells where the run is")

    def count_of(self, key):
        """How often gdb has stopped this process at such a place before the last time."""
        return max(0, self.log.count(key) - 1)

    def make_again(self):
        kept = Kept(self)
        if has_process():
            quietly("kill")
        self.log = []
        try:
            answer = self.driver.ask("again")
        except KeyboardInterrupt:
            self.driver.cancel()
            raise gdb.GdbError("interrupted; `unravel goto PLACE` makes the run again") from None
        if "ended" in answer:
            self.tell_end(answer)
            raise Ended("the run has ended before it came there")
        self.attach(answer["stopped"]["process"])
        kept.restore()
        self.resume_to_stop(is_new=True)

    def attach(self, process):
        try:
            quietly("attach %d" % process)
        except gdb.error as error:
            self.driver.cancel()
            raise Refused({
                "what": "gdb cannot attach to the run: %s" % error,
                "hint": "in a container, allow it: `docker run --cap-add=SYS_PTRACE`"}) from None
        if self.breakpoint is None or not self.breakpoint.is_valid():
            self.breakpoint = StopBreakpoint()
            self.skip_runtime()
        for one in self.users_breakpoints():
            self.spare_runtime(one)
        self.driver.send("attached")

    def skip_runtime(self):
        """`step` does not go into unravel's own code."""
        symbol = gdb.lookup_global_symbol(STOP_FUNCTION)
        found = symbol and re.match(r"(.*/src/runtime)/", symbol.symtab.fullname())
        if found:
            quietly("skip -gfi %s/*" % found[1])
            quietly("skip -gfi %s/*/*" % found[1])


class Kept:
    """What gdb forgets when it attaches to another process: watchpoints on local variables."""

    def __init__(self, session):
        self.session = session
        self.watchpoints = []
        if not has_process():
            return
        for one in gdb.breakpoints():
            if one.type not in (gdb.BP_HARDWARE_WATCHPOINT, gdb.BP_WATCHPOINT,
                                gdb.BP_READ_WATCHPOINT, gdb.BP_ACCESS_WATCHPOINT):
                continue
            try:
                value = gdb.parse_and_eval(one.expression)
                place = (int(value.address), str(value.type))
            except (gdb.error, TypeError):
                place = None
            self.watchpoints.append((one, one.number, one.expression, one.enabled, place))

    def restore(self):
        for one, number, expression, enabled, place in self.watchpoints:
            if one.is_valid():
                continue
            if place is None:
                print("watchpoint %d (%s) is gone: its variable is not here" % (number, expression))
                continue
            again = gdb.Breakpoint("*(%s *) %d" % (place[1], place[0]), gdb.BP_WATCHPOINT,
                                   gdb.WP_WRITE)
            again.enabled = enabled
