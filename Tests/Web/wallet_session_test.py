# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Pages of shops whose dialect begins no merchant sessions: they ask the gateway itself, as docs/merchant-validation.md says."""

from wallet_test import PAY, WalletTestCase

ASK = """
([gateway, dialect, account]) => {
    shop.handlers.validatemerchant = async function (event) {
        const response = await fetch(`${gateway}/apple-pay/merchant-session`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ dialect, account, validationURL: event.validationURL }),
        });
        const answer = await response.json();
        if (!response.ok) {
            shop.note("refused", response.status, answer.error.code);
            return this.abort();
        }
        this.completeMerchantValidation(answer);
    };
}
"""


class GatewaySessionTest(WalletTestCase):
    def shop_of(self, dialect, account):
        page = self.shop(expected=["403"], clock=True)
        page.evaluate(ASK, [self.server.sandbox, dialect, account])
        return page

    def test_pages_of_every_dialect_get_a_session(self):
        names = {"alphapay": "merchantCode", "commweb": "merchantId", "radial": "storeId", "payone": "portalid", "tappay": "appId"}
        for dialect, name in names.items():
            with self.subTest(dialect):
                page = self.shop_of(dialect, self.sandbox["merchants"][dialect][name])
                self.open(page)
                page.get_by_role("button", name=PAY).click()
                page.get_by_text("Done", exact=True).wait_for()
                (payment,) = self.log(page, "paymentauthorized")
                self.assertRegex(payment["token"]["transactionIdentifier"], "^[0-9A-Fa-f]{64}$")

    def test_a_page_of_no_account_gets_none(self):
        page = self.shop_of("commweb", "NOBODY")
        page.click("#pay")
        self.wait_for(page, "refused")
        self.assertEqual(self.log(page)[-1], ["refused", 403, "not_registered"])
