//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction

/// A PaymentContext: an order, and a card or its token.
struct PaymentAccount: Sendable {
    enum Identifier: Sendable {
        /// `isToken="true"`: what an earlier reply called the card.
        case token(String)
        case number(Redacted<String>)
    }

    let orderID: String
    let identifier: Identifier

    init(_ message: XMLElement, in context: String) throws(RadialFault) {
        let element = message.child(context)
        self.orderID = element?.child("OrderId")?.text ?? ""
        self.identifier = try Identifier(element, path: "\(message.name)/\(context)")
    }
}

extension PaymentAccount.Identifier {
    /// - Parameter parent: the element with the PaymentAccountUniqueId.
    init(_ parent: XMLElement?, path: String) throws(RadialFault) {
        guard parent?.child("EncryptedPaymentAccountUniqueId") == nil else {
            throw RadialFault(.encryptedAccountNotSupported)
        }
        guard let account = parent?.child("PaymentAccountUniqueId") else {
            throw RadialFault(.requestInvalid, "\(path)/PaymentAccountUniqueId is missing.")
        }
        let text = XMLText.collapsed(account.text)
        let isToken = XMLText.boolean(account.attributes["isToken"] ?? "") ?? false
        self = isToken ? .token(text) : .number(Redacted(text))
    }
}
