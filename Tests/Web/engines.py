# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The browser engines behind one small interface, so that one test body runs in Chromium, WebKit and Firefox.

WebKit is Debian's WebKitGTK, driven by WebDriver (webkit2gtk-driver, on a display of its own by Xvfb); it is the engine of Safari.
Firefox is Debian's, driven by Marionette, the protocol that is built into it: Debian has no geckodriver. Chromium is the one of
harness.py.

A Tab has
    open(url)           goes there; complaints begin anew
    run(script, *args)  the value of the body of a function, which may return a promise
    until(expression)   waits until a JavaScript expression is true
    click(expression)   clicks, as a user does, the element that an expression finds; shadow trees are reached by their roots
    press(key)          "Escape", "Enter", "Tab"
    close()
    watcher             the proxy before the server; its `instead` answers in the server's place

WebKit's also has
    resize(width, height)   the page's room, down to a phone's
    screenshot(path)        what the display shows of it

Complaints of a page (console errors, uncaught exceptions, violations of its policy) are kept by a script that the Watcher, a
proxy before the server under test, puts first into every page: WebDriver has no word for them that all engines know.

Environment
    POMONA_ENGINES  which ones, "webkit firefox" by default: in Chromium run all the other files
"""

import atexit
import contextlib
import glob
import http.client
import os
import pathlib
import re
import select
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.parse
import zlib

import servers
from harness import STEP_MILLIS, BrowserTestCase, _Browser

STEP_SECONDS = STEP_MILLIS / 1000
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"

# Runs before every script of the page. Its file has the page's own origin: the strictest policy allows it.
WATCH = """
(() => {
    const complaints = globalThis.pomonaComplaints = [];
    const shown = (value) => value instanceof Error ? `${value.name}: ${value.message}` : String(value);
    const { error } = console;
    console.error = (...words) => { complaints.push(`console: ${words.map(shown).join(' ')}`); error.apply(console, words); };
    addEventListener('error', (event) => complaints.push(`uncaught: ${event.message || event.target.src || event.target.href}`),
        true);
    addEventListener('unhandledrejection', (event) => complaints.push(`uncaught in a promise: ${shown(event.reason)}`));
    addEventListener('securitypolicyviolation', (event) =>
        complaints.push(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile || ''}`));
})();
"""
WATCH_PATH = "/pomona-test-watch.js"
HOP_HEADERS = {"connection", "keep-alive", "transfer-encoding", "content-length", "accept-encoding", "content-encoding"}


class Watcher:
    """A proxy before an origin that puts WATCH into its pages and leaves everything else as it is."""

    def __init__(self, origin):
        self._origin = urllib.parse.urlsplit(origin)
        watcher = self

        class Handler(servers.Handler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                watcher.serve(self)

            do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = do_GET

        # What is answered in the server's place: a function of method, path and headers that gives (status, headers, body) or None. It
        # may wait as long as it likes.
        self.instead = lambda method, path, headers: None
        self._server = servers.Server(Handler, self._origin.hostname)
        self.origin = f"http://{self._origin.hostname}:{self._server.server_port}"

    def stop(self):
        self._server.stop()

    def serve(self, handler):
        if handler.path == WATCH_PATH:
            self._answer(handler, 200, [("Content-Type", "text/javascript; charset=utf-8")], WATCH.encode())
            return
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        if answer := self.instead(handler.command, handler.path, handler.headers):
            self._answer(handler, *answer)
            return
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in {*HOP_HEADERS, "host"}}
        own = f"{self._origin.scheme}://{self._origin.netloc}"
        if "Origin" in headers:
            headers["Origin"] = headers["Origin"].replace(self.origin, own)
        upstream = http.client.HTTPConnection(self._origin.hostname, self._origin.port, timeout=60)
        with contextlib.closing(upstream):
            upstream.request(handler.command, handler.path, body=body or None, headers=headers)
            answer = upstream.getresponse()
            content = answer.read()
        kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_HEADERS]
        if (answer.getheader("Content-Type") or "").startswith("text/html"):
            script = f'<script src="{WATCH_PATH}"></script>'.encode()
            content = re.sub(rb"(<head>|<html[^>]*>)(?![\s\S]*<head>)", rb"\1" + script, content, count=1)
        self._answer(handler, answer.status, kept, content)

    @staticmethod
    def _answer(handler, status, headers, body):
        with contextlib.suppress(OSError):  # The browser went away.
            handler.send_response(status)
            for name, value in headers:
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            if handler.command != "HEAD":
                handler.wfile.write(body)


class Tab:
    """What the engines have in common."""

    def until(self, expression, seconds=STEP_SECONDS):
        until = time.monotonic() + seconds
        while not self.run(f"return Boolean({expression});"):
            if time.monotonic() > until:
                page = self.run("return document.body ? document.body.innerText.slice(0, 2000) : '';")
                raise AssertionError(f"Within {seconds} s it did not come true: {expression}\nThe page:\n{page}")
            time.sleep(0.05)

    def complaints(self):
        """Firefox asks for an icon that the page does not name, and complains when the page's policy forbids it."""
        return [text for text in self._complaints() if not re.match("policy: img-src .*/favicon.ico", text)]

    def _complaints(self):
        return self.run("return globalThis.pomonaComplaints ?? ['The page is not watched.'];")


class ChromiumTab(Tab):
    """Of the run's one Chromium."""

    def __init__(self):
        self._context = _Browser.shared().new_context(locale="en-US", reduced_motion="reduce")
        self._page = self._context.new_page()

    def open(self, url):
        self._page.goto(url)

    def run(self, script, *arguments):
        return self._page.evaluate(f"(given) => (async function () {{ {script} }}).apply(null, given)", list(arguments))

    def click(self, expression):
        self.until(expression)
        self._page.evaluate_handle(expression).as_element().click()

    def press(self, key):
        self._page.keyboard.press(key)

    def close(self):
        self._context.close()


class Display:
    """A display that nobody looks at: WebKit's MiniBrowser has no headless mode."""

    _name = None

    @classmethod
    def shared(cls):
        if cls._name is None:
            reader, writer = os.pipe()
            cls._folder = tempfile.TemporaryDirectory(prefix="pomona-display-")
            server = subprocess.Popen(
                ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1366x1000x24", "-nolisten", "tcp", "-noreset", "-fbdir", cls._folder.name],
                pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.close(writer)
            atexit.register(_end, server)
            ready, _, _ = select.select([reader], [], [], 20)
            number = os.read(reader, 20).decode().strip() if ready else ""
            # The reader stays open: Xvfb ends when it cannot write there.
            if not number:
                raise RuntimeError("Xvfb did not start.")
            cls._name = f":{number}"
        return cls._name

    @classmethod
    def picture(cls, left, top, width, height):
        """A part of what the display shows, as PNG. Xvfb keeps it as a file of XWD's format (XWDFile.h), 32 bits a pixel, blue first."""
        data = pathlib.Path(cls._folder.name, "Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", data[:100])
        begin = header[0] + header[19] * 12
        rows = []
        for row in range(top, min(top + height, header[5])):
            at = begin + row * header[12] + left * 4
            line = data[at:at + width * 4]
            rgb = bytearray(len(line) // 4 * 3)
            rgb[0::3], rgb[1::3], rgb[2::3] = line[2::4], line[1::4], line[0::4]
            rows.append(b"\0" + bytes(rgb))
        parts = ((b"IHDR", struct.pack(">2I5B", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content)) for kind, content in parts)


def _end(process):
    """Ends a process of this run."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# MiniBrowser's bar of buttons is wider than a phone, and the window no narrower than its bar.
NARROW = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border-width: 0; } toolbar { font-size: 6px; }"


class WebKitTab(Tab):
    """A fresh MiniBrowser. Its automated session keeps nothing of others."""

    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.common.keys import Keys
        from selenium.webdriver.webkitgtk.options import Options
        from selenium.webdriver.webkitgtk.service import Service

        self._keys = Keys
        self._config = tempfile.TemporaryDirectory(prefix="pomona-webkit-")
        style = pathlib.Path(self._config.name, "gtk-3.0/gtk.css")
        style.parent.mkdir()
        style.write_text(NARROW, encoding="ascii")
        options = Options()
        options.binary_location = next(iter(glob.glob(MINI_BROWSERS)), MINI_BROWSERS)
        options.add_argument("--automation")
        environment = {
            **os.environ, "DISPLAY": Display.shared(), "GDK_BACKEND": "x11", "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1", "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": self._config.name,
            # Its sandbox of processes needs user namespaces, which containers often lack.
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        self._driver = webdriver.WebKitGTK(
            options=options, service=Service("/usr/bin/WebKitWebDriver", env=environment))
        self._driver.set_script_timeout(STEP_SECONDS * 4)
        self._driver.set_window_size(1280, 900)

    def resize(self, width, height):
        self._driver.set_window_size(width, height)
        self.until(f"innerWidth === {width}")

    def screenshot(self, path):
        """Of what is in view. (The driver's own picture never comes where nothing composes layers.)"""
        self.run("await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));")
        rect = self._driver.get_window_rect()
        width, height = self.run("return [innerWidth, innerHeight];")
        pathlib.Path(path).write_bytes(Display.picture(rect["x"], rect["y"] + rect["height"] - height, width, height))

    def open(self, url):
        self._driver.get(url)

    def run(self, script, *arguments):
        answer = self._driver.execute_async_script(
            f"const settle = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
            f" (async function () {{ {script} }}).apply(null, given)"
            f".then((value) => settle([true, value]), (error) => settle([false, String(error)]));", *arguments)
        return _value(answer)

    def click(self, expression):
        self.until(expression)
        element = self._driver.execute_script(
            f"const element = {expression}; element.scrollIntoView({{ block: 'center' }}); return element;")
        element.click()

    def press(self, key):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self._driver).send_keys(getattr(self._keys, key.upper())).perform()

    def close(self):
        self._driver.quit()
        self._config.cleanup()


class Firefox:
    """A headless Firefox with a profile of its own. Its start takes seconds of the processor: who needs it no more leaves it to the next."""

    _idle = []

    @classmethod
    def taken(cls):
        """One that nobody uses, and that knows nothing of who did."""
        if cls._idle:
            return cls._idle.pop()
        firefox = cls()
        atexit.register(firefox._end)
        return firefox

    def __init__(self):
        from marionette_driver.marionette import Marionette

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # Not os.devnull: the driver deletes what is there and makes a file in its place, as root the device itself.
        self._log = tempfile.TemporaryDirectory(prefix="pomona-firefox-")
        self.marionette = Marionette(
            bin=shutil.which("firefox-esr") or "firefox-esr", headless=True, host="127.0.0.1", port=port,
            gecko_log=os.path.join(self._log.name, "gecko.log"),
            prefs={"intl.accept_languages": "en-US", "ui.prefersReducedMotion": 1})
        self.marionette.start_session()
        self.marionette.timeout.script = STEP_SECONDS * 4

    def leave(self):
        """Puts a new tab in the place of all others, and deletes cookies, storage, caches and permissions."""
        fresh = self.marionette.open(type="tab", focus=True)["handle"]
        for handle in self.marionette.window_handles:
            if handle != fresh:
                self.marionette.switch_to_window(handle)
                self.marionette.close()
        self.marionette.switch_to_window(fresh)
        with self.marionette.using_context("chrome"):
            failed = self.marionette.execute_async_script(
                "const [settle] = arguments;"
                " Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, { onDataDeleted: settle });")
        if failed:
            raise RuntimeError(f"Firefox did not delete its data: {failed}.")
        Firefox._idle.append(self)

    def _end(self):
        self.marionette.quit()
        self.marionette.cleanup()
        # Its profile deletes itself with the last reference, which must not be later than Python itself.
        self.marionette = None
        self._log.cleanup()


class FirefoxTab(Tab):
    """A fresh tab of a Firefox of its own."""

    def __init__(self):
        from marionette_driver.keys import Keys

        self._keys = Keys
        self._firefox = Firefox.taken()
        self._marionette = self._firefox.marionette

    def open(self, url):
        self._marionette.navigate(url)

    def run(self, script, *arguments):
        answer = self._marionette.execute_async_script(
            f"const settle = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
            f" (async function () {{ {script} }}).apply(null, given)"
            f".then((value) => settle([true, value]), (error) => settle([false, String(error)]));",
            script_args=list(arguments), sandbox=None)
        return _value(answer)

    def click(self, expression):
        self.until(expression)
        element = self._marionette.execute_script(
            f"const element = {expression}; element.scrollIntoView({{ block: 'center' }}); return element;", sandbox=None)
        element.click()

    def press(self, key):
        actions = self._marionette.actions.sequence("key", "keyboard")
        value = getattr(self._keys, key.upper())
        actions.key_down(value).key_up(value).perform()

    def close(self):
        self._firefox.leave()
        self._firefox = self._marionette = None


def _value(answer):
    is_done, value = answer
    if not is_done:
        raise AssertionError(value)
    return value


ENGINES = {"chromium": ChromiumTab, "webkit": WebKitTab, "firefox": FirefoxTab}


def wanted():
    """The names of the engines to test with."""
    names = os.environ.get("POMONA_ENGINES", "webkit firefox").split()
    unknown = set(names) - set(ENGINES)
    if unknown:
        raise ValueError(f"POMONA_ENGINES names no engine of these tests: {', '.join(sorted(unknown))}")
    return names


class EngineTestCase(BrowserTestCase):
    """Tests in one engine, named by `engine`."""

    engine = None

    def tab(self, origin, path="/", expected=()):
        """A fresh tab at a page behind a Watcher. `expected`: patterns of complaints to let pass."""
        watcher = Watcher(origin)
        self.addCleanup(watcher.stop)
        tab = ENGINES[self.engine]()
        self.addCleanup(tab.close)
        tab.expected = [re.compile(pattern) for pattern in expected]
        tab.origin = watcher.origin
        tab.watcher = watcher
        tab.open(watcher.origin + path)
        return tab

    def check(self, tab):
        """Fails when the page complained of anything. To be asked before the page is left, for it forgets."""
        amiss = [text for text in tab.complaints() if not any(pattern.search(text) for pattern in tab.expected)]
        self.assertEqual(amiss, [], "The page complained.")
