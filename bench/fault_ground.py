"""Where faults are tried: folders that must stay as they are around a store, and processes that must go away."""
import ctypes
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

# Only against hanging for ever: a loaded machine takes its time.
MOST_SECONDS = 180
SECONDS_TO_VANISH = 60

# More than any command needs, with the ranges that it reserves for each worker; less than the sparse files of a damaged
# store, and than what would bring the machine to a halt.
MOST_ADDRESS_SPACE = 10 << 30
SPARSE_BYTES = 64 << 30

PR_SET_CHILD_SUBREAPER = 36

# Two threads lose an update; what a run writes and whom it leaves behind must not be seen outside of it.
FAILS = """
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
int counter;
static void leave_behind(void) {
  close(open("written", O_CREAT | O_WRONLY, 0644));
  close(open(IN_TMP, O_CREAT | O_WRONLY, 0644));
  if (fork() != 0) return;
  setsid();
  for (;;) pause();
}
static void* add(void* unused) {
  counter++;
  return unused;
}
int main(int argc, char** argv) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  if (argc > 1 && strcmp(argv[1], "leave") == 0) leave_behind();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(argc > 2 || counter == 2);
}
"""


def become_subreaper():
    """Whoever loses its parent becomes a child of this process, so that nobody gets away."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("PR_SET_CHILD_SUBREAPER was refused")


def children_of(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:
        pass  # it has just ended
    return found


def descendants_of(pid):
    found = []
    for child in children_of(pid):
        found += [child, *descendants_of(child)]
    return found


def command_line(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def reap():
    """What has ended and is nobody else's."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def kill_descendant(pid, ancestor):
    """Whether it was one, and is killed. A number that has come to mean somebody else is left alone."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        if pid != ancestor and pid not in descendants_of(ancestor):
            return False
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False
    finally:
        os.close(descriptor)


def end_strays(seconds=SECONDS_TO_VANISH):
    """Command lines of the processes that did not go away by themselves; they are killed."""
    give_up = time.monotonic() + seconds
    while True:
        reap()
        left = descendants_of(os.getpid())
        if not left or time.monotonic() > give_up:
            break
        time.sleep(0.01)
    strays = [f"{name_of(pid)} ({command_line(pid).strip()})" for pid in left]
    for pid in left:
        kill_descendant(pid, os.getpid())
    return strays


def describe(path):
    """What must not change of a file."""
    status = os.lstat(path)
    content = ""
    if stat.S_ISREG(status.st_mode):
        content = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    elif stat.S_ISLNK(status.st_mode):
        content = os.readlink(path)
    return (status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns, content)


@dataclass
class Ended:
    """A command that has ended."""
    arguments: list
    status: int | None  # negative: a signal; None: it hung and was killed
    out: bytes
    err: bytes
    megabytes: float
    problems: list = field(default_factory=list)

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            return {}


class Ground:
    """A working directory with a store, among folders that nothing may touch."""

    def __init__(self, unravel):
        self.unravel = str(unravel)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="unravel-faults-"))
        self.template = self.folder / "template"
        self.work = self.folder / "work"
        self.store = self.work / ".unravel"
        self.guarded = [self.folder / name for name in ("work", "home", "temporary", "elsewhere", "programs")]
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("UNRAVEL_")}
        self.environment |= {"HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "temporary")}
        for folder in self.guarded:
            folder.mkdir()
            (folder / "below").mkdir()
            for name in ("precious", "below/precious"):
                (folder / name).write_text(f"{folder.name} {name}\n")
        self.program = self.folder / "programs" / "fails"
        source = self.program.with_suffix(".c")
        source.write_text(FAILS)
        self.in_tmp = pathlib.Path("/tmp", self.folder.name + "-written")
        subprocess.run(["gcc", "-g", "-O1", "-fsanitize=thread", "-pthread", f'-DIN_TMP="{self.in_tmp}"', source, "-o",
                        self.program], check=True)
        self.runs = []
        self.fill_store()
        self.before = self.manifest()

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def fill_store(self):
        """A failure with all that is kept of it, and a run that passed."""
        for arguments in (["hunt", "--seed", "1", "--runs", "500", "--", str(self.program)],
                          ["run", "--rule", "stay", "--", str(self.program)]):
            ended = self.command(*arguments)
            if ended.status not in (0, 1) or ended.problems:
                raise SystemExit(f"faults: the store cannot be made: {ended.problems}\n{ended.err.decode()}")
        self.runs = [run["run"] for run in self.command("list", "--json").json()["runs"]]
        shutil.copytree(self.store, self.template, symlinks=True)

    def restore(self, all_of_it=False):
        """The store as it was; and, if something may have been written there, its directory."""
        if all_of_it:
            shutil.rmtree(self.work, ignore_errors=True)
            (self.work / "below").mkdir(parents=True)
            for name in ("precious", "below/precious"):
                (self.work / name).write_text(f"work {name}\n")
        if self.store.is_symlink() or self.store.is_file():
            self.store.unlink()
        shutil.rmtree(self.store, ignore_errors=True)
        shutil.copytree(self.template, self.store, symlinks=True)
        # A store that is made again changes the time of the directory that it is in.
        self.before = self.manifest()

    def manifest(self):
        found = {}
        for top in self.guarded:
            for folder, folders, files in os.walk(top):
                if pathlib.Path(folder) == self.work and self.store.name in folders:
                    folders.remove(self.store.name)
                for name in (".", *folders, *files):
                    path = os.path.normpath(os.path.join(folder, name))
                    if path != str(self.store):
                        found[path] = describe(path)
        return found

    def changes(self, but=None):
        """Paths outside of the store that are not as they were."""
        now = self.manifest()
        paths = sorted(path for path in {*self.before, *now} if self.before.get(path) != now.get(path))
        return [path for path in paths if not (but and pathlib.Path(path).is_relative_to(but))]

    def start(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
        output = [tempfile.TemporaryFile(), tempfile.TemporaryFile()]
        process = subprocess.Popen([self.unravel, *arguments], cwd=self.work, env=self.environment, preexec_fn=limit,
                                   stdin=subprocess.DEVNULL, stdout=output[0], stderr=output[1])
        return process, output

    def finish(self, process, output, seconds=MOST_SECONDS):
        give_up = time.monotonic() + seconds
        hung = False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > give_up and not hung:
                hung = True
                process.kill()
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in output:
            file.seek(0)
            texts.append(file.read())
            file.close()
        ended = Ended(process.args[1:], None if hung else process.returncode, *texts, usage.ru_maxrss / 1024)
        ended.problems = self.problems_of(ended)
        return ended

    def command(self, *arguments):
        return self.finish(*self.start(*arguments))

    def problems_of(self, ended):
        """What no command may do, whatever it is given."""
        problems = []
        if ended.status is None:
            problems.append(f"hang: it did not end within {MOST_SECONDS} s")
        elif ended.status < 0:
            problems.append(f"crash: it ended by {signal.Signals(-ended.status).name}")
        elif ended.status == 3:
            problems.append("own fault: exit status 3")
        elif ended.status not in (0, 1, 2):
            problems.append(f"exit status {ended.status}")
        if ended.status == 2 and not ended.err and not ended.out:
            problems.append("silent: exit status 2 without a word")
        return problems

    def aftermath(self, but=None):
        """What must not be left after a command."""
        problems = [f"stray: {stray}" for stray in end_strays()]
        problems += [f"touched: {path}" for path in self.changes(but)]
        if self.in_tmp.exists():
            self.in_tmp.unlink()
            problems.append(f"touched: {self.in_tmp}")
        return problems
