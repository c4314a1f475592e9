//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Gateway
import Payments
import Redaction
import StrictJSON

/// What is written on an operation so that its transaction can be told again: nothing that could be charged.
enum TransactionLabel {
    static let transactionID = "transaction"
    static let version = "version"
    static let digest = "digest"
    static let source = "source"
    static let wallet = "wallet"
    static let certainty = "certainty"
    static let location = "location"
    static let instrument = "instrument"
    static let description = "description"
    static let orderReference = "orderReference"
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
    /// The labels that every transaction has.
    func labels(
        _ name: TransactionName, digest: String, reference: String?, notifyURL: String?
    ) -> OperationLabels {
        OperationLabels(
            reference: reference, notifyURL: notifyURL,
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
        var payload = self.payload.setting(CardFields.securityCodePath, nil)
        payload = payload.setting(CardFields.numberPath, payload.maskedNumber.map(JSON.string))
        for path in Self.amountPaths {
            let amount = payload[path]?.string ?? payload[path]?.numberText
            payload = payload.setting(path, amount.map { .string(Self.shortest($0)) } ?? payload[path])
        }
        let fields = payload.canonical.map { canonical in
            canonical.object?.members.flatMap { member in
                [member.name, member.value.string ?? member.value.numberText ?? member.value.text()]
            } ?? []
        }
        let text = ([self.operation.rawValue] + fields.reveal()).map { "\($0.utf8.count):\($0)" }.joined()
        let bytes = requestDigest(text.utf8)
        return (bytes, Hex.encode(bytes))
    }

    private static let amountPaths = ["order.amount", "transaction.amount"]

    /// "61.00" and "61.0" are "61": clients that repeat a request may write its numbers anew.
    private static func shortest(_ amount: String) -> String {
        guard amount.contains(".") else { return amount }
        let digits = amount.reversed().drop { $0 == "0" }
        return String(digits.drop { $0 == "." }.reversed())
    }
}
