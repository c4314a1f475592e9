# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Signing in: each step, each refusal, invitations, the own account; nothing of a secret stays in the page or the address."""

import base64
import hashlib
import hmac
import secrets
import struct
import time

from portal import PASSWORD, REFUSED, PortalTestCase


def totp(key, at=None):
    """RFC 6238 over a key in base32."""
    counter = struct.pack(">Q", int((at or time.time()) // 30))
    digest = hmac.new(base64.b32decode(key + "=" * (-len(key) % 8)), counter, hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7fffffff) % 1_000_000:06d}"


class SignInTest(PortalTestCase):
    def page_of_sign_in(self, path="/portal/", **options):
        page = self.open(path, expected=[*REFUSED, "ERR_ABORTED|ERR_INCOMPLETE"], **options)
        page.locator(".sign-in-card h1").wait_for()
        return page

    def test_name_and_password_open_the_page_that_was_asked_for(self):
        page = self.page_of_sign_in("/portal/payments?state=captured")
        self.sign_in(page)
        self.settled(page)
        self.assertIn("/portal/payments?state=captured", page.url)
        self.assertEqual(page.locator("main h1").inner_text(), "Payments")
        self.assertEqual(page.evaluate("document.cookie"), "", "Scripts do not see the session.")

    def test_wrong_password_is_refused_in_one_sentence_and_kept_nowhere(self):
        page = self.page_of_sign_in()
        page.get_by_label("User name").fill("owner")
        page.get_by_label("Password").fill("not the password at all")
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("alert").wait_for()
        self.assertIn("That did not match", page.get_by_role("alert").inner_text())
        self.assertNotIn("not the password", page.content())
        self.looks(page, "sign-in-refused")

    def test_somebody_who_guesses_waits_and_sees_how_long(self):
        name, _ = self.portal.person("viewer", name="guessed")
        page = self.page_of_sign_in()
        for guess in range(6):
            page.get_by_label("User name").fill(name)
            page.get_by_label("Password").fill(f"a wrong guess {guess}")
            page.get_by_role("button", name="Sign in", exact=True).click()
            self.until(page, "!document.querySelector('.busy')")
            if page.get_by_role("button", name="Wait").count():
                break
        else:
            # One answer for all that is wrong: that he is locked out is not said to whoever guesses.
            status, _ = self.portal.call("POST", "/session", {"userName": name, "password": PASSWORD}, headers={"Pomona-Portal": "1"}, token=False)
            self.assertIn(status, (401, 429))
            return
        self.assertTrue(page.get_by_role("button", name="Wait").is_disabled())
        self.looks(page, "sign-in-locked")

    def test_lock_out_of_an_address_counts_down(self):
        page = self.page_of_sign_in()
        page.route("**/admin/v1/session", lambda route: route.fulfill(
            status=429, headers={"Retry-After": "5", "Content-Type": "application/problem+json"},
            body='{"code": "too_many_attempts", "detail": "Wait.", "status": 429}') if route.request.method == "POST" else route.fallback())
        page.get_by_label("User name").fill("owner")
        page.get_by_label("Password").fill("whatever it may be")
        page.get_by_role("button", name="Sign in", exact=True).click()
        # One look at both, while it counts.
        page.get_by_role("button", name="Wait 0:0", disabled=True).wait_for()
        page.get_by_role("button", name="Sign in", exact=True).wait_for()
        self.assertEqual(page.get_by_role("alert").count(), 0)

    def test_invitation_sets_a_password_and_leaves_the_address(self):
        status, made = self.portal.call("POST", "/people", {"userName": "invited", "displayName": "Mei Lin", "role": "viewer", "credential": "invitation"})
        self.assertEqual(status, 201, made)
        page = self.page_of_sign_in(f"/portal/invitation#{made['secret']}")
        self.assertEqual(page.locator("h1").inner_text(), "Welcome")
        page.get_by_label("New password").fill("short")
        page.get_by_label("Again").fill("short")
        page.get_by_role("button", name="Set the password").click()
        self.assertIn("At least 12 characters", page.locator(".wrong").first.inner_text())
        page.get_by_label("New password").fill(PASSWORD)
        page.get_by_label("Again").fill(PASSWORD + "x")
        page.get_by_role("button", name="Set the password").click()
        self.assertIn("not the same", page.locator(".wrong").first.inner_text())
        self.axe(page)
        page.get_by_label("Again").fill(PASSWORD)
        page.get_by_role("button", name="Set the password").click()
        page.get_by_text("The password of invited is set").wait_for()
        self.assertNotIn(made["secret"], page.url + page.content())
        self.assertEqual(page.get_by_label("User name").input_value(), "invited")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.locator("nav.menu").wait_for()
        # Used once.
        other = self.page_of_sign_in(f"/portal/invitation#{made['secret']}")
        other.get_by_label("New password").fill(PASSWORD)
        other.get_by_label("Again").fill(PASSWORD)
        other.get_by_role("button", name="Set the password").click()
        self.assertIn("has been used, or has ended", other.get_by_role("alert").inner_text())

    def test_given_password_is_replaced_before_anything_else(self):
        status, made = self.portal.call("POST", "/people", {"userName": "given", "displayName": "Given", "role": "viewer", "credential": "password"})
        self.assertEqual(status, 201, made)
        page = self.page_of_sign_in()
        page.get_by_label("User name").fill("given")
        page.get_by_label("Password").fill(made["secret"])
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("heading", name="A password of your own").wait_for()
        self.looks(page, "sign-in-new-password")
        page.get_by_label("New password").fill(PASSWORD)
        page.get_by_label("Again").fill(PASSWORD)
        page.get_by_role("button", name="Set the password").click()
        page.locator("nav.menu").wait_for()

    def signed_in_with_password(self, name, password):
        page = self.page_of_sign_in()
        page.get_by_label("User name").fill(name)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in", exact=True).click()
        return page

    def key_by_hand(self, page):
        """The key that a dialog shows for an app."""
        page.get_by_role("img", name="QR code").wait_for()
        page.get_by_text("Or type the key").click()
        return page.locator(".by-hand code").inner_text().replace(" ", "")

    def codes_kept(self, page):
        """The recovery codes that a dialog shows, this once."""
        page.locator(".recovery li").first.wait_for()
        codes = page.locator(".recovery li").all_inner_texts()
        self.assertEqual(len(set(codes)), 10)
        self.screenshot(page, "portal-recovery-codes")
        page.get_by_role("button", name="I have kept them").click()
        page.locator("dialog").wait_for(state="detached")
        page.get_by_text("An authenticator app is enrolled").wait_for()
        for code in codes:
            self.assertNotIn(code, page.content())
        return codes

    def enrolled(self, name, password):
        """A page on which a second factor was added, its key and the recovery codes."""
        page = self.signed_in_with_password(name, password)
        page.locator("nav.menu").wait_for()
        self.go(page, "/account")
        page.get_by_role("button", name="Add a second factor").click()
        key = self.key_by_hand(page)
        self.axe(page)
        self.screenshot(page, "portal-enroll")
        page.get_by_role("textbox", name="Code").fill("000000")
        page.locator("dialog").get_by_role("button", name="Add the second factor").click()
        page.get_by_role("alert").wait_for()
        page.get_by_role("textbox", name="Code").fill(totp(key))
        page.locator("dialog").get_by_role("button", name="Add the second factor").click()
        return page, key, self.codes_kept(page)

    def test_second_factor_is_added_asked_for_and_removed(self):
        name, password = self.portal.person("support", name="factor")
        _, _, codes = self.enrolled(name, password)
        # The next sign-in asks for it: a recovery code is taken once.
        other = self.signed_in_with_password(name, password)
        other.get_by_role("heading", name="Your code").wait_for()
        self.looks(other, "sign-in-code")
        other.get_by_role("button", name="Use a recovery code").click()
        other.get_by_label("Recovery code").fill(codes[0])
        other.get_by_role("button", name="Continue").click()
        other.locator("nav.menu").wait_for()

    def test_another_app_takes_the_place_of_the_present_one_with_its_code(self):
        name, password = self.portal.person("support", name="another-app")
        page, key, codes = self.enrolled(name, password)
        dialog = page.locator("dialog")
        code = page.get_by_role("textbox", name="Code")

        def goes_on_with(text):
            code.fill(text)
            dialog.get_by_role("button", name="Continue").click()

        page.get_by_role("button", name="Replace the app").click()
        goes_on_with("000000")
        page.get_by_role("alert").wait_for()
        self.assertIn("That did not match", page.get_by_role("alert").inner_text())
        self.looks(page, "replace-factor")
        goes_on_with(codes[0])
        left = self.key_by_hand(page)
        self.axe(page)
        # Who leaves it at that keeps the present app, and needs a code of it again.
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        page.get_by_text("An authenticator app is enrolled").wait_for()
        page.get_by_role("button", name="Replace the app").click()
        goes_on_with(codes[1])
        fresh = self.key_by_hand(page)
        self.assertEqual(len({key, left, fresh}), 3)
        code.fill(totp(fresh))
        dialog.get_by_role("button", name="Put the new app in its place").click()
        self.assertTrue(set(self.codes_kept(page)).isdisjoint(codes))
        # From now on the new app's codes count, and no other's.
        other = self.signed_in_with_password(name, password)
        other.get_by_role("heading", name="Your code").wait_for()
        for wrong in (totp(key), codes[2]):
            other.get_by_role("textbox", name="Code").fill(wrong)
            other.get_by_role("button", name="Continue").click()
            self.until(other, "!document.querySelector('.busy')")
            self.assertIn("That did not match", other.get_by_role("alert").inner_text())
        # A code is taken once: the one after that which was shown.
        other.get_by_role("textbox", name="Code").fill(totp(fresh, time.time() + 30))
        other.get_by_role("button", name="Continue").click()
        other.locator("nav.menu").wait_for()

    def test_sessions_are_listed_and_ended(self):
        person = {"name": "sessions-" + secrets.token_hex(3)}
        page = self.signed_in("viewer", "/portal/account", person=person, expected=REFUSED)
        other = self.signed_in("viewer", "/portal/payments", person=person, expected=REFUSED)
        page.reload()
        page.locator(".sessions li").first.wait_for()
        self.assertEqual(page.locator(".sessions li").count(), 2)
        self.assertEqual(page.get_by_text("this browser").count(), 1)
        self.looks(page, "account")
        page.get_by_role("button", name="Sign out everywhere else").click()
        self.assertIn("1 other session ends", page.locator("dialog").inner_text())
        page.locator("dialog").get_by_role("button", name="Sign out everywhere else").click()
        self.until(page, "document.querySelectorAll('.sessions li').length === 1")
        # The other notices, and comes back to where it was.
        self.go_or_ended(other)
        other.get_by_text("Your session has ended").wait_for()
        self.sign_in(other, "viewer", **person)
        self.settled(other)
        self.assertIn("/portal/payments", other.url)

    def go_or_ended(self, page):
        page.evaluate("import('/portal/core/router.js').then(({ refresh }) => { refresh(); })")

    def test_languages_and_colors_are_kept(self):
        page = self.signed_in("viewer", "/portal/account", expected=REFUSED)
        page.get_by_role("button", name="dark").click()
        self.assertEqual(page.evaluate("document.documentElement.dataset.theme"), "dark")
        page.get_by_role("button", name="Deutsch").click()
        page.get_by_role("heading", name="Eigenes Konto").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.lang"), "de")
        page.reload()
        page.get_by_role("heading", name="Eigenes Konto").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.dataset.theme"), "dark")
        self.axe(page)

    def test_signing_out_ends_the_session(self):
        page = self.signed_in("viewer", expected=REFUSED)
        page.locator(".person summary").click()
        self.axe(page)
        page.get_by_role("button", name="Sign out").click()
        page.get_by_label("User name").wait_for()
        self.assertEqual(page.evaluate("fetch('/admin/v1/session', { headers: { 'Pomona-Portal': '1' } }).then(({ status }) => status)"), 401)
