# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What a page does wrong fails its test, and nothing of it leaves this machine."""

import unittest

from harness import BrowserTestCase


class HarnessTests(BrowserTestCase):
    def failures_of(self, act):
        """What the test is failed with whose page does this."""
        class Test(BrowserTestCase):
            def runTest(self):
                act(self.page())

        result = unittest.TestResult()
        Test().run(result)
        self.assertEqual(result.errors, [])
        return "".join(trace for _, trace in result.failures)

    def test_requests_to_other_machines(self):
        for url in ("https://shop.example/x.png", "http://192.0.2.1/x.png"):
            with self.subTest(url):
                failures = self.failures_of(lambda page, url=url: page.evaluate(
                    "url => new Promise(done => Object.assign(new Image(), { onerror: done, src: url }))", url))
                self.assertIn(f"external request: {url}", failures)

    def test_errors(self):
        self.assertIn("console: wrong", self.failures_of(lambda page: page.evaluate("console.error('wrong')")))
        self.assertIn("uncaught: wrong", self.failures_of(lambda page: page.evaluate(
            "new Promise(done => setTimeout(() => { setTimeout(done); throw new Error('wrong'); }))")))
        self.assertIn("policy: img-src", self.failures_of(lambda page: page.evaluate(
            """new Promise(done => {
                const policy = Object.assign(document.createElement('meta'), { httpEquiv: 'Content-Security-Policy', content: "img-src 'none'" });
                document.head.append(policy);
                addEventListener('securitypolicyviolation', () => setTimeout(done));
                document.body.append(Object.assign(new Image(), { src: 'data:,x' }));
            })""")))
        self.assertEqual("", self.failures_of(lambda page: page.set_content("<p>Fine</p>")))


if __name__ == "__main__":
    unittest.main()
