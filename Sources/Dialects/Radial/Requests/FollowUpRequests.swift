//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money

/// A PaymentSettlementRequest.
struct SettlementRequest: Sendable {
    let requestID: String
    let account: PaymentAccount
    let amount: Money
    let kind: SettlementType
    let isFinal: Bool
    let invoiceID: String?
    let clientContext: String?
    let digest: [UInt8]

    init(_ message: XMLElement, tender: TenderType) throws(RadialFault) {
        self.requestID = message.attributes["requestId"] ?? ""
        self.account = try PaymentAccount(message, in: "PaymentContext")
        self.amount = try message.amount()
        let kind = XMLText.collapsed(message.child("SettlementType")?.text ?? "")
        self.kind = kind == SettlementType.credit.rawValue ? .credit : .debit
        self.isFinal = message.child("FinalDebit").flatMap { XMLText.boolean($0.text) } ?? false
        self.invoiceID = message.filledText("InvoiceId")
        self.clientContext = message.filledText("ClientContext")
        self.digest = RequestContents.digest(message, path: tender.rawValue)
    }

    var idempotency: CallContext.Idempotency {
        CallContext.Idempotency(operation: "settlement", key: self.requestID, digest: self.digest)
    }
}

/// A PaymentAuthCancelRequest.
struct CancelRequest: Sendable {
    let requestID: String
    let account: PaymentAccount
    let amount: Money
    let digest: [UInt8]

    init(_ message: XMLElement, tender: TenderType) throws(RadialFault) {
        self.requestID = message.attributes["requestId"] ?? ""
        self.account = try PaymentAccount(message, in: "PaymentContext")
        self.amount = try message.amount()
        self.digest = RequestContents.digest(message, path: tender.rawValue)
    }

    var idempotency: CallContext.Idempotency {
        CallContext.Idempotency(operation: "cancel", key: self.requestID, digest: self.digest)
    }
}

/// A ConfirmFundsRequest. Its PerformReauthorization says nothing here: a token pays once, so there is nothing to
/// authorize anew with.
struct FundsRequest: Sendable {
    let account: PaymentAccount
    let amount: Money

    init(_ message: XMLElement) throws(RadialFault) {
        self.account = try PaymentAccount(message, in: "PaymentContext")
        self.amount = try message.amount()
    }
}

extension XMLElement {
    /// The Amount, which the rules have let through.
    fileprivate func amount() throws(RadialFault) -> Money {
        guard let amount = self.child("Amount").flatMap(WireAmount.money) else {
            throw RadialFault(.requestInvalid, "\(self.name)/Amount is missing or malformed.")
        }
        return amount
    }

    fileprivate func filledText(_ name: String) -> String? {
        guard let text = self.child(name)?.text, !XMLText.isBlank(text) else { return nil }
        return text
    }
}
