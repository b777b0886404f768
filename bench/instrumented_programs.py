"""What `instrumented` runs: programs of Debian 12, built from its sources with hooks."""
import dataclasses
import pathlib
import random
import shutil

from debian_sources import fetch, must

BENCH = pathlib.Path(__file__).resolve().parent
COMPILERS = BENCH.parent / "bin"
SOURCES = BENCH / "sources"  # what was fetched is kept for the next time

# How a user would: with our compilers, and as GCC builds for ThreadSanitizer.
BUILDS = {
    "unravel-cc": {"cc": COMPILERS / "unravel-cc", "cxx": COMPILERS / "unravel-c++",
                   "flags": "-g -O1"},
    "GCC's TSan": {"cc": "gcc", "cxx": "g++", "flags": "-fsanitize=thread -g -O1"},
}

MADE = {
    "pbzip2": "make -j2 pbzip2 CXX={cxx} CXXFLAGS={flags}",
    "libzstd": "make -j2 -C programs zstd-release CC={cc} CFLAGS={flags} "
               "HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0",
}
EXECUTABLES = {"pbzip2": "pbzip2", "libzstd": "programs/zstd"}


@dataclasses.dataclass
class Program:
    name: str
    package: str  # of Debian's sources
    arguments: str
    prepare: str = ""  # arguments with which it makes its own input
    server: bool = False

    def command_in(self, folder):
        return [str(folder / EXECUTABLES[self.package]), *self.arguments.split()]


# zstd gives a thread no less than 512 KiB, and each byte of it may be a point: the file for it is one
# that it has little to do with.
PROGRAMS = [
    Program("pbzip2", "pbzip2", "-c -p4 -b1 digits"),
    Program("pbzip2 -d", "pbzip2", "-d -c -p4 digits.bz2", "-k -f -b1 digits"),
    Program("zstd", "libzstd", "-q -c -1 --no-check -T4 -B512KiB repeats"),
    Program("zstd -d", "libzstd", "-q -d -c -T4 repeats.zst", "-q -k -f repeats"),
]


def make_files():
    chance = random.Random(1)
    pathlib.Path("digits").write_bytes(bytes(chance.choices(b"0123456789abcdef", k=2_200_000)))
    block = bytearray(chance.choices(b"0123456789abcdef", k=16384))
    with open("repeats", "wb") as file:
        for _ in range(100):
            block[chance.randrange(len(block))] = chance.randrange(256)
            file.write(block)


def build(package, how):
    """Always anew: the compilers may have changed. The folder in which it was built."""
    source = fetch(package, SOURCES)
    folder = pathlib.Path.cwd() / f"{package}-{how.replace(' ', '-')}"
    if not folder.exists():
        shutil.copytree(source, folder)
        words = MADE[package].split()
        must([word.format(**BUILDS[how]) for word in words], folder, " ".join(words))
    return folder
