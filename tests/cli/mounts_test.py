#!/usr/bin/env python3
"""The sandbox is there whatever is mounted where, also in a chroot; mounts stay in their places."""
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import unittest

from support import LOST_UPDATE, UNRAVEL, CommandTest, program

TRY = program("try_paths")
IS_ROOT = os.geteuid() == 0
# As root the real thing; else root of a user namespace, who may mount as well.
ENTER = ["unshare", *([] if IS_ROOT else ["--user", "--map-root-user"]), "--mount",
         "--propagation", "private"]
CAN_MOUNT = subprocess.run([*ENTER, "true"], capture_output=True).returncode == 0
SEARCH = "run --json --rule stay --runs 3"
NOBODY = 65534
RUNTIME = str(pathlib.Path(UNRAVEL).resolve().parent.parent / "lib/unravel/libunravel-rt.so")


@unittest.skipUnless(CAN_MOUNT, "mounting is refused here")
class MountTest(CommandTest):
    """Everything is mounted in a namespace of each test's own and vanishes with it."""

    def setUp(self):
        super().setUp()
        # The test's own folder is the working directory; this one is below /tmp for sure.
        self.below = pathlib.Path(tempfile.mkdtemp(prefix="unravel-mounts-", dir="/tmp"))
        self.name = self.below.name + "-new"  # of a file that is nowhere

    def tearDown(self):
        shutil.rmtree(self.below, ignore_errors=True)
        super().tearDown()

    def shell(self, script, **variables):
        """Standard output, error and status of a script that may mount."""
        return self.finish(subprocess.Popen(
            [*ENTER, "sh", "-euc", script], cwd=self.folder,
            env=self.environment | {"UNRAVEL": UNRAVEL, "TRY": TRY, "BELOW": str(self.below),
                                    "NAME": self.name,
                                    "FOLDER": str(self.folder), **variables},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))

    def check_isolated(self, done):
        """Three runs passed, each as if it were the first, and there is nothing to warn of."""
        self.check(done, 0)
        self.assertNotIn("warning", done.err, f"\n{done}")
        self.assertEqual(done.json()["outcome"], "passed", f"\n{done}")

    def try_paths(self, *paths, run="", search=SEARCH):
        return f'{run} "$UNRAVEL" {search} -- "$TRY" {shlex.join(paths)}\n'


class Mounts(MountTest):
    def test_a_mount_below_tmp_is_seen_and_its_files_are_kept_apart(self):
        done = self.shell(
            'mount -t tmpfs none "$BELOW"; echo old > "$BELOW/old"\n' +
            self.try_paths(f"old:{self.below}/old", f"new:{self.below}/new",
                           f"new:/tmp/{self.name}") +
            'test ! -e "$BELOW/new" && test ! -e "/tmp/$NAME"')

        self.check_isolated(done)

    def test_what_no_overlay_can_be_put_over_stays_in_its_place(self):
        done = self.shell(
            'mount -t tmpfs none "$BELOW"; mkdir "$BELOW/proc" "$BELOW/sys" "$BELOW/pts"\n'
            'touch "$BELOW/file"; echo old > old\n'
            'mount --bind /proc "$BELOW/proc"; mount --rbind /sys "$BELOW/sys"\n'
            'mount --bind old "$BELOW/file"; mount -t devpts none "$BELOW/pts"\n' +
            self.try_paths(f"old:{self.below}/proc/version", f"old:{self.below}/sys/kernel",
                           f"old:{self.below}/file", f"old:{self.below}/pts",
                           f"new:{self.below}/new", f"new:/tmp/{self.name}", "new:new"))

        self.check_isolated(done)

    def test_the_whole_file_system_may_be_mounted_below_tmp(self):
        # In a user namespace it comes with mounts that are locked to it and cannot be kept apart.
        new = [f"new:{self.below}/var/tmp/{self.name}"] if IS_ROOT else []
        done = self.shell(
            'mount --rbind / "$BELOW"\n' +
            self.try_paths(f"old:{self.below}/proc/version", f"old:{self.below}/etc/passwd", *new) +
            'test ! -e "/var/tmp/$NAME"')

        self.check_isolated(done)

    def test_names_with_spaces_and_newlines_are_mount_points_like_others(self):
        names = ["with space", "with\nnewline", "with\\backslash", "with\ttab", "back\\040slash"]
        script = ""
        paths = []
        for name in names:
            path = self.below / name
            script += (f"mkdir {shlex.quote(str(path))}\n"
                       f"mount -t tmpfs none {shlex.quote(str(path))}\n"
                       f"echo old > {shlex.quote(str(path))}/old\n")
            paths += [f"old:{path}/old", f"new:{path}/new"]

        self.check_isolated(self.shell(script + self.try_paths(*paths)))

    def test_mounts_on_top_of_each_other_show_the_last(self):
        done = self.shell(
            'mount -t tmpfs none "$BELOW"; mkdir "$BELOW/hidden"\n'
            'mount -t tmpfs none "$BELOW/hidden"\n'
            'mount -t tmpfs none "$BELOW"; echo old > "$BELOW/last"\n'
            'mkdir "$BELOW/proc"; mount -t tmpfs none "$BELOW/proc"\n'
            'mount --bind /proc "$BELOW/proc"\n' +
            self.try_paths(f"old:{self.below}/last", f"new:{self.below}/hidden",
                           f"old:{self.below}/proc/version"))

        self.check_isolated(done)

    def test_a_read_only_mount_stays_read_only(self):
        done = self.shell(
            'mount -t tmpfs none "$BELOW"; echo old > "$BELOW/old"\n'
            'mount -o remount,ro,bind "$BELOW"\n' +
            self.try_paths(f"old:{self.below}/old", f"read-only:{self.below}/new"))

        self.check_isolated(done)

    def test_the_working_directory_may_have_mounts_below_it_or_be_one(self):
        done = self.shell(
            'mkdir work; mount -t tmpfs none work; cd work; mkdir proc data\n'
            'mount --bind /proc proc; mount -t tmpfs none data; echo old > data/old\n' +
            self.try_paths("old:proc/version", "old:data/old", "new:data/new", "new:new",
                           search=SEARCH + ' --store "$FOLDER/store"') +
            'test ! -e data/new && test ! -e new')

        self.check_isolated(done)

    def test_what_the_start_and_the_runs_wrote_below_a_mount_can_be_kept(self):
        done = self.shell(
            'mount -t tmpfs none "$BELOW"; mkdir "$BELOW/proc"; mount --bind /proc "$BELOW/proc"\n' +
            self.try_paths(f"new:{self.below}/new", "old:/tmp/there is no such file",
                           search="run --rule stay --keep-files kept"))

        self.check(done, 1, "kept 1 file of the run in kept")
        kept = self.folder / "kept" / self.below.relative_to("/") / "new"
        self.assertEqual(kept.read_text(), "new\n")

    @unittest.skipUnless(IS_ROOT, "only root can become another user")
    def test_an_ordinary_user_has_everything_but_what_cannot_be_had(self):
        os.chmod(self.folder, 0o755)
        for name, owner in (("work", NOBODY), ("store", NOBODY)):
            (self.folder / name).mkdir()
            os.chown(self.folder / name, owner, owner)
        done = self.shell(
            'mount -t tmpfs none "$BELOW"; cd work\n' +
            self.try_paths("new:new", f"new:/dev/shm/{self.name}",
                           run=f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups",
                           search=SEARCH + ' --store "$FOLDER/store"'))

        self.check(done, 0, "runs are only partly sandboxed: cannot mount over /tmp: ")
        self.assertEqual(done.err.count("only partly sandboxed"), 1, f"\n{done}")
        self.assertEqual(done.json()["outcome"], "passed", f"\n{done}")
        self.assertEqual(list((self.folder / "work").iterdir()), [])

    @unittest.skipUnless(IS_ROOT, "only root can become another user")
    def test_an_ordinary_user_without_mounts_below_tmp_has_everything(self):
        os.chmod(self.folder, 0o755)
        (self.folder / "store").mkdir()
        os.chown(self.folder / "store", NOBODY, NOBODY)
        # Others may have mounts below /tmp just now; here they are gone.
        done = self.shell(
            "mkdir work; chown 65534:65534 work; cd work\n"
            "for point in $(awk '$5 ~ \"^/tmp/\" {print $5}' /proc/self/mountinfo); do\n"
            "  umount -l \"$point\"\n"
            "done\n" +
            self.try_paths("new:new", f"new:/tmp/{self.name}",
                           f"new:/dev/shm/{self.name}",
                           run=f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups",
                           search=SEARCH + ' --store "$FOLDER/store"'))

        self.check_isolated(done)


# Everything that the real root directory has, each mounted from there.
POPULATE = """
for entry in /*; do
  if test -L "$entry"; then cp -P "$entry" root/; continue; fi
  if ! test -d "$entry"; then continue; fi
  mkdir "root$entry"
  if test "$entry" != /proc || test "$PROC" = mounted; then mount --rbind "$entry" "root$entry"; fi
done
if test "$PROC" = missing; then rmdir root/proc; fi
"""


class Chroot(MountTest):
    """As in sbuild, schroot and mock."""

    def in_chroot(self, root, *paths, proc="mounted", run="", search=SEARCH, command=None,
                  folder='"$FOLDER"'):
        tried = command or self.try_paths(*paths, run=run, search=search)
        return self.shell(root + "\nchroot root sh -euc " +
                          shlex.quote(f"cd {folder}\n" + tried), PROC=proc,
                          UNRAVEL_RUNTIME=RUNTIME)

    def new_paths(self):
        return "new:new", f"new:/tmp/{self.name}", f"new:/dev/shm/{self.name}", "old:/proc/version"

    def check_nothing_left(self):
        self.assertFalse((self.folder / "new").exists())
        self.assertFalse(pathlib.Path("/tmp", self.name).exists())

    def test_a_root_that_is_a_mount_point_is_kept(self):
        done = self.in_chroot("mkdir root; mount --rbind / root", *self.new_paths())

        self.check_isolated(done)
        self.check_nothing_left()

    def test_a_root_that_is_no_mount_point_is_kept(self):
        done = self.in_chroot("mkdir root\n" + POPULATE, *self.new_paths())

        self.check_isolated(done)
        self.check_nothing_left()

    def test_a_directory_that_is_nowhere_outside_the_root_can_be_entered(self):
        for mount in (":", "mount -t tmpfs none root"):
            with self.subTest(mount=mount):
                done = self.in_chroot(
                    f"mkdir root; {mount}\n{POPULATE}mkdir root/only root/only/here\n"
                    "echo old > root/only/old", "old:../old", "new:new", "new:/only/here/also",
                    folder="/only/here", search=SEARCH + ' --store "$FOLDER/store"')
                shutil.rmtree(self.folder / "root")

                self.check_isolated(done)

    def test_failures_are_found_explained_and_replayed(self):
        self.source("update.c", LOST_UPDATE)
        self.build("gcc", "-g", "-O1", "-fsanitize=thread", "-pthread", "update.c", "-o", "update")
        done = self.in_chroot("mkdir root; mount --rbind / root", command=(
            '"$UNRAVEL" hunt --runs 500 -- ./update && exit 9\n'
            '"$UNRAVEL" replay && exit 9\n'
            'exit 7'))

        self.check(done, 7, "update.c:6", "reproduced")
        self.assertNotIn("warning", done.err, f"\n{done}")

    def test_without_proc_runs_go_on(self):
        for proc in ("empty", "missing"):
            with self.subTest(proc=proc):
                done = self.in_chroot("mkdir root\n" + POPULATE, "old:/etc/passwd", proc=proc)
                shutil.rmtree(self.folder / "root")

                self.check(done, 0)
                self.assertLessEqual(done.err.count("warning: runs are"), 1, f"\n{done}")

    @unittest.skipUnless(IS_ROOT, "only root can become another user")
    def test_an_ordinary_user_goes_on_without_a_sandbox(self):
        os.chown(self.folder, NOBODY, NOBODY)
        done = self.in_chroot("mkdir root; mount --rbind / root", "old:/etc/passwd",
                              run=f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups",
                              search=f'{SEARCH} --store "$FOLDER/store"')

        self.check(done, 0, "runs are not sandboxed: the system refuses namespaces")
        self.assertEqual(done.err.count("not sandboxed"), 1, f"\n{done}")


if __name__ == "__main__":
    unittest.main()
