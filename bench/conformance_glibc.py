"""glibc's own tests of threads and timers, compiled against the glibc that is installed.

A few headers of its source tree that need nothing of its insides are lent to the tests, and what its tests
share (its folder `support`) becomes a library. What needs more is not built, and the reason is told.
"""
import re
import shlex

from conformance_suite import Suite, compile_program
from debian_sources import CannotBuild, fetch, must

FOLDERS = ("nptl", "sysdeps/pthread", "rt")

# Each only includes public headers or others of these.
HEADERS = {
    "test-skeleton.c": "test-skeleton.c", "support": "support", "nptl": "nptl", "sysdeps": "sysdeps", "posix": "posix",
    "array_length.h": "include/array_length.h", "intprops.h": "include/intprops.h",
    "libc-diag.h": "include/libc-diag.h", "libc-pointer-arith.h": "include/libc-pointer-arith.h",
    "scratch_buffer.h": "include/scratch_buffer.h", "stackinfo.h": "sysdeps/x86_64/stackinfo.h",
    "tst-stack-align.h": "sysdeps/x86_64/tst-stack-align.h",
    "tst-skeleton-thread-affinity.c": "sysdeps/unix/sysv/linux/tst-skeleton-thread-affinity.c",
    "tst-skeleton-affinity.c": "sysdeps/unix/sysv/linux/tst-skeleton-affinity.c",
    "malloc/dynarray.h": "malloc/dynarray.h", "malloc/dynarray-skeleton.c": "malloc/dynarray-skeleton.c",
}

# What glibc's build defines for all of its files, as far as tests need it.
DEFINITIONS = """\
#include <limits.h>
#define libc_hidden_proto(...)
#define libc_hidden_def(...)
#define attribute_hidden
#define TIMEOUTFACTOR 1
"""

PATHS = ("SRCDIR", "OBJDIR", "OBJDIR_ELF_LDSO", "INSTDIR", "LIBDIR", "BINDIR", "SBINDIR", "SLIBDIR", "ROOTSBINDIR",
         "COMPLOCALEDIR")
NOT_SUPPORT = re.compile(r"tst-|test-|links-dso|README|resolv_|.*-container|.*time64|.*_main$")


class Glibc(Suite):
    name = "glibc"

    def __init__(self, cache):
        super().__init__(cache)
        self.include = self.built / "include"
        self.library = self.built / "libsupport.a"

    def is_prepared(self):
        return self.library.exists()

    def prepare(self):
        self.source = fetch("glibc", self.cache / "sources")
        for name, path in HEADERS.items():
            link = self.include / name
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(self.source / path)
        (self.include / "config.h").touch()
        (self.include / "definitions.h").write_text(DEFINITIONS)
        makefiles = [(self.source / folder / "Makefile").read_text() for folder in FOLDERS]
        self.settings = dict(re.findall(r"^((?:CFLAGS-)?[\w.-]+?(?:-ARGS)?) \+?=((?:.*\\\n)*.*)", "\n".join(makefiles),
                                        re.MULTILINE))
        if not self.is_prepared():
            self.build_support()

    def flags(self):
        return ["-O2", "-g", "-w", "-D_GNU_SOURCE", "-include", str(self.include / "definitions.h"),
                f"-I{self.include}", *(f"-I{self.source / folder}" for folder in (*FOLDERS, "support"))]

    def build_support(self):
        """Of all files those that compile: which tests need the others, the linker says."""
        objects = self.built / "support"
        objects.mkdir(exist_ok=True)
        paths = [f'-D{name}_PATH="/nowhere"' for name in PATHS]
        files = [file for file in sorted((self.source / "support").glob("*.c")) if not NOT_SUPPORT.match(file.stem)]
        files += [self.source / "support/support_test_main.c"]
        files += sorted((self.source / "malloc").glob("dynarray_*.c")) + sorted(
            (self.source / "malloc").glob("scratch_buffer_*.c"))
        self.log(f"compiling {len(files)} files of support")
        made = [objects / f"{file.stem}.o" for file in files
                if compile_program(["gcc", "-std=gnu11", *self.flags(), *paths, "-c", file, "-o",
                                    objects / f"{file.stem}.o"]) is None]
        if not any(file.stem == "support_test_main" for file in made):
            raise CannotBuild("glibc's support/support_test_main.c does not compile")
        must(["ar", "rcs", self.library, *made], self.built, "ar")

    def find_tests(self):
        """Names as in the source tree. No modules, and no parts that tests include."""
        no_test = re.compile(r".*(-static|mod\d*[a-z]?|aux|time64|-common|-cleanup|-fail-with|printers)$")
        files = [file for folder in FOLDERS for pattern in ("tst-*.c", "tst-*.cc", "test-*.c")
                 for file in (self.source / folder).glob(pattern)]
        return sorted(str(file.relative_to(self.source)) for file in files if not no_test.match(file.stem))

    def setting(self, name, program):
        """What the Makefile says, or nothing where that needs the build tree."""
        text = self.settings.get(name, "").replace("\\\n", " ").replace("$(host-test-program-cmd)", str(program))
        text = text.replace("$(objpfx)", "")
        return [] if "$" in text else shlex.split(text)

    def command(self, test):
        source = self.source / test
        program = self.built / test.replace("/", "-").rpartition(".")[0]
        is_cpp = source.suffix == ".cc"
        line = ["g++" if is_cpp else "gcc", "-std=gnu++17" if is_cpp else "-std=gnu11", *self.flags(),
                *self.setting(f"CFLAGS-{source.name}", program), source, "-o", program, "-pthread", "-rdynamic",
                self.library, "-lrt", "-ldl", "-lm"]
        self.compile_once(program, line)
        arguments = self.setting(f"{source.stem}-ARGS", program)
        # Its driver forks for the sake of a time limit unless it is told not to; then no child would be controlled.
        is_driven = b"support_test_main" in program.read_bytes()
        return [str(program), *(["--direct"] if is_driven else []), *arguments]
