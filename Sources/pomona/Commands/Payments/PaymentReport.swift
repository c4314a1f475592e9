//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// A payment as JSON and in words.
struct PaymentReport {
    private let payment: Payment
    private let merchantName: String

    init(_ payment: Payment, merchantName: String) {
        self.payment = payment
        self.merchantName = merchantName
    }

    /// Without operations.
    var summaryJSON: JSON { .object(self.summary) }

    private var summary: JSONObject {
        let payment = self.payment
        var object = JSONObject()
        object["id"] = .string(payment.id.text)
        object["merchant"] = .string(self.merchantName)
        object["mode"] = .string(payment.mode.rawValue)
        object["dialect"] = .string(payment.dialect.text)
        object["acquirer"] = .string(payment.acquirer.text)
        object["order"] = payment.orderID.map { .string($0.text) } ?? .null
        object["state"] = .string(payment.state.rawValue)
        object["amount"] = .string(payment.amount.decimalText)
        object["currency"] = .string(payment.amount.currency.code)
        object["authorized"] = .string(payment.authorizedAmount.decimalText)
        object["captured"] = .string(payment.capturedAmount.decimalText)
        object["refunded"] = .string(payment.refundedAmount.decimalText)
        object["card"] = payment.instrument.json
        object["createdAt"] = .string(payment.createdAt.description)
        object["version"] = JSON(payment.version)
        return object
    }

    /// With operations.
    var json: JSONObject {
        var object = self.summary
        object["operations"] = .array(self.payment.operations.map(\.json))
        return object
    }

    var fields: Fields {
        let payment = self.payment
        var fields = Fields()
        fields.add("payment", payment.id.text)
        fields.add("merchant", "\(self.merchantName) (\(payment.mode.rawValue)), through \(payment.dialect.text)")
        fields.add("order", payment.orderID?.text)
        fields.add("state", payment.state.words)
        fields.add("amount", payment.amount.description)
        fields.add("authorized", payment.authorizedAmount.description)
        fields.add("captured", payment.capturedAmount.description)
        fields.add("refunded", payment.refundedAmount.description)
        fields.add("card", payment.instrument.words)
        fields.add("acquirer", payment.acquirer.text)
        fields.add("created", payment.createdAt.description)
        return fields
    }
}

extension PaymentState {
    /// "partially refunded".
    var words: String { self.rawValue.spaced }
}

extension String {
    /// A name in camel case as words: "partiallyRefunded" is "partially refunded".
    var spaced: String {
        self.reduce(into: "") { text, character in
            text += character.isUppercase ? " " + character.lowercased() : String(character)
        }
    }
}

extension InstrumentSummary {
    fileprivate var json: JSON {
        var object = JSONObject()
        object["accountNumber"] = .string(self.maskedPAN.description)
        object["network"] = .string(self.network.rawValue)
        object["expires"] = .string(self.expiryYearMonth)
        object["eci"] = self.eci.map { .string($0) } ?? .null
        object["displayName"] = self.displayName.map { .string($0) } ?? .null
        return .object(object)
    }

    /// "489537xxxxxx5671 (visa), expires 12/31, ECI 7".
    var words: String {
        let expiry = "\(self.expiryYearMonth.suffix(2))/\(self.expiryYearMonth.prefix(2))"
        let eci = self.eci.map { ", ECI \($0)" } ?? ""
        return "\(self.maskedPAN) (\(self.network.rawValue)), expires \(expiry)\(eci)"
    }
}

extension Operation {
    fileprivate var json: JSON {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["kind"] = .string(self.kind.rawValue)
        object["state"] = .string(self.state.name)
        object["amount"] = .string(self.amount.decimalText)
        object["approvedAmount"] = self.approvedAmount.map { .string($0.decimalText) } ?? .null
        if case .failed(let failure) = self.state { object["failure"] = .string(failure.name) }
        if let reason = self.unknownReason { object["unknownReason"] = .string(reason.rawValue) }
        object["acquirerReference"] = self.answer.reference.map { .string($0) } ?? .null
        object["authorizationCode"] = self.answer.authorizationCode.map { .string($0) } ?? .null
        object["responseCode"] = self.answer.responseCode.map { .string($0) } ?? .null
        object["reference"] = self.labels.reference.map { .string($0) } ?? .null
        object["begunAt"] = .string(self.begunAt.description)
        object["resolvedAt"] = self.resolvedAt.map { .string($0.description) } ?? .null
        return .object(object)
    }

    /// "capture (final)".
    var words: String { self.kind.rawValue + (self.isFinalCapture ? " (final)" : "") }
}

extension Operation.State {
    var name: String {
        switch self {
        case .pending: "pending"
        case .unknown: "unknown"
        case .accepted: "accepted"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
    }
}

extension OperationFailure {
    /// "insufficientFunds", "reversed", "notSent".
    var name: String {
        switch self {
        case .declined(let reason): reason.rawValue
        case .reversed: "reversed"
        case .notProcessed(let reason): reason.rawValue
        }
    }
}
