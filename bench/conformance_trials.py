"""One test of a suite: natively, then under control by several schedules, and what that makes of it."""
import dataclasses
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

from conformance_suite import NotBuilt

NATIVE_SECONDS = 120
# The limit of one run: of processor time, or of time in which nobody does anything. Most tests need far less than the
# least of it. Some tests of locks make millions of points in a hundred threads and take 13 s of processor time natively;
# a point costs 50 ns and a switch 2.5 us, so they need a multiple of that. A test that does not end within the most
# would take too long under six schedules.
LEAST_RUN_SECONDS, MOST_RUN_SECONDS = 20, 120
TIMES_NATIVE = 100
# Of the command, which also replays a failure three times: wall time on a machine that may be crowded.
COMMAND_SECONDS = 1800

PASSED, SINGLE, UNRESOLVED, TIMED, FAILED, FAULT, HANG = (
    "passed", "no second thread", "unresolved", "assumes timing", "false failure", "own fault", "hang")
NOT_BUILT, NOT_NATIVE = "not built", "fails natively"
SINGLE_REASONS = ("no-second-thread", "children")
WORST_LAST = (SINGLE, PASSED, UNRESOLVED, TIMED, FAILED, FAULT, HANG)


@dataclasses.dataclass
class Plan:
    unravel: pathlib.Path
    kept: pathlib.Path  # where the output of what did not pass goes
    native_runs: int
    seeds: int

    def schedules(self):
        return [("--rule", "stay"), *(("--rule", "random", "--seed", str(seed)) for seed in range(1, self.seeds + 1))]


def run_seconds(native_processor):
    return round(min(max(LEAST_RUN_SECONDS, TIMES_NATIVE * native_processor), MOST_RUN_SECONDS))


def wait_for(process, seconds):
    """Exit status and seconds of processor time, with those of children that it waited for; None: it did not end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used.ru_utime + used.ru_stime
        time.sleep(0.01)
    return None, 0.0


def run_in_new_folder(line, environment, seconds, use):
    """Runs it in an empty folder and a session of its own: tests signal their process group. What it wrote goes to
    files, since a process that it leaves behind would keep a pipe open. `use` gets exit status (None: it did not end),
    processor time and both outputs, while the folder is still there."""
    with tempfile.TemporaryDirectory(prefix="unravel-conformance-", ignore_cleanup_errors=True) as place:
        folder = pathlib.Path(place) / "work"
        folder.mkdir()
        outputs = [pathlib.Path(place) / name for name in ("stdout", "stderr")]
        with outputs[0].open("wb") as out, outputs[1].open("wb") as err:
            process = subprocess.Popen(line, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       env={**os.environ, **environment}, start_new_session=True)
            status, processor = wait_for(process, seconds)
            # What it has left in its session; with the status taken, its number is free for others.
            if status is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return use(status, processor, *outputs)


class Examiner:
    def __init__(self, suite, plan, native):
        self.suite, self.plan, self.native = suite, plan, native

    def passes_natively(self, test, command):
        """Whether all runs passed, or None if one did not end, which may be the load's fault."""
        if test in self.native:
            return self.native[test]["passes"]
        most = 0.0
        for _ in range(self.plan.native_runs):
            status, used = run_in_new_folder(command, self.suite.environment, NATIVE_SECONDS,
                                             lambda status, used, *_: (status, used))
            if status is None:
                return None
            most = max(most, used)
            if status != 0:
                break
        self.native[test] = {"passes": status == 0, "processor": round(most, 2)}
        return status == 0

    def run(self, test, command, schedule):
        """One schedule. If it fails, and does not when no timed wait ends while a thread can run, the test takes for
        granted that others have got on when its sleep is over: it can fail natively, on a machine that is busy enough."""
        row = self.run_once(test, command, schedule)
        if row["verdict"] == FAILED or row["reason"] == "not-reproduced":
            patient = self.run_once(test, command, (*schedule, "--timeouts", "idle"))
            if patient["verdict"] == PASSED:
                row["verdict"] = TIMED
        return row

    def run_once(self, test, command, schedule):
        begun = time.monotonic()
        store = tempfile.mkdtemp(prefix="unravel-conformance-store-")
        limit = run_seconds(self.native[test]["processor"])
        line = [str(self.plan.unravel), "run", "--json", "--store", store, "--timeout", f"{limit}s", "--skip-status",
                str(self.suite.skip_status), *schedule, "--", *command]
        try:
            row = run_in_new_folder(line, self.suite.environment, COMMAND_SECONDS, self.read_answer)
        finally:
            shutil.rmtree(store, ignore_errors=True)
        row["schedule"], row["seconds"] = " ".join(schedule), round(time.monotonic() - begun, 1)
        if row["verdict"] not in (PASSED, SINGLE):
            self.keep(test, row, line)
        row.pop("stderr", None)
        return row

    @staticmethod
    def read_answer(status, _, out, err):
        said = err.read_text(errors="replace")[-20000:]
        try:
            answer = json.loads(out.read_text(errors="replace"))
        except json.JSONDecodeError:
            answer = {}
        failure, error = answer.get("failure") or {}, answer.get("error") or {}
        row = {"outcome": answer.get("outcome", "none"), "threads": answer.get("threads", 0), "status": status,
               "steps": answer.get("steps", 0), "stderr": said}
        row["why"] = (failure.get("key") or error.get("what") or answer.get("explanation") or
                      (said.strip().splitlines() or [""])[-1])
        row["detail"] = failure.get("detail") or error.get("why") or answer.get("explanation") or ""
        row["reason"] = answer.get("reason") or failure.get("kind") or ""
        if status is None:
            row["verdict"], row["why"] = HANG, f"unravel did not end within {COMMAND_SECONDS} s"
        elif status == 2 and error:  # it says why it cannot run such a program
            row["verdict"], row["reason"] = UNRESOLVED, "refused"
        elif status == 3 or status < 0 or row["outcome"] in ("error", "none", "diverged"):
            row["verdict"] = FAULT
        elif row["outcome"] == "failed":
            row["verdict"] = FAILED
        elif row["reason"] in SINGLE_REASONS and row["threads"] <= 1:
            row["verdict"] = SINGLE
        else:
            row["verdict"] = PASSED if row["outcome"] == "passed" else UNRESOLVED
        return row

    def keep(self, test, row, line):
        """The output, for looking at later."""
        name = f"{test}-{row['schedule']}".replace("/", "-").replace(" ", "")
        file = self.plan.kept / self.suite.name / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{shlex.join(line)}\n{row['verdict']}: {row['why']}\n{row['detail']}\n\n{row['stderr']}")

    def examine(self, test):
        try:
            command = self.suite.command(test)
        except NotBuilt as error:
            return {"test": test, "verdict": NOT_BUILT, "why": str(error), "runs": []}
        row = {"test": test, "command": shlex.join(command), "runs": [], "why": ""}
        if not (passes := self.passes_natively(test, command)):
            row["verdict"], row["why"] = NOT_NATIVE, "did not end" if passes is None else ""
            return row
        row["runs"] = [self.run(test, command, schedule) for schedule in self.plan.schedules()]
        row["verdict"] = max((run["verdict"] for run in row["runs"]), key=WORST_LAST.index)
        worst = next(run for run in row["runs"] if run["verdict"] == row["verdict"])
        row["schedule"] = worst["schedule"]
        if row["verdict"] not in (PASSED, SINGLE):
            row["why"], row["reason"] = worst["why"], worst["reason"]
        return row
