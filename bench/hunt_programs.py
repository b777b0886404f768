"""What bench/hunt hunts: programs with one bug each, and correct ones. Their sources say more."""
import dataclasses
import fnmatch
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "programs" / "hunt"
CORRECT_FOLDER = FOLDER / "correct"


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    command: tuple
    # What is wanted: at most so many runs to the bug, in the mean.
    target: float = None
    # Its threads wait by looking again and again.
    spins: bool = False


def sized(name, sizes, target_of=lambda size: None, folder=FOLDER):
    """One program that takes the number of its threads, rounds or switches, as several."""
    return [Program(f"{name}_{size}", (str(folder / name), str(size)), target_of(size))
            for size in sizes]


def single(name, target=None):
    return [Program(name, (str(FOLDER / name),), target)]


def correct(name, spins=False):
    return Program(name, (str(CORRECT_FOLDER / name),), spins=spins)


BUGGY = [
    *sized("reorder", (3, 5, 10, 20, 50, 100), lambda size: 10),
    *sized("twostage", (3, 20, 50, 100), lambda size: 20 if size == 100 else None),
    *single("account"),
    *single("barrier"),
    *single("bluetooth", 25),
    *single("carter"),
    *sized("chain", (4, 5, 6)),
    *single("circular_buffer"),
    *sized("fibonacci", (2, 3)),
    *single("file_system"),
    *single("lazy"),
    *single("lost_wakeup"),
    *single("one_condition"),
    *sized("philosophers", (3, 5)),
    *single("queue"),
    *single("quicksort", 60),
    *single("quicksort_pool", 60),
    *single("readers_writer_lock"),
    *single("sigma"),
    *single("singleton"),
    *single("stack"),
    *single("string_buffer", 30),
    *single("token_ring"),
    *single("work_stealing_queue", 25),
    *single("wrong_lock"),
]

# Hunted apart, for a time: it is not known how many runs it takes.
SAFE_STACK = single("safe_stack")[0]

CORRECT = [
    correct("barrier"),
    correct("bounded_buffer"),
    *sized("counter", (3,), folder=CORRECT_FOLDER),
    correct("dekker", spins=True),
    correct("double_checked"),
    correct("future"),
    correct("hazard_pointer"),
    correct("mpmc_queue", spins=True),
    correct("once"),
    correct("peterson", spins=True),
    correct("readers_writers"),
    correct("reference_count"),
    correct("semaphores"),
    correct("sense_barrier", spins=True),
    correct("sequence_lock", spins=True),
    correct("spin_lock", spins=True),
    correct("spin_lock_yield", spins=True),
    correct("spsc_ring", spins=True),
    correct("thread_pool"),
    correct("ticket_lock", spins=True),
    correct("treiber_stack"),
]

# Only for runs per second: how do they fall with the number of threads?
MANY_THREADS = sized("counter", (10, 20, 50, 100), folder=CORRECT_FOLDER)


def matching(programs, pattern):
    return [program for program in programs if fnmatch.fnmatchcase(program.name, pattern)]


def differences():
    """Sentences: which programs are built but not listed here, or the other way round."""
    found = []
    for folder, programs in ((FOLDER, [*BUGGY, SAFE_STACK]), (CORRECT_FOLDER, CORRECT)):
        listed = {pathlib.Path(program.command[0]).name for program in programs}
        built = {path.name for path in folder.iterdir() if path.is_file()} if folder.is_dir() else set()
        found += [f"{folder / name} is not built: ./dev bench hunt builds it"
                  for name in sorted(listed - built)]
        found += [f"{folder / name} is not in the list of hunt_programs.py"
                  for name in sorted(built - listed)]
    return found
