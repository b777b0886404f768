"""Which frames are the program's own."""
import gdb
from gdb.FrameDecorator import FrameDecorator

RUNTIME = "libunravel-rt.so"

# Where system headers are: a lock of std::mutex is called from there.
SYSTEM_HEADERS = ("/usr/include/", "/usr/lib/")

# Where libraries of the system are, also if their debug information is installed.
SYSTEM_LIBRARIES = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")

OWN_NAMESPACE = "unravel::"


def is_runtime(frame):
    """Whether the frame is in unravel's own library."""
    name = gdb.solib_name(frame.pc())
    return bool(name) and name.endswith(RUNTIME)


def is_own(frame):
    """Whether the frame has source lines of the program."""
    if frame.type() not in (gdb.NORMAL_FRAME, gdb.INLINE_FRAME) or is_runtime(frame):
        return False
    if (gdb.solib_name(frame.pc()) or "").startswith(SYSTEM_LIBRARIES):
        return False
    symtab = frame.find_sal().symtab
    return symtab is not None and not symtab.fullname().startswith(SYSTEM_HEADERS)


def program_frame():
    """Of the selected thread: the innermost frame of the program's own, or else of any library."""
    frame = gdb.newest_frame()
    other = None
    while frame is not None and frame.is_valid():
        if is_own(frame):
            return frame
        if other is None and not is_runtime(frame) and frame.type() == gdb.NORMAL_FRAME:
            other = frame
        frame = frame.older()
    return other or gdb.newest_frame()


def place_of(frame):
    """`deposit() prog.c:17`"""
    sal = frame.find_sal()
    name = frame.name() or "0x%x" % frame.pc()
    if sal.symtab is None:
        return name + "()"
    return "%s() %s:%d" % (name, sal.symtab.filename, sal.line)


def is_internal(function):
    """Whether a function of unravel's own library is none that programs call."""
    return "::" in plain_name(function)


def plain_name(function):
    name = str(function).replace("(anonymous namespace)", "own").partition("(")[0]
    return name[len(OWN_NAMESPACE):] if name.startswith(OWN_NAMESPACE) else name


class Interposed(FrameDecorator):
    """What the program called, such as pthread_mutex_lock: without our source lines."""

    def function(self):
        return plain_name(super().function())

    def filename(self):
        return None

    def line(self):
        return None

    def frame_args(self):
        return None

    def frame_locals(self):
        return None


class Folded:
    """A frame filter: of unravel's own frames, only what the program called is shown."""

    def __init__(self):
        self.name = "unravel"
        self.priority = 100
        self.enabled = True
        self.register()

    def register(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        last = None  # the outermost of consecutive frames of ours
        for decorated in frames:
            if is_runtime(decorated.inferior_frame()):
                last = Interposed(decorated)
                continue
            if last is not None and not is_internal(last.function()):
                yield last
            last = None
            yield decorated
