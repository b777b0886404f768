"""What `real` runs: programs as Debian ships them, and the files that they work on."""
import dataclasses
import getpass
import pathlib
import random
import shlex
import shutil
import socket

PYTHON_PROGRAM = """
import queue, threading
jobs, squares, lock = queue.Queue(), [], threading.Lock()
def work():
    while (job := jobs.get()) is not None:
        with lock: squares.append(job * job)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for job in range(40): jobs.put(job)
for _ in threads: jobs.put(None)
for thread in threads: thread.join()
print(sum(squares))
"""


@dataclasses.dataclass
class Program:
    name: str
    package: str  # of Debian, which has it
    executable: str
    command: list
    prepare: str = ""  # makes its input from one of the files below
    server: bool = False  # with a client beside it; what it does depends on when that is heard

    def is_installed(self):
        return shutil.which(self.executable) is not None


def make_files():
    """So large that four threads get work: see `threads` in the table."""
    chance = random.Random(1)
    words = [bytes(chance.choices(b"abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(500)]
    pathlib.Path("data").write_bytes(b" ".join(chance.choices(words, k=100_000)))
    # pbzip2 uses no thread to decompress less than 1 MB, and sort splits 128 K lines at least.
    pathlib.Path("digits").write_bytes(bytes(chance.choices(b"0123456789abcdef", k=2_200_000)))
    pathlib.Path("lines").write_bytes(b"\n".join(chance.choices(words, k=300_000)) + b"\n")
    pathlib.Path("threads.py").write_text(PYTHON_PROGRAM)


def free_port():
    """The server has a network of its own under control, but not natively."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def writes_output(name, package, command, prepare=""):
    """Ends by itself, and writes the same to standard output every time."""
    words = command.split()
    return Program(name, package, words[0], words, prepare)


def serves(package, load, command):
    """A shell starts the client, which is not under control, and becomes the server."""
    port = free_port()
    client = shlex.quote(str(pathlib.Path(__file__).parent / "real_client.py"))
    script = (f"/usr/bin/python3 {client} {load.replace('PORT', str(port))} & "
              f"exec {command.replace('PORT', str(port))}")
    return Program(package, package, command.split()[0], ["/bin/sh", "-c", script], server=True)


def all_programs():
    return [
        writes_output("pbzip2", "pbzip2", "pbzip2 -c -p4 -b1 data"),
        writes_output("pbzip2 -d", "pbzip2", "pbzip2 -d -c -p4 digits.bz2",
                      "pbzip2 -k -f -b1 digits"),
        writes_output("pigz", "pigz", "pigz -n -c -p4 -b 128 data"),
        writes_output("pigz -d", "pigz", "pigz -d -c -p4 data.gz", "pigz -n -k -f data"),
        writes_output("lbzip2", "lbzip2", "lbzip2 -1 -c -n4 data"),
        writes_output("lbzip2 -d", "lbzip2", "lbzip2 -d -c -n4 data.bz2", "lbzip2 -1 -k -f data"),
        writes_output("xz -T4", "xz-utils", "xz -c -1 -T4 --block-size=65536 data"),
        writes_output("xz -d -T4", "xz-utils", "xz -d -c -T4 data.xz",
                      "xz -k -f -1 -T4 --block-size=65536 data"),
        writes_output("zstd -T4", "zstd", "zstd -q -c -T4 data"),
        writes_output("zstd -d -T4", "zstd", "zstd -q -d -c -T4 data.zst", "zstd -q -k -f data"),
        writes_output("sort --parallel=4", "coreutils", "sort --parallel=4 -S 64M lines"),
        writes_output("python3", "python3", "/usr/bin/python3 threads.py"),
        serves("memcached", "memcached PORT 4 50",
               f"memcached -u {getpass.getuser()} -A -l 127.0.0.1 -p PORT -U 0 -t 4"),
        # From four clients on that wait for an answer at once, redis gives some to its threads for
        # input and output and waits for them in a loop without any call: see docs/limits.md.
        serves("redis-server", "redis PORT 3 50",
               "redis-server --bind 127.0.0.1 --port PORT --save '' --appendonly no --io-threads 2"),
    ]
