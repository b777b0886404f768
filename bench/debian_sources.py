"""Source packages of Debian, fetched into a folder of the benchmark's own."""
import pathlib
import subprocess

# A list of its own: the machine's need not name sources, and is left alone.
SOURCE_LINE = ("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
               "http://deb.debian.org/debian bookworm main\n")


class CannotBuild(Exception):
    pass


def must(command, folder, what, environment=None):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", env=environment)
    if done.returncode != 0:
        raise CannotBuild(f"{what}: {(done.stdout + done.stderr).strip()[-400:]}")
    return done.stdout


def apt_get(folder, *arguments):
    lists, line = folder / "lists", folder / "sources.list"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    line.write_text(SOURCE_LINE)
    must(["apt-get", "-q", "-o", f"Dir::Etc::sourcelist={line}",
          "-o", "Dir::Etc::sourceparts=/dev/null", "-o", f"Dir::State::lists={lists}",
          "-o", f"Dir::Cache={folder}", *arguments], folder, f"apt-get {arguments[0]}")


def fetch(package, folder, unpack=True):
    """The folder of its source, as Debian has patched it, or the archives as they are."""
    def found():
        if unpack:
            return [path for path in folder.glob(f"{package}-[0-9]*") if path.is_dir()]
        return list(folder.glob(f"{package}_*.orig.tar.*"))
    folder.mkdir(parents=True, exist_ok=True)
    if not found():
        apt_get(folder, "update")
        apt_get(folder, "source", *([] if unpack else ["--download-only"]), package)
    if not found():
        raise CannotBuild(f"apt-get source {package} left nothing in {folder}")
    return pathlib.Path(found()[0])
