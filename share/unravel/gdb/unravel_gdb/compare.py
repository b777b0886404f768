"""The same place in two runs: which values differ."""
import gdb

from . import frames
from .session import Session, has_process, quietly

# Of an array, and of frames outwards. Chosen by hand.
MOST_ELEMENTS = 20
MOST_FRAMES = 20


def text_of(value):
    try:
        return value.format_string(max_elements=MOST_ELEMENTS)
    except gdb.error as error:
        return "<%s>" % error


def variables_of(block, frame):
    """Variables of a block and of those around it, up to its function."""
    while block is not None and not block.is_static and not block.is_global:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                yield symbol.name, symbol.value(frame)
        if block.function is not None:
            return
        block = block.superblock


def values_here():
    """Of the selected thread: locals of the program's frames, and globals of their files."""
    values = {}
    frame = frames.program_frame()
    for _ in range(MOST_FRAMES):
        if frame is None:
            break
        if frames.is_own(frame):
            for name, value in variables_of(frame.block(), frame):
                values.setdefault("%s in %s()" % (name, frame.name()), text_of(value))
            symtab = frame.find_sal().symtab
            for block in (symtab.global_block(), symtab.static_block()):
                for symbol in block:
                    if symbol.is_variable:
                        values.setdefault(symbol.name, text_of(symbol.value()))
        frame = frame.older()
    return values


def diff(session, unravel, arguments, run):
    """Compares this place with the same clock of another run."""
    run = run or session.run["passing"]
    if not run:
        raise gdb.GdbError(
            "no passing run is known for run %s\n  hint: `unravel isolate %s` finds one, and tells "
            "the two runs that differ least; or name one: `unravel diff RUN`"
            % (session.run["id"], session.run["id"]))
    position = session.where()
    mine = values_here()
    with session.moving():
        if has_process():
            quietly("kill")
        theirs, place = values_in(unravel, [*arguments, run], position["clock"])
        session.folded.register()
        session.go("goto %d" % position["step"])
    session.show(session.where())
    print("%s in run %s, %s in run %s:" % (position["clock"], session.run["id"], place, run))
    differing = [name for name in mine if name in theirs and mine[name] != theirs[name]]
    for name in differing:
        print("  %s: %s here, %s there" % (name, mine[name], theirs[name]))
    if not differing:
        print("  all %d values are equal" % len(mine))


def values_in(unravel, arguments, clock):
    other = Session(unravel, arguments)
    try:
        other.is_moving = True
        position = other.go("goto " + clock)
        rows = other.threads()
        current = next((row for row in rows if row["has_turn"]), None)
        if current is not None:
            other.select(current)
        return values_here(), position["clock"]
    finally:
        other.close()
