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


def leaves(name, value, where="", depth=4):
    """What a variable consists of: members of classes one by one."""
    type_ = value.type.strip_typedefs()
    if depth == 0 or type_.code != gdb.TYPE_CODE_STRUCT:
        yield name + where, text_of(value)
        return
    for field in type_.fields():
        if not hasattr(field, "bitpos"):
            continue  # it is static
        inner = name if field.is_base_class or not field.name else name + "." + field.name
        try:
            yield from leaves(inner, value[field], where, depth - 1)
        except gdb.error:
            pass  # it cannot be read


def variables_of(block, frame):
    """Variables of a block and of those around it, up to its function."""
    while block is not None and not block.is_static and not block.is_global:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                yield symbol.name, symbol.value(frame)
        if block.function is not None:
            return
        block = block.superblock


def own_frames():
    """Of the selected thread: the program's frames, innermost first."""
    frame = gdb.newest_frame()
    found = []
    while frame is not None and len(found) < MOST_FRAMES:
        if frames.is_own(frame):
            found.append(frame)
        frame = frame.older()
    return found


def locals_here():
    values = {}
    for frame in own_frames():
        for name, value in variables_of(frame.block(), frame):
            for leaf, text in leaves(name, value, " in %s()" % frame.name()):
                values.setdefault(leaf, text)
    return values


def globals_of(session):
    """Global variables of the files in which the threads are: their names."""
    names = set()
    for row in session.threads():
        if row["gdb"] is None:
            continue
        row["gdb"].switch()
        for frame in own_frames():
            symtab = frame.find_sal().symtab
            for block in (symtab.global_block(), symtab.static_block()):
                names.update("'%s'::%s" % (symtab.filename, symbol.name)
                             for symbol in block if symbol.is_variable)
    return sorted(names)


def values_here(session, names):
    """Of the thread that has the turn: its locals; and these globals."""
    values = {}
    for name in names:
        try:
            values.update(leaves(name.partition("::")[2], gdb.parse_and_eval(name)))
        except gdb.error:
            pass  # it was optimised out
    current = next((row for row in session.threads() if row["has_turn"]), None)
    if current is not None and session.select(current):
        values.update(locals_here())
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
    names = globals_of(session)
    mine = values_here(session, names)
    with session.moving():
        if has_process():
            quietly("kill")
        theirs, place = values_in(unravel, [*arguments, run], position["clock"], names)
        session.folded.register()
        session.go("goto failure" if position["why"] == "failure" else "goto %d" % position["step"])
    session.show(session.where())
    print("%s in run %s, %s in run %s:" % (position["clock"], session.run["id"], place, run))
    both = [name for name in mine if name in theirs]
    differing = [name for name in both if mine[name] != theirs[name]]
    for name in differing:
        print("  %s: %s here, %s there" % (name, mine[name], theirs[name]))
    if not differing:
        print("  all %d values are equal" % len(both))


def values_in(unravel, arguments, clock, names):
    other = Session(unravel, arguments)
    try:
        other.is_moving = True
        position = other.go("goto " + clock)
        return values_here(other, names), position["clock"]
    finally:
        other.close()
