#!/usr/bin/env python3
# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""How much memory unfinished requests take of a gateway: the figures of docs/edge.md.

    Benchmarks/edge-memory.py PATH_TO_POMONA [--connections 4000] [--body 250000] [--addresses 1]

Starts a sandbox of its own in a temporary directory, opens connections to it from 127.0.0.1 (and further loopback
addresses), sends all but the last byte of a body on each, and watches the process's resident memory (/proc, Linux only)
until the server has closed them all. Meanwhile a client of another address asks for /healthz and posts a small body.
Nothing leaves the machine.
"""

import argparse
import collections
import http.client
import json
import pathlib
import resource
import selectors
import socket
import subprocess
import tempfile
import time

CHUNK = 64 * 1024
SECONDS_MAX = 60


def resident_kib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


class Crowd:
    """Connections that send a body and never its last byte."""

    def __init__(self, port, count, body, addresses):
        self.selector = selectors.DefaultSelector()
        self.answers = collections.Counter()
        self.port = port
        self.addresses = addresses
        self.waiting = count
        self.index = 0
        self.payload = memoryview(bytes(body - 1))
        self.head = (
            f"POST /post-gateway/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {body}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        ).encode()

    def connect(self, most):
        for _ in range(min(most, self.waiting)):
            connection = socket.socket()
            connection.setblocking(False)
            connection.bind((f"127.0.0.{2 + self.index % self.addresses}", 0))
            connection.connect_ex(("127.0.0.1", self.port))
            self.index += 1
            self.waiting -= 1
            self.selector.register(
                connection, selectors.EVENT_READ | selectors.EVENT_WRITE, {"head": self.head, "sent": 0, "answer": b""})

    def step(self):
        for key, events in self.selector.select(0.05):
            connection, state = key.fileobj, key.data
            try:
                if events & selectors.EVENT_WRITE:
                    self.send(connection, state)
                if events & selectors.EVENT_READ:
                    data = connection.recv(4096)
                    state["answer"] += data
                    if not data:
                        self.end(connection, state)
            except BlockingIOError:
                pass
            except OSError:
                self.end(connection, state)

    def send(self, connection, state):
        if state["head"]:
            state["head"] = state["head"][connection.send(state["head"]):]
        elif state["sent"] < len(self.payload):
            state["sent"] += connection.send(self.payload[state["sent"]:state["sent"] + CHUNK])
        else:
            self.selector.modify(connection, selectors.EVENT_READ, state)

    def end(self, connection, state):
        answer = state["answer"].split(b"\r\n")[0].decode()
        self.answers[answer or "closed without an answer"] += 1
        self.selector.unregister(connection)
        connection.close()

    @property
    def open(self):
        return len(self.selector.get_map())


def ask(port, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5, source_address=("127.0.0.250", 0))
    try:
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, path, body, headers)
        return connection.getresponse().status
    except OSError as error:
        return type(error).__name__
    finally:
        connection.close()


def run(options, folder):
    command = [options.pomona, "sandbox", "--data", f"{folder}/data", "--port", "0", "--tls-port", "0", "--no-shop", "--json"]
    with open(f"{folder}/log", "w") as log, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log) as server:
        try:
            ready = json.loads(server.stdout.readline())
            port = int(ready["http"].rsplit(":", 1)[1])
            for _ in range(3):
                ask(port, "GET", "/healthz")
            idle = most = resident_kib(server.pid)
            crowd = Crowd(port, options.connections, options.body, options.addresses)
            others = collections.Counter()
            began = asked = time.monotonic()
            while (crowd.waiting or crowd.open) and time.monotonic() - began < SECONDS_MAX:
                crowd.connect(200)
                crowd.step()
                most = max(most, resident_kib(server.pid))
                if time.monotonic() - asked > 1:
                    asked = time.monotonic()
                    others[f"GET /healthz {ask(port, 'GET', '/healthz')}"] += 1
                    others[f"POST {ask(port, 'POST', '/post-gateway/', b'request=authorization')}"] += 1
            took = time.monotonic() - began
            print(f"connections {options.connections}, body {options.body} bytes, from {options.addresses} address(es)")
            print(f"resident memory: {idle / 1024:.0f} MiB idle, {most / 1024:.0f} MiB at most, over {took:.0f} s")
            print("what the crowd got:", dict(crowd.answers))
            print("what another address got meanwhile:", dict(others))
        finally:
            server.terminate()
            server.wait(30)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pomona")
    parser.add_argument("--connections", type=int, default=4000)
    parser.add_argument("--body", type=int, default=250_000)
    parser.add_argument("--addresses", type=int, default=1)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    with tempfile.TemporaryDirectory() as folder:
        run(options, folder)


if __name__ == "__main__":
    main()
