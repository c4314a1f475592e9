//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Money
public import Payments
import Redaction
public import StrictJSON
import Time

extension Payment {
    /// Without operations.
    ///
    /// - Parameter merchant: whose it is, by name.
    public func summaryView(merchant: String) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["merchant"] = .string(merchant)
        object["mode"] = .string(self.mode.rawValue)
        object["dialect"] = .string(self.dialect.text)
        object["acquirer"] = .string(self.acquirer.text)
        object["order"] = .string(orNull: self.orderID?.text)
        object["state"] = .string(self.state.rawValue)
        object["beingReversed"] = .bool(self.isBeingReversed)
        object["amount"] = .string(self.amount.decimalText)
        object["currency"] = .string(self.amount.currency.code)
        object["authorized"] = .string(self.authorizedAmount.decimalText)
        object["captured"] = .string(self.capturedAmount.decimalText)
        object["refunded"] = .string(self.refundedAmount.decimalText)
        object["chargedBack"] = .string(self.chargedBackAmount.decimalText)
        object["card"] = .object(self.instrument.view)
        object["createdAt"] = .string(self.createdAt.description)
        object["version"] = JSON(self.version)
        return object
    }

    /// With operations.
    ///
    /// - Parameter recovery: the job that finds out what became of those that are open.
    public func view(merchant: String, recovery: Job?) -> JSONObject {
        var object = self.summaryView(merchant: merchant)
        object["operations"] = .array(
            self.operations.map { operation in
                var view = operation.view
                if let inquiries = self.inquiries(about: operation, recovery) {
                    view["queries"] = JSON(inquiries.count)
                }
                // As long as nobody has acknowledged it, which may be hours.
                view["beingReversedBy"] = self.unresolvedReversal(of: operation.id).map { .string($0.id.text) }
                return .object(view)
            })
        return object
    }
}

extension Payment {
    /// How often the acquirer was asked what became of an operation. While that is not known the job has it.
    func inquiries(about operation: Operation, _ recovery: Job?) -> Inquiries? {
        if let inquiries = operation.inquiries { return inquiries }
        // Nobody asks while the call itself may still be answered.
        let isAskedAbout =
            switch operation.state {
            case .unknown, .accepted: true
            case .pending: self.unresolvedReversal(of: operation.id) != nil
            case .succeeded, .failed: false
            }
        guard isAskedAbout, operation.kind != .reversal, let inquiries = Inquiries(recovery),
            inquiries.latestAt >= operation.begunAt
        else { return nil }
        return inquiries
    }
}

extension InstrumentSummary {
    public var view: JSONObject {
        var object = JSONObject()
        object["accountNumber"] = .string(self.maskedPAN.description)
        object["network"] = .string(self.network.rawValue)
        object["expires"] = .string(self.expiryYearMonth)
        object["eci"] = .string(orNull: self.eci)
        object["displayName"] = .string(orNull: self.displayName)
        return object
    }
}

extension Operation {
    public var view: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["kind"] = .string(self.kind.rawValue)
        object["state"] = .string(self.state.name)
        object["target"] = .string(orNull: self.target?.text)
        object["amount"] = .string(self.amount.decimalText)
        object["approvedAmount"] = .string(orNull: self.approvedAmount?.decimalText)
        if case .failed(let failure) = self.state { object["failure"] = .string(failure.name) }
        if let reason = self.unknownReason { object["unknownReason"] = .string(reason.rawValue) }
        object["acquirerReference"] = .string(orNull: self.acquirerReference)
        object["authorizationCode"] = .string(orNull: self.answer.authorizationCode)
        object["responseCode"] = .string(orNull: self.answer.responseCode)
        // What few acquirers say is there where it was said.
        for (name, value) in self.answer.furtherFacts { object[name] = .string(value) }
        object["reference"] = .string(orNull: self.merchantReference)
        object["begunAt"] = .string(self.begunAt.description)
        object["resolvedAt"] = .string(orNull: self.resolvedAt?.description)
        object["milliseconds"] = self.resolvedAt.map { JSON(max(0, $0.milliseconds(since: self.begunAt))) } ?? .null
        return object
    }
}

extension AcquirerAnswer {
    /// All that it says of the operation, by the names that views have for it. What it says of the card behind a device's
    /// account, its last digits and expiry, is the payment's and shown with the card.
    public var facts: [(name: String, value: String)] { self.facts(Self.usual + Self.further) }

    /// What few acquirers say.
    fileprivate var furtherFacts: [(name: String, value: String)] { self.facts(Self.further) }

    /// The names of all facts, as they are shown.
    public static var factNames: [String] { (self.usual + self.further).map(\.0) }

    private typealias Fact = (String, @Sendable (AcquirerAnswer) -> String?)

    private static let usual: [Fact] = [
        ("acquirerReference", \.reference), ("authorizationCode", \.authorizationCode),
        ("responseCode", \.responseCode),
    ]

    private static let further: [Fact] = [
        ("vendorCode", \.vendorCode), ("vendorText", \.vendorText), ("merchantAdviceCode", \.merchantAdviceCode),
        ("eci", \.eci), ("stan", \.stan), ("addressCheck", \.addressCheck),
        ("securityCodeCheck", \.securityCodeCheck), ("networkReference", \.networkReference),
        ("paymentAccountReference", \.paymentAccountReference), ("reconciliationId", \.reconciliationID),
        ("acquirerReferenceNumber", \.acquirerReferenceNumber), ("processor", \.processor),
        ("authorizationExpiresAt", { $0.authorizationExpiresAt?.description }),
    ]

    private func facts(_ facts: [Fact]) -> [(name: String, value: String)] {
        facts.compactMap { name, value in value(self).map { (name, $0) } }
    }
}

extension Operation.State {
    /// What states are called, without why one failed.
    private enum Name: String, CaseIterable {
        case pending
        case unknown
        case accepted
        case succeeded
        case failed
    }

    /// The name of each.
    public static var names: [String] { Name.allCases.map(\.rawValue) }

    /// A stable name.
    public var name: String {
        let name: Name =
            switch self {
            case .pending: .pending
            case .unknown: .unknown
            case .accepted: .accepted
            case .succeeded: .succeeded
            case .failed: .failed
            }
        return name.rawValue
    }
}

extension OperationFailure {
    /// "insufficientFunds", "reversed", "notSent".
    public var name: String {
        switch self {
        case .declined(let reason): reason.rawValue
        case .reversed: "reversed"
        case .notProcessed(let reason): reason.rawValue
        }
    }
}

extension JournalEntry {
    public var view: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id)
        object["kind"] = .string(self.kind.rawValue)
        object["bookedAt"] = .string(self.bookedAt.description)
        object["postings"] = .array(
            self.postings.map { posting in
                [
                    "account": .string(posting.account.path), "layer": .string(posting.layer.rawValue),
                    "side": .string(posting.side.rawValue), "amount": .string(posting.amount.decimalText),
                    "currency": .string(posting.amount.currency.code),
                ]
            })
        return object
    }
}
