# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The documentation site in Chromium: read at three widths, by keyboard, from a server and from a folder, and searched.

POMONA_SITE names a site that is made already; else script/site makes one.
"""

import functools
import http.server
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from axe_playwright_python.sync_playwright import Axe
from harness import ROOT, BrowserTestCase

WIDTHS = (360, 768, 1440)
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# One of each kind: starts, text with code, tables, made pages.
PAGES = (
    "index.html", "start-qa.html", "tutorial.html", "how-to-refusal.html", "explanation-token.html", "docs/operations.html",
    "docs/configuration.html", "docs/metrics.html", "error-codes.html", "administration-problems.html", "commands/token.html", "exchanges/commweb.html",
    "exchanges/commweb/01-payment.html", "exchanges/payone/01-payment.html", "library/applepaytoken.html", "library/applepaytoken/tokenverifier.html",
    "architecture.html", "docs/dialects/tappay-codes.html",
)
READ = (
    "index.html", "tutorial.html", "error-codes.html", "commands/token.html", "exchanges/commweb/01-payment.html",
    "library/applepaytoken/tokenverifier.html",
)
# What sticks out of the window, unless it is in a box that scrolls.
STICKING_OUT = """() => [...document.querySelectorAll('body *')].filter((element) =>
    element.checkVisibility() && !element.closest('pre, .scroll, .skip, .hidden') && element.getBoundingClientRect().right > innerWidth + 1
).map((element) => `${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`)"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """A plain file server that allows pages nothing but their own scripts and styles."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # A page that is left closes what it was reading.


def make_site():
    """The folder of a site."""
    if named := os.environ.get("POMONA_SITE"):
        return pathlib.Path(named)
    folder = tempfile.mkdtemp(prefix="pomona-site-")
    unittest.addModuleCleanup(lambda: subprocess.run(["rm", "-rf", folder], check=True))
    program = ["--program", os.environ["POMONA_BINARY"]] if os.environ.get("POMONA_BINARY") else []
    made = subprocess.run([ROOT / "script/site", *program, "--output", f"{folder}/site"], capture_output=True, text=True, check=False)
    if made.returncode:
        raise RuntimeError(f"script/site failed:\n{made.stderr}")
    return pathlib.Path(folder, "site")


def setUpModule():
    SiteTestCase.site = make_site()
    server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=SiteTestCase.site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    unittest.addModuleCleanup(server.server_close)
    unittest.addModuleCleanup(server.shutdown)
    SiteTestCase.address = f"http://127.0.0.1:{server.server_port}/"


class SiteTestCase(BrowserTestCase):
    site = None
    address = None

    def open(self, path, width=1440, **options):
        page = self.page(viewport={"width": width, "height": 900}, **options)
        page.goto(self.address + path)
        return page

    def results(self, page, query):
        """What a search finds: the names of the places, the best first."""
        page.get_by_role("searchbox", name="Search the documentation").fill(query)
        page.wait_for_function("() => document.querySelector('#found-count').textContent !== ''")
        page.locator(".found li").first.wait_for()
        return page.locator(".found li strong").all_inner_texts()

    def focused(self, page):
        return page.evaluate("() => (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()")


class WidthTest(SiteTestCase):
    def test_nothing_is_wider_than_the_window(self):
        for width in WIDTHS:
            page = self.open("index.html", width)
            for path in PAGES:
                with self.subTest(path, width=width):
                    page.goto(self.address + path)
                    self.assertEqual(page.evaluate("() => document.documentElement.scrollWidth"), width)
                    self.assertEqual(page.evaluate(STICKING_OUT), [])
                    self.screenshot(page, f"site-{path.removesuffix('.html').replace('/', '-')}-{width}")

    def test_no_page_is_wider_than_a_phone(self):
        """All pages but those of which there are hundreds alike."""
        page = self.open("index.html", 360)
        paths = [path.relative_to(self.site).as_posix() for path in sorted(self.site.rglob("*.html"))]
        paths = [path for path in paths if path.count("/") < 2 or path.startswith("docs/")]
        self.assertGreater(len(paths), 60)
        for path in paths:
            with self.subTest(path):
                page.goto(self.address + path, wait_until="domcontentloaded")
                self.assertEqual(page.evaluate("() => document.documentElement.scrollWidth"), 360)

    def test_a_wide_table_scrolls_in_its_own_box_by_keyboard(self):
        page = self.open("docs/configuration.html", 360)
        box = page.locator(".scroll").first
        box.focus()
        before = box.evaluate("(box) => box.scrollLeft")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("(before) => document.querySelector('.scroll').scrollLeft > before", arg=before)

    def test_what_does_not_scroll_is_no_stop_for_the_keyboard(self):
        page = self.open("tutorial.html", 1440)
        self.assertEqual(page.locator("pre").first.get_attribute("tabindex"), None)


class LookTest(SiteTestCase):
    def test_axe_finds_nothing_in_either_scheme(self):
        for scheme in ("light", "dark"):
            page = self.open("index.html", color_scheme=scheme)
            for path in READ:
                with self.subTest(path, scheme=scheme):
                    page.goto(self.address + path)
                    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
                    self.assertEqual([f"{rule['id']}: {node['html'][:160]} {node['failureSummary']}" for rule in found for node in rule["nodes"]], [])

    def test_dark_is_dark_and_light_is_light(self):
        grounds = []
        for scheme in ("light", "dark"):
            page = self.open("index.html", color_scheme=scheme)
            grounds.append(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
            self.screenshot(page, f"site-home-{scheme}")
        self.assertEqual(grounds, ["rgb(246, 243, 236)", "rgb(16, 26, 23)"])

    def test_contents_are_beside_the_text_and_what_is_on_the_page_at_the_other_side(self):
        page = self.open("docs/operations.html")
        boxes = [page.locator(name).bounding_box() for name in ("#navigation", "article", ".toc")]
        self.assertLessEqual(boxes[0]["x"] + boxes[0]["width"], boxes[1]["x"])
        self.assertLessEqual(boxes[1]["x"] + boxes[1]["width"], boxes[2]["x"])
        self.assertEqual(page.locator("#navigation [aria-current=page]").inner_text(), "Operations")


class KeyboardTest(SiteTestCase):
    def test_the_first_stop_skips_to_the_text(self):
        page = self.open("docs/operations.html")
        page.keyboard.press("Tab")
        self.assertEqual(self.focused(page), "Skip to the text")
        self.assertGreaterEqual(page.locator(".skip").bounding_box()["x"], 0)
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        self.assertTrue(page.evaluate("() => document.querySelector('main').contains(document.activeElement)"))

    def test_a_page_is_reached_through_the_contents(self):
        page = self.open("index.html")
        page.locator("#navigation summary", has_text="Tutorial").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        self.assertEqual(self.focused(page), "Pay in ten minutes")
        page.keyboard.press("Enter")
        page.wait_for_url("**/tutorial.html")

    def test_on_a_phone_the_contents_open_and_close(self):
        page = self.open("index.html", 360)
        contents = page.locator("#navigation")
        self.assertFalse(contents.is_visible())
        button = page.get_by_role("button", name="Contents")
        button.focus()
        page.keyboard.press("Enter")
        self.assertTrue(contents.is_visible())
        self.assertEqual(button.get_attribute("aria-expanded"), "true")
        page.keyboard.press("Tab")
        self.assertTrue(page.evaluate("() => document.querySelector('#navigation').contains(document.activeElement)"))
        self.screenshot(page, "site-contents-360")
        page.keyboard.press("Escape")
        self.assertFalse(contents.is_visible())
        self.assertEqual(self.focused(page), "Contents")

    def test_what_is_found_is_reached(self):
        page = self.open("docs/operations.html")
        page.keyboard.press("/")
        page.keyboard.type("ledger check")
        page.locator(".found li").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        first = page.locator(".found a").first
        self.assertTrue(first.evaluate("(link) => link === document.activeElement"))
        target = first.evaluate("(link) => link.href")
        page.keyboard.press("Enter")
        page.wait_for_url(target)

    def test_escape_closes_what_was_found(self):
        page = self.open("index.html", 360)
        self.results(page, "refund")
        self.screenshot(page, "site-search-360")
        page.keyboard.press("Escape")
        self.assertFalse(page.locator(".found").is_visible())
        self.assertEqual(page.evaluate("() => document.activeElement.id"), "search")


class SearchTest(SiteTestCase):
    def test_it_finds_refund(self):
        page = self.open("index.html")
        found = self.results(page, "refund")
        self.screenshot(page, "site-search-1440")
        self.assertIn("pomona payments: pomona payments refund", found)
        self.assertTrue(any("Refund it" in name for name in found), found)

    def test_a_code_leads_to_its_cause(self):
        page = self.open("docs/edge.html")
        self.assertIn("Error codes: Tokens: stages key selection and decryption", self.results(page, "key_unknown")[:2])
        self.assertIn("Configuration of pomona serve", self.results(page, "recovery.graceSeconds")[:1])
        self.assertIn("Metrics: Payments", self.results(page, "pomona_operations_unknown")[:1])

    def test_all_words_must_stand_there(self):
        page = self.open("index.html")
        both = self.results(page, "rotate certificates")
        self.assertIn("Rotate certificates and credentials", both[0])
        page.get_by_role("searchbox").fill("refund xyzzyx")
        page.get_by_text("Nothing has all these words.").wait_for()
        self.assertEqual(page.locator(".found li").count(), 0)

    def test_a_query_is_a_text(self):
        page = self.open("index.html")
        page.get_by_role("searchbox").fill("refund <img src=x onerror=alert(1)> (")
        page.wait_for_function("() => document.querySelector('#found-count').textContent !== ''")
        self.assertEqual(page.locator(".found img").count(), 0)


class FolderTest(SiteTestCase):
    def test_it_is_read_and_searched_from_a_folder(self):
        page = self.page(viewport={"width": 1440, "height": 900})
        page.goto((self.site / "docs/operations.html").as_uri())
        page.get_by_role("link", name="Packages").click()
        page.wait_for_url("**/docs/install.html")
        self.assertIn("pomona payments: pomona payments refund", self.results(page, "payments refund"))
        page.locator(".found a").first.click()
        page.wait_for_url(lambda url: "install.html" not in url)
        self.assertNotEqual(page.locator("h1").inner_text(), "")

    def test_it_is_read_without_scripts(self):
        page = self.open("docs/operations.html", 360, java_script_enabled=False)
        self.assertTrue(page.locator("#navigation").is_visible())
        self.assertFalse(page.locator("#search").is_visible())
        self.assertTrue(page.locator("h2#failing-over").is_visible())


if __name__ == "__main__":
    unittest.main()
