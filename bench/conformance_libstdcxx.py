"""libstdc++'s tests of threads and atomics: single files, with the options that their own first lines name."""
import re
import shutil
import subprocess

from conformance_suite import NotBuilt, Suite, compile_program
from debian_sources import CannotBuild, fetch, must

FOLDERS = ("30_threads", "29_atomics")
DIRECTIVE = re.compile(r"\{ dg-(do|options|additional-options|require-effective-target) (.*)\}")
SHARED = ("testsuite_hooks", "testsuite_allocator")

# Of the machines that options are meant for, those that this is not one of.
NOT_HERE = re.compile(r"ia32|simulator|darwin|mingw|solaris|powerpc|hpux|arm")
DEFAULT_STANDARD = 17


class Libstdcxx(Suite):
    name = "libstdcxx"

    def __init__(self, cache):
        super().__init__(cache)
        self.library = self.built / "libtestsuite.a"

    def is_prepared(self):
        return self.library.exists()

    def prepare(self):
        self.compiler = shutil.which("g++-12") or "g++"
        pattern = "gcc-12.*/libstdc++-v3/testsuite"
        sources = self.cache / "sources"
        if not list(sources.glob(pattern)):
            self.unpack(fetch("gcc-12", sources, unpack=False))
        found = list(sources.glob(pattern))
        if not found:
            raise CannotBuild("the source of gcc-12 has no libstdc++-v3/testsuite")
        self.source = found[0]
        if not self.is_prepared():
            self.build_shared()

    def unpack(self, archive):
        """Only the tests, out of an archive in the archive."""
        self.log(f"unpacking the tests of {archive.name}")
        names = must(["tar", "tf", archive], archive.parent, "tar").splitlines()
        inner = next(name for name in names if re.search(r"/gcc-[\d.]+.*\.tar", name))
        parts = [f"*/libstdc++-v3/testsuite/{folder}" for folder in (*FOLDERS, "util")]
        with subprocess.Popen(["tar", "xOf", archive, inner], stdout=subprocess.PIPE) as outer:
            subprocess.run(["tar", "xJ", "--wildcards", *parts], stdin=outer.stdout, cwd=archive.parent, check=True)

    def build_shared(self):
        for name in SHARED:
            why = compile_program([self.compiler, "-O2", "-g", "-w", f"-I{self.source}/util", "-c",
                                   self.source / f"util/{name}.cc", "-o", self.built / f"{name}.o"])
            if why is not None:
                raise CannotBuild(f"libstdc++'s util/{name}.cc does not compile: {why}")
        must(["ar", "rcs", self.library, *(self.built / f"{name}.o" for name in SHARED)], self.built, "ar")

    def find_tests(self):
        files = [file for folder in FOLDERS for file in (self.source / folder).rglob("*.cc")]
        return sorted(str(file.relative_to(self.source)) for file in files
                      if "dg-do run" in file.read_text(errors="replace"))

    @staticmethod
    def options(text):
        """What DejaGnu would pass to the compiler."""
        options, standard = [], DEFAULT_STANDARD
        for kind, rest in DIRECTIVE.findall(text.replace("c++2a", "c++20")):
            quoted, target = re.match(r'\s*(?:"([^"]*)")?(.*)', rest).groups()
            if kind in ("options", "additional-options"):
                options += [] if NOT_HERE.search(target) else quoted.split()
            elif "_only" in target:
                standard = max(int(year) for year in re.findall(r"c\+\+(\d\d)_only", target))
            else:
                standard = max([standard, *(int(year) for year in re.findall(r"c\+\+(\d\d)", target))])
        return options if any(option.startswith("-std=") for option in options) else [
            f"-std=gnu++{standard}", *options]

    def command(self, test):
        source = self.source / test
        program = self.built / test.replace("/", "-").removesuffix(".cc")
        options = self.options(source.read_text(errors="replace"))
        if "-static" in options:
            raise NotBuilt("wants to be linked statically")
        self.compile_once(program, [self.compiler, "-g", "-O2", "-w", f"-I{self.source}/util", *options, source,
                                    self.library, "-pthread", "-latomic", "-o", program])
        return [str(program)]
