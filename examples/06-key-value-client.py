#!/usr/bin/env python3
"""Two users of the key-value server add to the same number. Exit status 1: an increment was lost."""
import socket
import sys
import threading

ADDITIONS = 5


class User:
    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.lines = self.connection.makefile("r")

    def ask(self, line):
        self.connection.sendall(line.encode() + b"\n")
        return self.lines.readline().strip()

    def add(self):
        for _ in range(ADDITIONS):
            self.ask("add apples 1")


def main():
    users = [User(int(sys.argv[1])) for _ in range(2)]
    threads = [threading.Thread(target=user.add) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    apples = users[0].ask("get apples")
    print(f"{2 * ADDITIONS} apples were added, {apples} are there")
    return 0 if apples == str(2 * ADDITIONS) else 1


if __name__ == "__main__":
    sys.exit(main())
