"""What bench/simplify simplifies: programs with one bug each. Their sources say more."""
import dataclasses
import fnmatch
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "programs" / "simplify"

# How an optimum is known.
SEARCHED = "by search"
ARGUED = "by argument"


@dataclasses.dataclass(frozen=True)
class Optimum:
    """The fewest switches of any run that fails with the same key, and of such runs the fewest preemptions."""
    switches: int
    preemptions: int
    how: str


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    command: tuple
    points: str = "sync"
    # What the failure asks of all threads, for the search: nothing, "blocked" or "ended".
    needs: str = None
    # Threads that were created at one place are the same to the failure.
    alike: bool = False
    optimum: Optimum = None


def program(name, *arguments, optimum=None, **options):
    return Program("_".join((name, *arguments)), (str(FOLDER / name), *arguments),
                   optimum=optimum and Optimum(*optimum), **options)


# Such as the paper's. `simplify --optimum` searches for the optima again.
PROGRAMS = [
    program("bounded_buffer", needs="blocked", alike=True, optimum=(12, 0, ARGUED)),
    program("clustering", alike=True, optimum=(562, 1, ARGUED)),
    program("compressor", alike=True, optimum=(3, 1, ARGUED)),
    program("pipeline", alike=True, optimum=(4, 1, ARGUED)),
    program("pricing", needs="blocked", alike=True, optimum=(10, 2, ARGUED)),
    program("scanner", alike=True, optimum=(2, 1, SEARCHED)),
    program("sort", points="auto", needs="ended", alike=True, optimum=(54, 1, ARGUED)),
]

# With fewer threads and elements: what was argued above, the search says of these.
SMALL = [
    program("bounded_buffer", "2", "2", "2", needs="blocked", alike=True, optimum=(6, 0, SEARCHED)),
    program("clustering", "3", "2", alike=True, optimum=(10, 1, SEARCHED)),
    program("compressor", "2", "2", alike=True, optimum=(3, 1, SEARCHED)),
    program("pipeline", "2", "3", alike=True, optimum=(4, 1, SEARCHED)),
    program("pricing", "3", "1", needs="blocked", alike=True, optimum=(5, 2, SEARCHED)),
    program("sort", "2", "1", "1", points="auto", needs="ended", alike=True, optimum=(8, 1, SEARCHED)),
]


def matching(programs, pattern):
    return [one for one in programs if fnmatch.fnmatchcase(one.name, pattern)]


def differences():
    """Sentences: which programs are built but not listed here, or the other way round."""
    listed = {pathlib.Path(one.command[0]).name for one in PROGRAMS}
    built = {path.name for path in FOLDER.iterdir() if path.is_file()} if FOLDER.is_dir() else set()
    return [f"{FOLDER / name} is not built: ./dev bench simplify builds it" for name in sorted(listed - built)] \
        + [f"{FOLDER / name} is not in the list of simplify_programs.py" for name in sorted(built - listed)]
