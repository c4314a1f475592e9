//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Answers of the real service, word for word but for the number of the payment process.
enum RecordedAnswers {
    /// OmniPay-Payone, `tests/Mock/ShopPurchaseSuccess.txt`.
    static let approved = "status=APPROVED\ntxid={txid}\nuserid=86057923\n"
    /// PAYONE's Apple Pay page, "Response".
    static let approvedOnThePage = "status=APPROVED\ntxid={txid}\nuserid=987654321"
    /// OmniPay-Payone, `test/Mock/ShopPurchaseFailure.txt`, with its empty line.
    static let expired = """
        status=ERROR
        errorcode=33
        errormessage=Expiry date invalid, incorrect or in the past

        customermessage=Invalid card expiry date. Please verify your card data.

        """
}
