"""The commands that a user types."""
import re

import gdb

from . import compare, history
from .driver import DriverGone, find_unravel
from .session import Session, has_process

PLACES = ["start", "end", "failure", "critical"]


class State:
    session = None
    script = None
    options = ()  # of the opened run, without its name


def session():
    if State.session is None:
        raise gdb.GdbError("no run is open; `unravel open [RUN]` opens one")
    return State.session


def close():
    if State.session is not None:
        ended, State.session = State.session, None
        ended.close()


def one_of(words, text):
    return [word for word in words if word.startswith(text)]


def no_arguments(arguments, name):
    if arguments.strip():
        raise gdb.GdbError("`unravel %s` takes no argument" % name)


def move(request):
    current = session()
    try:
        current.show(current.go(request))
    except DriverGone:
        close()
        raise


def options_in(words):
    """All options take a value; what is left is the run."""
    options = []
    words = list(words)
    while words:
        word = words.pop(0)
        if word.startswith("-"):
            options.append(word)
            if "=" not in word and words:
                options.append(words.pop(0))
    return options


class Unravel(gdb.Command):
    def __init__(self, help_text):
        self.__doc__ = help_text
        super().__init__("unravel", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


class Open(gdb.Command):
    """Open a stored run: unravel open [RUN]
RUN is an id or its beginning (`unravel list`); without it, the latest failure is opened.
Options are those of `unravel replay`: --store DIR, --environment now, --inputs live."""

    def __init__(self):
        super().__init__("unravel open", gdb.COMMAND_RUNNING)

    def invoke(self, arguments, _):
        words = gdb.string_to_argv(arguments)
        quits = words[:1] == ["--or-quit"]
        try:
            self.open(words[1:] if quits else words)
        except gdb.error as error:
            if not quits:
                raise
            print("unravel: %s" % error)
            gdb.execute("quit 2")

    def open(self, words):
        close()
        if has_process():
            raise gdb.GdbError("a process is being debugged; `kill` or `detach` it first")
        State.session = Session(find_unravel(State.script), words)
        State.options = options_in(words)
        run = State.session.run
        print("run %s of %s, %d points: %s" % (run["id"], run["program"], run["points"],
                                               run["failure"] or "it passed"))
        try:
            move("goto start")
        except gdb.error:
            close()
            raise


class Close(gdb.Command):
    """End the session, and the run with it."""

    def __init__(self):
        super().__init__("unravel close", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        no_arguments(arguments, "close")
        session()
        close()


class Where(gdb.Command):
    """Tell where the run is: its step, the thread that has the turn, its clock, the next switch."""

    def __init__(self):
        super().__init__("unravel where", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        no_arguments(arguments, "where")
        position = session().where()
        print("step %d of %d, T%d has the turn, at %s"
              % (position["step"], position["points"], position["thread"], position["clock"]))
        if position["told"]:
            print(position["told"])
        switch = position["switch"]
        if switch is None:
            print("no switch is after this place")
        elif switch["to"] is None:
            print("the run ends at %s, without another switch" % switch["at"])
        else:
            place = "here" if position["why"] == "switch" else "at " + switch["at"]
            print("next switch %s: T%d is %s, T%d gets the turn"
                  % (place, switch["from"], switch["why"], switch["to"]))


class Goto(gdb.Command):
    """Go to a place of the run, forwards or backwards: unravel goto PLACE
PLACE is one of
  4711          where the run passes its 4711th point, counted over all threads
  T1:12         right after the 12th operation of T1
  T1:12+3       at its 3rd hook after that; T1:12+1 is before its next operation
  start, end    the first and the last point
  failure       where the run fails
  critical      the switch that decides between passing and failing
  FILE:LINE#N   the Nth time that a thread comes to this line; without #N, the first
Breakpoints do not stop the run on its way."""

    def __init__(self):
        super().__init__("unravel goto", gdb.COMMAND_RUNNING)

    def invoke(self, arguments, _):
        place = arguments.strip()
        if not place:
            raise gdb.GdbError("a place is missing; `help unravel goto` tells what there is")
        line = re.fullmatch(r"(\S.*:\d+)(?:#(\d+))?", place)
        if line and not re.fullmatch(r"T\d+:\d+", line[1]):
            history.go_to_line(session(), line[1], int(line[2] or 1))
        else:
            move("goto " + place)

    def complete(self, text, word):
        return one_of(PLACES, word) if " " not in text else gdb.COMPLETE_NONE


class Step(gdb.Command):
    """Go N points on: unravel step [N]"""

    def __init__(self):
        super().__init__("unravel step", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        move(("step " + arguments.strip()).strip())


class Back(gdb.Command):
    """Go N points back: unravel back [N]
The run is made again, up to there. Breakpoints, watchpoints and displays are kept."""

    def __init__(self):
        super().__init__("unravel back", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        move(("back " + arguments.strip()).strip())


class Switch(gdb.Command):
    """Go to the next switch between threads, or to the previous one: unravel switch [-]
The run stands before the switch: the thread that is left is selected, and it is told
which thread goes on, and where."""

    def __init__(self):
        super().__init__("unravel switch", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        if arguments.strip() not in ("", "-"):
            raise gdb.GdbError("`unravel switch` takes nothing or a minus sign")
        move(("switch " + arguments.strip()).strip())


class Threads(gdb.Command):
    """Show every thread: whether it can run, what it waits for, and where it is."""

    def __init__(self):
        super().__init__("unravel threads", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        no_arguments(arguments, "threads")
        history.show_threads(session())


class ReverseContinue(gdb.Command):
    """Go back to the last hit of a breakpoint or watchpoint before here.
The run is made again: once to find the hits, and once more to stop at the last one."""

    def __init__(self):
        super().__init__("unravel reverse-continue", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        no_arguments(arguments, "reverse-continue")
        history.reverse_continue(session())


class LastWrite(gdb.Command):
    """Go back to where an expression got its value: unravel last-write EXPR
EXPR is a variable, or another expression with an address, of at most 8 bytes. The run then stands
right after the instruction that wrote it."""

    def __init__(self):
        super().__init__("unravel last-write", gdb.COMMAND_RUNNING, gdb.COMPLETE_EXPRESSION)

    def invoke(self, arguments, _):
        if not arguments.strip():
            raise gdb.GdbError("an expression is missing, such as `unravel last-write counter`")
        history.last_write(session(), arguments.strip())


class Diff(gdb.Command):
    """Show which values differ in another run at the same place: unravel diff [RUN]
Without RUN, it is the passing run that `unravel isolate` found beside this one. Compared are
variables of the program: globals, and locals of the thread that has the turn."""

    def __init__(self):
        super().__init__("unravel diff", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        words = gdb.string_to_argv(arguments)
        if len(words) > 1:
            raise gdb.GdbError("`unravel diff` takes one run")
        compare.diff(session(), find_unravel(State.script), State.options,
                     words[0] if words else None)


class Table(gdb.Command):
    """Show the interleaving around here, one column per thread."""

    def __init__(self):
        super().__init__("unravel table", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, arguments, _):
        no_arguments(arguments, "table")
        gdb.write(session().driver.ask("table")["text"])


def register(help_text, script):
    State.script = script
    Unravel(help_text)
    for command in (Open, Close, Where, Goto, Step, Back, Switch, Threads, ReverseContinue,
                    LastWrite, Diff, Table):
        command()
    # Leaving gdb ends the run. If gdb is killed, the driver notices that its pipe is closed.
    if hasattr(gdb.events, "gdb_exiting"):
        gdb.events.gdb_exiting.connect(lambda _: close())
