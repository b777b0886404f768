#!/usr/bin/env python3
"""Other schedules on recorded inputs: simplify and isolate when peer, child and files are gone."""
import shutil
import socket
import threading
import time
import unittest

from support import CommandTest, program

from inputs_test import COUNTS, Peer, READS_FILES, ASKS_CHILD, ASKS_PEER, free_port, send_requests

SHARES_PEER = program("shares_peer")
EVENTS = program("serves_events")
USES_SOCKETS = program("uses_sockets")


class Echo:
    """Sends back every byte, until it is closed."""

    def __init__(self, port):
        self.listener = socket.create_server(("127.0.0.1", port))
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                while byte := connection.recv(1):
                    connection.sendall(byte)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()


class DatagramEcho:
    """Sends back every datagram, until it gets one that says so."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", port))
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            message, sender = self.socket.recvfrom(100)
            if message == b"close":
                return
            self.socket.sendto(message, sender)

    def close(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.sendto(b"close", self.socket.getsockname())
        self.thread.join()
        self.socket.close()


def places_of(stacks):
    """The files that the frames of these stacks are in."""
    return {frame["file"].split("/")[-1] for stack in stacks for frame in stack if frame.get("file")}


class ServedInputs(CommandTest):
    def replay(self, run, status, times=2):
        """A run that was made on recorded inputs is repeated exactly."""
        for _ in range(times):
            again = self.tool("replay", "--json", run)
            self.check(again, status)
            self.assertTrue(again.json()["reproduced"], again)
            self.assertEqual(again.json()["inputs"], "recorded")

    def simplify(self, run, times=2):
        """Simplifies a run several times, with the same result, and replays it."""
        costs = []
        for _ in range(times):
            done = self.tool("simplify", "--json", run)
            self.check(done, 0)
            told = done.json()
            self.assertEqual(told["inputs"], "recorded")
            self.assertEqual(told["from"], run)
            costs.append(told["after"])
        self.assertEqual(costs, times * costs[:1])
        self.replay(told["run"], 1)
        return told

    def record_server(self):
        """A failing run of a server whose clients are gone afterwards."""
        port = free_port()
        for seed in range(1, 20):
            clients = [threading.Thread(target=send_requests, args=(port,)) for _ in range(2)]
            for client in clients:
                client.start()
            done = self.tool("run", "--no-sandbox", "--rule", "random", "--seed", str(seed),
                             "--json", "--", COUNTS, str(port))
            for client in clients:
                client.join()
            if done.status == 1:
                break
        # A run fails in about two of three seeds: 19 runs all pass once in a billion times.
        self.check(done, 1)
        return done.json()["run"]

    def test_a_server_is_explained_without_its_clients(self):
        run = self.record_server()
        told = self.simplify(run)
        self.assertLessEqual(told["after"]["preemptions"], 2)
        self.assertIn("counts_requests.cpp",
                      places_of(one["stack"] for one in told["preempted_at"]))
        for start in run, told["run"]:
            done = self.tool("isolate", "--json", start)
            self.check(done, 0)
            difference = done.json()
            self.assertEqual(difference["inputs"], "recorded")
            self.assertEqual(len(difference["differences"]), 1)
            self.assertIn("counts_requests.cpp",
                          places_of([difference["differences"][0]["failing_stack"]]))
            self.replay(difference["failing"], 1)
            self.replay(difference["passing"], 0)

    def test_what_needs_a_replay_works_on_the_simplified_run(self):
        run = self.simplify(self.record_server(), times=1)["run"]
        shown = self.tool("show", "--run", run)
        self.check(shown, 0)
        self.assertIn("counts_requests.cpp", shown.out)
        self.check(self.tool("simplify", "--json", run), 0)

    def test_a_run_is_simplified_without_its_peer(self):
        peer = Peer(75)
        done = self.tool("record", "--no-sandbox", "--json", "--", ASKS_PEER, str(peer.port))
        peer.close()
        self.check(done, 1)
        run = done.json()["run"]
        told = self.simplify(run)
        self.assertEqual(told["after"]["preemptions"], 0)
        self.check(self.tool("isolate", "--tests", "10", run), 2, "passes")
        self.check(self.tool("check", run), 1)

    def test_a_run_is_simplified_without_its_childs_files(self):
        numbers = self.folder / "numbers"
        status = self.folder / "status"
        numbers.write_text("40\n2\n")
        status.write_text("7\n")
        command = f"cat {numbers}; kill -USR1 $PPID; exit $(cat {status})"
        done = self.tool("run", "--rule", "random", "--seed", "3", "--json", "--", ASKS_CHILD,
                         command)
        self.check(done, 1)
        numbers.unlink()
        status.unlink()
        self.simplify(done.json()["run"])

    def test_a_run_is_simplified_without_its_files(self):
        data = self.folder / "data"
        data.mkdir()
        (data / "first").write_text("40\n")
        (data / "second").write_text("2\n")
        done = self.tool("run", "--catch-all", "--rule", "random", "--seed", "3", "--json", "--",
                         READS_FILES)
        self.check(done, 1)
        shutil.rmtree(data)
        self.simplify(done.json()["run"])

    def record_shared(self, port, status):
        """A run of two threads on one connection with this exit status."""
        for seed in range(1, 40):
            peer = Echo(port)
            done = self.tool("run", "--no-sandbox", "--rule", "random", "--seed", str(seed),
                             "--json", "--", SHARES_PEER, str(port))
            peer.close()
            if done.status == status:
                return done.json()["run"]
        # Each order comes in about half of all seeds.
        self.fail("no seed of 39 gave the wanted order")

    def test_other_bytes_to_a_peer_are_neither_a_failure_nor_a_success(self):
        port = free_port()
        failing, passing = (self.record_shared(port, status) for status in (1, 0))
        self.simplify(failing, times=1)
        # The other order of threads sends other bytes: what the peer would answer is not known.
        self.check(self.tool("isolate", "--tests", "20", failing), 2, "passes")
        self.check(self.tool("isolate", failing, "--passing", passing), 2, "unresolved (at T",
                   "the program asked for an input that was not recorded",
                   "it sends other bytes to its peer")

    def test_a_server_with_events_is_explained_without_its_clients(self):
        """Sockets that do not wait, with edges of epoll, and workers."""
        def send_numbers():
            for _ in range(1000):
                try:
                    with socket.create_connection(("127.0.0.1", port), timeout=60) as server:
                        for number in 1, 20, 300:
                            server.sendall(b"%d\n" % number)
                            server.recv(100)
                    return
                except ConnectionRefusedError:
                    time.sleep(0.02)

        port = free_port()
        for seed in range(1, 40):
            clients = [threading.Thread(target=send_numbers) for _ in range(2)]
            for client in clients:
                client.start()
            done = self.tool("run", "--no-sandbox", "--rule", "random", "--seed", str(seed),
                             "--json", "--", EVENTS, str(port))
            for client in clients:
                client.join()
            if done.status == 1:
                break
        self.check(done, 1)
        told = self.simplify(done.json()["run"])
        self.assertIn("serves_events.cpp", places_of(one["stack"] for one in told["preempted_at"]))
        isolated = self.tool("isolate", "--json", told["run"])
        self.check(isolated, 0)
        self.replay(isolated.json()["failing"], 1)
        self.replay(isolated.json()["passing"], 0)

    def test_datagrams_and_connections_are_served(self):
        for seed in range(1, 40):
            port = free_port()
            peers = Echo(port), DatagramEcho(port)
            done = self.tool("run", "--no-sandbox", "--rule", "random", "--seed", str(seed),
                             "--json", "--", USES_SOCKETS, str(port))
            for peer in peers:
                peer.close()
            if done.status == 1:
                break
        self.check(done, 1)
        told = self.simplify(done.json()["run"])
        self.assertIn("uses_sockets.cpp", places_of(one["stack"] for one in told["preempted_at"]))
        isolated = self.tool("isolate", "--json", told["run"])
        self.check(isolated, 0)
        self.replay(isolated.json()["failing"], 1)
        self.replay(isolated.json()["passing"], 0)


if __name__ == "__main__":
    unittest.main()
