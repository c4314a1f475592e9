# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The servers that tests stand up beside the sandbox: a shop, a merchant's backend, a proxy before an engine without a debugger."""

import http.server
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """What answers; it writes no log."""

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """A server on a free port of this machine, which answers from its own threads until stop()."""

    daemon_threads = True

    def __init__(self, handler, host="127.0.0.1"):
        super().__init__((host, 0), handler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def handle_error(self, request, client_address):
        # A browser that leaves a page cuts what it had asked for.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def stop(self):
        self.shutdown()
        self.server_close()
