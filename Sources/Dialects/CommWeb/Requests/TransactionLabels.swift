//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Gateway
import Payments
import Redaction
import StrictJSON

/// What is written on an operation so that its transaction can be shown again: nothing that could be charged.
enum TransactionLabel {
    static let transactionID = "transaction"
    static let version = "version"
    static let digest = "digest"
    static let source = "source"
    static let agreementID = "agreement"
    static let agreementType = "agreementType"
    static let wallet = "wallet"
    static let certainty = "certainty"
    static let location = "location"
    static let instrument = "instrument"
    static let description = "description"
    static let orderReference = "orderReference"
    static let nameOnCard = "nameOnCard"
    static let devicePrefix = "device."
}

extension Operation {
    /// The wire's id; `nil` for what is no transaction of the wire.
    var transactionID: String? { self.labels.fields[TransactionLabel.transactionID] }

    /// Whether the id is this transaction's, byte for byte: texts that Unicode holds to be equal are two ids on the
    /// wire, and must not pass for a repeat of one.
    func isTransaction(_ id: String) -> Bool { self.transactionID?.utf8.elementsEqual(id.utf8) ?? false }
}

extension Call {
    /// The labels that every transaction has. Where its order has named no address, it is reported to the account's.
    func labels(
        _ name: TransactionName, digest: String, reference: String?, notifyURL: String?
    ) -> OperationLabels {
        OperationLabels(
            reference: reference, notifyURL: notifyURL,
            notifySettings: notifyURL == nil ? [AccountSettings.notifyURLName] : [],
            fields: [
                TransactionLabel.transactionID: name.transactionID, TransactionLabel.version: self.version.text,
                TransactionLabel.digest: digest,
            ])
    }

    /// SHA-256, hex, of what is asked: equal for identical requests, whichever flavor they came in.
    ///
    /// A card number enters masked and its security code not at all, because a digest of so few unknown digits gives
    /// them away to whoever tries all of them.
    var digest: (bytes: [UInt8], text: String) {
        let payload = self.payload
        var text: [UInt8] = []
        Self.append(self.operation.rawValue, to: &text)
        for (path, value) in payload.sorted.reveal() {
            var value = value.string ?? value.numberText ?? value.text()
            switch path {
            case CardFields.securityCodePath: continue
            case CardFields.numberPath:
                guard let masked = payload.maskedNumber else { continue }
                value = masked
            case "order.amount", "transaction.amount": value = Self.shortest(value)
            default: break
            }
            Self.append(path, to: &text)
            Self.append(value, to: &text)
        }
        let bytes = requestDigest(text)
        return (bytes, Hex.encode(bytes))
    }

    /// With its length before it, so that two texts are never one.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(text.utf8.count).utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: text.utf8)
    }

    /// "61.00" and "61.0" are "61": clients that repeat a request may write its numbers anew.
    private static func shortest(_ amount: String) -> String {
        guard amount.utf8.contains(UInt8(ascii: ".")) else { return amount }
        var digits = amount.utf8[...]
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        while digits.last == UInt8(ascii: ".") { digits.removeLast() }
        return String(Substring(digits))
    }
}
