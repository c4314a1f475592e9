//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

/// Who took the card, as the payment's account with an acquirer has it; what that does not say, clients still expect.
struct Acceptor: Hashable, Sendable {
    /// ISO 18245; "5999" is miscellaneous retail.
    let categoryCode: String
    /// `transaction.acquirer.id`: what the acquirer is called.
    let institution: String
    /// `transaction.acquirer.merchantId`.
    let merchantNumber: String
    let terminal: String

    init(of payment: Payment, _ merchant: MerchantContext) {
        let acceptor = merchant.acceptor(of: payment)
        self.categoryCode = acceptor.categoryCode ?? "5999"
        self.institution = acceptor.institution ?? payment.acquirer.text.uppercased()
        self.merchantNumber = acceptor.merchantNumber ?? merchant.accountKey
        self.terminal = acceptor.terminal ?? "0001"
    }
}
