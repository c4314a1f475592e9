# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Sign-in at a real OpenID Connect provider (oidc-provider-mock), in a browser. The provider is `localhost` and the gateway
127.0.0.1, which are two sites: what a browser carries from one to the other is what it would between two companies."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

import requests
from oidc_provider_mock import User, run_server_in_thread

import harness


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class OpenIDConnectTest(harness.BrowserTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.mkdtemp(prefix="pomona-openid-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        people = [
            User(sub="alice-sub", claims={"email": "alice@shop.example", "email_verified": True}),
            User(sub="bob-sub", claims={"email": "bob@shop.example", "email_verified": True}),
            User(sub="mallory-sub", claims={"email": "bob@shop.example", "email_verified": False}),
        ]
        provider = run_server_in_thread(require_nonce=True, user_claims=people)
        server = cls.enterClassContext(provider)
        cls.issuer = f"http://localhost:{server.server_port}"
        cls.data = os.path.join(cls.folder, "data")
        secret = pathlib.Path(cls.folder, "openid.secret")
        secret.write_text("s3cret\n", encoding="utf-8")
        secret.chmod(0o600)
        for name in ["alice", "bob"]:
            cls.command(
                "person", "add", "--name", name, "--display-name", name.title(), "--role", "owner", "--credential", "none",
                *(["--issuer", cls.issuer, "--subject", "alice-sub"] if name == "alice" else
                  ["--email", "bob@shop.example"]))
        # Somebody else may take a port between its choice and its use.
        for _ in range(3):
            cls.port = free_port()
            cls.url = f"http://127.0.0.1:{cls.port}"
            if cls.serves(secret):
                return
            if "address_in_use" not in cls.log():
                break
        raise RuntimeError(f"It did not start. It said:\n{cls.log()}")

    @classmethod
    def serves(cls, secret):
        """Starts the gateway, and says whether it answers at its port."""
        def provider_of(**more):
            return {"issuer": cls.issuer, "clientId": "pomona", "clientSecretFile": str(secret), **more}

        configuration = pathlib.Path(cls.folder, "pomona.json")
        configuration.write_text(json.dumps({
            "data": {"directory": cls.data},
            "http": {"port": 0},
            "admin": {
                "port": cls.port, "url": cls.url,
                "openid": {
                    "company": provider_of(label="Company login", secondFactor="provider"),
                    "mail": provider_of(secondFactor="provider", linkByEmail=True),
                    "careful": provider_of(secondFactor="local"),
                },
            },
        }), encoding="utf-8")
        cls.configuration = str(configuration)
        log = open(os.path.join(cls.folder, "log.txt"), "wb")
        cls.addClassCleanup(log.close)
        cls.process = subprocess.Popen(
            [harness._Sandbox._binary(), "serve", "--config", cls.configuration], stdout=subprocess.DEVNULL, stderr=log)
        cls.addClassCleanup(cls.stop, cls.process)
        until = time.monotonic() + harness.START_SECONDS
        while time.monotonic() < until:
            try:
                cls.offered = cls.get_json("/admin/v1/sign-in")
                return True
            except (OSError, ValueError):
                if cls.process.poll() is not None:
                    return False
                time.sleep(0.1)
        return False

    @classmethod
    def stop(cls, process):
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    @classmethod
    def log(cls):
        return pathlib.Path(cls.folder, "log.txt").read_text(encoding="utf-8", errors="replace")

    @classmethod
    def command(cls, *words):
        done = subprocess.run(
            [harness._Sandbox._binary(), *words, "--data", cls.data, "--json"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{words}: {done.stdout} {done.stderr}")
        return json.loads(done.stdout)

    @classmethod
    def get_json(cls, path):
        with urllib.request.urlopen(cls.url + path, timeout=5) as response:
            return json.loads(response.read())

    # What a person does.

    def begin(self, provider="company", page=None):
        # The portal's own pages have tests of their own; here what it shows without a session may complain.
        page = page or self.page(expected=[r"status of 4\d\d"])
        # The provider's stylesheet is somebody else's, from elsewhere.
        page.context.route(
            "https://cdn.jsdelivr.net/**", lambda route: route.fulfill(status=200, content_type="text/css", body=""))
        page.goto(f"{self.url}/admin/v1/sign-in/openid/{provider}")
        self.assertTrue(page.url.startswith(self.issuer), page.url)
        return page

    def choose(self, page, subject):
        page.get_by_placeholder("sub").fill(subject)
        page.get_by_role("button", name="Authorize", exact=True).click()
        page.wait_for_url(f"{self.url}/portal/**")
        return page

    def session(self, page):
        """Who the page's own script is signed in as; the status where it is not."""
        return page.evaluate("""async () => {
            const answer = await fetch('/admin/v1/session', {headers: {'Pomona-Portal': '1'}, credentials: 'same-origin'});
            return answer.ok ? await answer.json() : answer.status;
        }""")

    def refused(self, page):
        return urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query).get("refused", [None])[0]

    # The laws.

    def test_offers_the_providers_with_their_labels(self):
        self.assertEqual(
            self.offered["openIDConnect"],
            [{"name": "careful", "label": "careful"}, {"name": "company", "label": "Company login"},
             {"name": "mail", "label": "mail"}])

    def test_signs_in_whom_the_provider_proves(self):
        page = self.choose(self.begin(), "alice-sub")
        session = self.session(page)
        self.assertEqual((session["stage"], session["person"]["userName"]), ("open", "alice"))
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies(self.url)}
        self.assertEqual(list(cookies), ["pomona_session"])
        self.assertEqual((cookies["pomona_session"]["sameSite"], cookies["pomona_session"]["httpOnly"]), ("Strict", True))
        entries = self.command("audit", "list")
        acts = [entry for entry in entries["entries"] if entry["act"] == "person.signIn" and entry["subject"] == "alice"]
        self.assertEqual(acts[-1]["details"]["provider"], "company")

    def test_what_the_browser_carries_is_for_the_way_back_alone(self):
        page = self.begin()
        carried = [cookie for cookie in page.context.cookies() if cookie["name"] == "pomona_openid"]
        self.assertEqual(len(carried), 1)
        cookie = carried[0]
        self.assertEqual(
            (cookie["sameSite"], cookie["httpOnly"], cookie["path"]),
            ("Lax", True, "/admin/v1/sign-in/openid/company/callback"))
        self.assertLess(cookie["expires"] - time.time(), 601)
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)
        self.assertEqual(query["code_challenge_method"], ["S256"])
        for name in ["state", "nonce"]:
            self.assertNotIn(query[name][0], cookie["value"])

    def test_refuses_whom_nobody_here_knows(self):
        page = self.choose(self.begin(), "somebody-else")
        self.assertEqual(self.refused(page), "person_unknown")
        self.assertEqual(self.session(page), 401)

    def test_a_verified_address_links_once_and_an_unverified_never(self):
        page = self.choose(self.begin("mail"), "mallory-sub")
        self.assertEqual(self.refused(page), "email_not_verified")
        page = self.choose(self.begin("mail"), "bob-sub")
        self.assertEqual(self.session(page)["person"]["userName"], "bob")
        # By the identity from now on, also where addresses do not count.
        page = self.choose(self.begin("company"), "bob-sub")
        self.assertEqual(self.session(page)["person"]["userName"], "bob")

    def test_an_owner_links_somebody_in_the_portal_who_comes_in(self):
        page = self.choose(self.begin(), "alice-sub")
        page.goto(self.url + "/portal/people/new")
        page.get_by_label("Name", exact=True).fill("Carol")
        page.get_by_label("User name").fill("carol")
        page.get_by_role("radio", name="Viewer").check()
        page.get_by_role("radio", name="With OpenID Connect alone").check()
        page.get_by_label("Subject at the provider").fill("carol-sub")
        # Three sign-ins stand before one provider: there is no choice of it.
        self.assertEqual(page.get_by_label("Sign-in provider").count(), 0)
        page.get_by_role("button", name="Add the person").click()
        page.get_by_role("heading", name="Carol").wait_for()
        self.assertIn(self.issuer, page.locator("main").inner_text())
        other = self.choose(self.begin(), "carol-sub")
        self.assertEqual(self.session(other)["person"]["userName"], "carol")
        # What was not changed is not sent; what is emptied is taken away.
        page.reload()
        page.get_by_role("button", name="Save the changes").click()
        page.get_by_text("Nothing was changed.").first.wait_for()
        page.get_by_label("Subject at the provider").fill("")
        page.get_by_role("button", name="Save the changes").click()
        page.get_by_text("The changes are saved.").first.wait_for()
        other = self.choose(self.begin(), "carol-sub")
        self.assertEqual(self.refused(other), "person_unknown")

    def test_asks_for_a_second_factor_where_the_provider_does_not(self):
        page = self.choose(self.begin("careful"), "alice-sub")
        self.assertEqual(self.session(page)["stage"], "enrollment")

    def test_reports_that_the_person_has_cancelled(self):
        page = self.begin()
        page.get_by_role("button", name="Deny").click()
        page.wait_for_url(f"{self.url}/portal/**")
        self.assertEqual(self.refused(page), "access_denied")

    def test_refuses_a_way_back_that_another_browser_began(self):
        """Nobody can have somebody else's browser signed in as himself."""
        begun = requests.get(f"{self.url}/admin/v1/sign-in/openid/company", allow_redirects=False, timeout=10)
        authorized = requests.post(
            begun.headers["Location"], data={"sub": "alice-sub"}, allow_redirects=False, timeout=10)
        way_back = authorized.headers["Location"]
        self.assertTrue(way_back.startswith(f"{self.url}/admin/v1/sign-in/openid/company/callback?"), way_back)
        victim = self.page(expected=[r"status of 4\d\d"])
        victim.goto(way_back)
        self.assertEqual(self.refused(victim), "state_missing")
        victim = self.begin()
        victim.goto(way_back)
        self.assertEqual(self.refused(victim), "state_wrong")
        self.assertEqual(self.session(victim), 401)

    def test_refuses_a_way_back_that_was_used(self):
        page = self.begin()
        ways = []
        page.on("request", lambda request: "/callback" in request.url and ways.append(request.url))
        carried = [cookie for cookie in page.context.cookies() if cookie["name"] == "pomona_openid"]
        self.choose(page, "alice-sub")
        page.context.clear_cookies()
        page.context.add_cookies(carried)
        page.goto(ways[0])
        self.assertEqual(self.refused(page), "state_used")
        self.assertEqual(self.session(page), 401)

    def test_doctor_asks_the_providers(self):
        done = subprocess.run(
            [harness._Sandbox._binary(), "doctor", "--data", self.data, "--config", self.configuration, "--all", "--json"],
            capture_output=True, text=True, check=False)
        findings = json.loads(done.stdout)["findings"]
        answered = [finding["subject"] for finding in findings if finding["code"] == "provider_answers"]
        self.assertEqual(sorted(answered), ["careful", "company", "mail"])

    def test_no_secret_is_in_the_log(self):
        self.choose(self.begin(), "alice-sub")
        log = self.log()
        for secret in ["s3cret", "code=", "state="]:
            self.assertNotIn(secret, log)


if __name__ == "__main__":
    unittest.main()
