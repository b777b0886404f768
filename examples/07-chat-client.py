#!/usr/bin/env python3
"""Alice and Bob chat. Bob leaves as soon as he has said goodbye."""
import socket
import sys


def main():
    port = int(sys.argv[1])
    alice = socket.create_connection(("127.0.0.1", port))
    alice.sendall(b"hello\n")
    lines = alice.makefile("r")
    heard = [lines.readline()]
    bob = socket.create_connection(("127.0.0.1", port))
    bob.sendall(b"goodbye\n")
    bob.close()
    heard.append(lines.readline())
    print("Alice heard:", *(line.strip() for line in heard))
    return 0 if heard == ["hello\n", "goodbye\n"] else 1


if __name__ == "__main__":
    sys.exit(main())
