"""Ways to damage a store: what a failing disk, a full one, a careless hand or somebody hostile does to it."""
import os
import pathlib
import random
import shutil
import sqlite3

from fault_ground import SPARSE_BYTES

HOSTILE_VALUES = (
    None, "", 0, -1, 2**63 - 1, -2**63, 1e308, "../../elsewhere/precious", "/etc/passwd", "..", ".", "a/b", "x" * 100_000,
    "\x1b[31mred", "\u202e", "new\nline", "'; DROP TABLE runs; --", b"", b"\xff" * 1000, "0" * 6, "1e9999", "%s%n")


def paths_in(store):
    """In an order that does not depend on the names of runs, which are others each time."""
    return sorted(store.rglob("*"), key=lambda path: (len(path.parts), path.suffix, path.lstat().st_size, path.name))


# An earlier damage may have left a file that claims to be of terabytes: it is damaged enough.
MOST_BYTES = 1 << 26


def files_of(store):
    return [path for path in paths_in(store)
            if path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_BYTES]


def some_file(store, chance):
    files = files_of(store)
    return chance.choice(files) if files else None


def flip_bytes(store, elsewhere, chance):
    if path := some_file(store, chance):
        content = bytearray(path.read_bytes())
        for _ in range(chance.choice((1, 1, 2, 8, 64, 1000)) if content else 0):
            content[chance.randrange(len(content))] = chance.randrange(256)
        path.write_bytes(content)


def truncate(store, elsewhere, chance):
    if path := some_file(store, chance):
        size = path.stat().st_size
        os.truncate(path, chance.choice((0, 1, size // 2, max(0, size - 1), chance.randrange(size + 1))))


def append(store, elsewhere, chance):
    if path := some_file(store, chance):
        with path.open("ab") as file:
            file.write(chance.randbytes(chance.choice((1, 100, 100_000))))


def overwrite(store, elsewhere, chance):
    if path := some_file(store, chance):
        path.write_bytes(chance.choice((b"", b"\0" * 4096, chance.randbytes(5000), b"\n" * 1000, b"#!/bin/sh\n")))


def delete(store, elsewhere, chance):
    paths = paths_in(store)
    if not paths:
        return
    path = chance.choice(paths)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def swap(store, elsewhere, chance):
    files = files_of(store)
    if len(files) < 2:
        return
    one, other = chance.sample(files, 2)
    contents = one.read_bytes(), other.read_bytes()
    one.write_bytes(contents[1])
    other.write_bytes(contents[0])


def replace(store, elsewhere, chance, make):
    """Something else in the place of a file or folder."""
    paths = paths_in(store) + [store / "tmp", store / "points", store / "runs" / "abc123.sched"]
    path = chance.choice(paths)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    make(path)


def make_fifo(store, elsewhere, chance):
    replace(store, elsewhere, chance, os.mkfifo)


def make_folder(store, elsewhere, chance):
    replace(store, elsewhere, chance, os.mkdir)


def make_link(store, elsewhere, chance):
    targets = (elsewhere / "precious", elsewhere / "below", elsewhere, elsewhere / "missing", "/dev/zero", "/dev/full",
               "/dev/null", "..", ".", "/proc/self/mem", "/nowhere", store)

    def link(path):
        os.symlink(chance.choice((*targets, path.name)), path)  # the last one to itself
    replace(store, elsewhere, chance, link)


def make_sparse(store, elsewhere, chance):
    if path := some_file(store, chance):
        os.truncate(path, SPARSE_BYTES)


def forbid(store, elsewhere, chance):
    paths = paths_in(store) + [store]
    os.chmod(chance.choice(paths), chance.choice((0, 0o200, 0o444, 0o777)))


def add_strangers(store, elsewhere, chance):
    """Files and folders that are not unravel's, which it must neither take for its own nor remove."""
    for name in ("tmp/mine/file", "tmp/file", "runs/notes.txt", "notes", "runs/deep/er"):
        if chance.random() < 0.5:
            path = store / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("mine\n")
            except OSError:
                pass  # something else is in that place by now


def forge_rows(store, elsewhere, chance):
    """As somebody would whose store is to do harm to others."""
    path = store / "store.db"
    if not path.is_file():
        return
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        tables = [name for name, in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = chance.choice(tables)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = chance.choice(columns)
        value = chance.choice(HOSTILE_VALUES)
        statement = chance.choice((
            (f"UPDATE {table} SET {column} = ?", (value,)),
            (f"UPDATE {table} SET {column} = ? WHERE rowid = 1", (value,)),
            (f"UPDATE {table} SET {column} = randomblob(100)", ()),
            (f"DELETE FROM {table}", ()),
            (f"DROP TABLE {table}", ()),
            (f"ALTER TABLE {table} DROP COLUMN {column}", ()),
            (f"ALTER TABLE {table} RENAME COLUMN {column} TO other", ()),
            (f"CREATE TRIGGER more AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END", ()),
            ("CREATE TABLE stranger (x)", ()),
            (f"PRAGMA user_version = {chance.choice((-1, 0, 99, 2**31 - 1))}", ()),
            (f"PRAGMA application_id = {chance.choice((0, 1, 2**31 - 1))}", ()),
            ("PRAGMA journal_mode = DELETE", ())))
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(*statement)
    except sqlite3.Error:
        pass  # the table's own rules, or earlier damage, forbid it: then the store is as it was
    finally:
        connection.close()


WAYS = {
    "bytes changed": flip_bytes, "cut off": truncate, "appended to": append, "overwritten": overwrite, "deleted": delete,
    "swapped": swap, "FIFO": make_fifo, "folder": make_folder, "link": make_link, "sparse": make_sparse,
    "mode": forbid, "strangers": add_strangers, "rows": forge_rows}


def damage(store, elsewhere, seed):
    """One to three kinds of damage; their names."""
    chance = random.Random(seed)
    # Rows and links are what somebody hostile would use.
    names = chance.choices(list(WAYS), weights=[3 if name in ("rows", "link") else 1 for name in WAYS],
                           k=chance.choice((1, 1, 1, 2, 3)))
    done = []
    for name in names:
        try:
            WAYS[name](pathlib.Path(store), pathlib.Path(elsewhere), chance)
            done.append(name)
        except OSError:
            pass  # earlier damage is in its way
    return done
