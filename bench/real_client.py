"""A scripted client: loads a server over several connections, checks each answer, shuts it down.

usage: real_client.py memcached|redis PORT CONNECTIONS PAIRS

It says that every answer was right before it asks the server to end: the end of the server is the
end of the run, and of this process with it.
"""
import socket
import sys
import threading
import time

# For one answer. A server that takes longer hangs.
PATIENCE_SECONDS = 30


class Connection:
    def __init__(self, port):
        self.socket = connect(port)
        self.stream = self.socket.makefile("rwb")

    def ask(self, line, answer):
        self.stream.write(line)
        self.stream.flush()
        got = b"".join(self.stream.readline() for _ in range(answer.count(b"\n")))
        if got != answer:
            raise ValueError(f"asked {line!r}, expected {answer!r}, got {got!r}")


def connect(port):
    """Tried until the server listens."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def load_memcached(connection, who, pairs):
    for i in range(pairs):
        key, value = b"k%d.%d" % (who, i), b"%d" % (i * i)
        connection.ask(b"set %s 0 0 %d\r\n%s\r\n" % (key, len(value), value), b"STORED\r\n")
        connection.ask(b"get %s\r\n" % key,
                       b"VALUE %s 0 %d\r\n%s\r\nEND\r\n" % (key, len(value), value))


def load_redis(connection, who, pairs):
    for i in range(pairs):
        key, value = b"k%d.%d" % (who, i), b"%d" % (i * i)
        connection.ask(b"SET %s %s\r\n" % (key, value), b"+OK\r\n")
        connection.ask(b"GET %s\r\n" % key, b"$%d\r\n%s\r\n" % (len(value), value))
        connection.ask(b"INCR n%d\r\n" % who, b":%d\r\n" % (i + 1))
        connection.ask(b"LPUSH l%d %s\r\n" % (who, value), b":%d\r\n" % (i + 1))


SERVERS = {
    "memcached": (load_memcached, b"shutdown\r\n"),
    "redis": (load_redis, b"SHUTDOWN NOSAVE\r\n"),
}


def main():
    load, shutdown = SERVERS[sys.argv[1]]
    port, connections, pairs = map(int, sys.argv[2:])
    done = []

    def talk(who):
        load(Connection(port), who, pairs)
        done.append(who)

    threads = [threading.Thread(target=talk, args=(who,)) for who in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(done) == connections:
        print("client: every answer was right", flush=True)
    last = Connection(port)
    last.stream.write(shutdown)
    last.stream.flush()
    last.stream.read()


if __name__ == "__main__":
    main()
