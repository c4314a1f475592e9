# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What the browser tests stand on: one Chromium, one sandbox, and pages that fail their test when anything is wrong.

These tests run in Chromium, driven by Playwright. What must hold in every engine is in engines_test.py.

BrowserTestCase  self.page() in a fresh browser context; no sandbox
SandboxTestCase  the same, and self.sandbox: the line of JSON that `pomona sandbox --json` writes when it is ready

A page fails its test on a console error, an uncaught exception, a violation of its Content-Security-Policy, or a request to
anything but this machine. What a test expects of these it names: self.page(expected=[r"status of 500"]).

Environment
    POMONA_BINARY        the built executable; by default the one of `script/build --show-bin-path`
    POMONA_SANDBOX_JSON  a file. When it holds the line of a sandbox that answers, that sandbox is used; otherwise one is
                         started and its line is written there
    POMONA_CHROMIUM      the browser; by default /usr/bin/chromium-headless-shell
    POMONA_SCREENSHOTS   a folder for self.screenshot(page, name); without it no pictures are taken
"""

import atexit
import datetime
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A browser that knows no host but this machine. (To watch each request from here instead would stop each on its way, and switch the
# browser's cache off.)
LOCAL_HOSTS_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE [::1]"
START_SECONDS = 120
STEP_MILLIS = 30_000


class _Browser:
    """The one Chromium of the run, started when the first page is wanted."""

    _playwright = None
    _browser = None

    @classmethod
    def shared(cls):
        if cls._browser is None:
            from playwright.sync_api import sync_playwright

            cls._playwright = sync_playwright().start()
            cls._browser = cls._playwright.chromium.launch(
                executable_path=os.environ.get("POMONA_CHROMIUM", "/usr/bin/chromium-headless-shell"),
                args=["--no-sandbox", LOCAL_HOSTS_ONLY],
                headless=True,
            )
            atexit.register(cls.stop)
        return cls._browser

    @classmethod
    def stop(cls):
        if cls._browser is not None:
            cls._browser.close()
            cls._playwright.stop()
            cls._browser = cls._playwright = None


class _Sandbox:
    """The one sandbox of the run."""

    _line = None

    @classmethod
    def shared(cls):
        if cls._line is None:
            named = os.environ.get("POMONA_SANDBOX_JSON")
            cls._line = cls._running(named) or cls._start()
            if named:
                pathlib.Path(named).write_text(json.dumps(cls._line) + "\n", encoding="utf-8")
        return cls._line

    @staticmethod
    def _running(named):
        if not named:
            return None
        try:
            line = json.loads(pathlib.Path(named).read_text(encoding="utf-8"))
            urllib.request.urlopen(line["http"] + "/", timeout=5).close()
            return line
        except urllib.error.HTTPError:
            return line  # It answers, whatever it says to this path.
        except (OSError, ValueError, KeyError):
            return None

    @staticmethod
    def _binary():
        named = os.environ.get("POMONA_BINARY")
        if named:
            return named
        shown = subprocess.run(
            ["script/build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True)
        binary = pathlib.Path(shown.stdout.strip()) / "pomona"
        if not binary.exists():
            raise RuntimeError("There is no built pomona: run `script/build --product pomona` first.")
        return str(binary)

    @classmethod
    def _start(cls):
        folder = tempfile.mkdtemp(prefix="pomona-web-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        line, process = cls.start(folder)
        atexit.register(cls._stop, process)
        return line

    @classmethod
    def start(cls, folder, *arguments):
        """A sandbox in a folder: the line that it writes when it is ready, and its process."""
        log = pathlib.Path(folder, "log.txt")
        data = os.path.join(folder, "data")
        with log.open("wb") as errors:
            process = subprocess.Popen(
                [cls._binary(), "sandbox", "--json", "--port", "0", "--tls-port", "0", "--data", data, *arguments],
                stdout=subprocess.PIPE, stderr=errors)
        ready, _, _ = select.select([process.stdout], [], [], START_SECONDS)
        line = process.stdout.readline() if ready else b""
        if not line:
            cls._stop(process)
            said = log.read_text(encoding="utf-8", errors="replace")[-2000:]
            raise RuntimeError(f"The sandbox did not start within {START_SECONDS} s. It said:\n{said}")
        return json.loads(line), process

    @staticmethod
    def _stop(process):
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def start_sandbox(folder, *arguments):
    """A sandbox of one's own: the line that it writes when it is ready, and what stops it."""
    line, process = _Sandbox.start(folder, *arguments)
    return line, lambda: _Sandbox._stop(process)


def post_json(url, body, headers=None):
    """POSTs JSON from outside the browser, as a shop's server does; the status and the decoded answer."""
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json", **(headers or {})}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


class BrowserTestCase(unittest.TestCase):
    """Tests with pages in Chromium."""

    maxDiff = None

    @property
    def browser(self):
        return _Browser.shared()

    def page(self, expected=(), **context_options):
        """A page of a fresh context that trusts the sandbox's certificates. `expected`: patterns of complaints to let pass."""
        options = {"ignore_https_errors": True, "locale": "en-US", "reduced_motion": "reduce", **context_options}
        context = self.browser.new_context(**options)
        context.set_default_timeout(STEP_MILLIS)
        complaints = []
        allowed = [re.compile(pattern) for pattern in expected]

        def complain(text):
            if not any(pattern.search(text) for pattern in allowed):
                complaints.append(text)

        def watch(page):
            page.on("console", lambda message: message.type == "error" and complain(f"console: {message.text}"))
            page.on("pageerror", lambda error: complain(f"uncaught: {error}"))

        def failed(request):
            if request.failure == "net::ERR_NAME_NOT_RESOLVED":
                complain(f"external request: {request.url}")

        context.on("page", watch)
        context.on("requestfailed", failed)
        context.expose_function("pomonaViolation", lambda text: complain(f"policy: {text}"))
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (event) =>"
            " globalThis.pomonaViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile || ''}`));")

        closed = []
        context.on("close", lambda _: closed.append(True))

        def finish():
            # What is still on its way, such as a stream that is opened again, is nobody's error.
            if not closed:
                context.unroute_all(behavior="ignoreErrors")
            context.close()
            self.assertEqual(complaints, [], "The page complained.")

        self.addCleanup(finish)
        return context.new_page()

    def until(self, page, expression):
        """Waits until a JavaScript expression is true in the page. (Playwright's wait_for_function evaluates a bare expression
        again and again as text, which the page's policy forbids; a function it keeps.)"""
        page.wait_for_function(f"() => {expression}")

    def stop_time(self, page):
        """From now on what goes by itself stays: no time passes in the page (page.clock.install() came before it was opened) but what
        page.clock.run_for lets pass, until page.clock.resume()."""
        page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(hours=1))

    def screenshot(self, page, name):
        """Keeps a picture for a person to look at, when POMONA_SCREENSHOTS names a folder."""
        folder = os.environ.get("POMONA_SCREENSHOTS")
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=os.path.join(folder, name + ".png"), full_page=True)


class SandboxTestCase(BrowserTestCase):
    """Tests against a running sandbox."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sandbox = _Sandbox.shared()

    def wait_until(self, condition, seconds=15):
        """Waits for what only asking can show (a file, another process). In a page use until."""
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until:
                self.fail(f"It did not come true within {seconds} s.")
            time.sleep(0.05)
