//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
public import StrictJSON
public import Time

extension Approval {
    /// - Parameters:
    ///   - names: of merchants.
    ///   - now: what nobody has decided in time is shown as expired, whether or not that has been written.
    public func view(_ names: [MerchantID: String], at now: Timestamp) -> JSONObject {
        let isLate = self.state == .waiting && self.endsAt <= now
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["state"] = .string((isLate ? State.expired : self.state).rawValue)
        object["kind"] = .string(self.kind.rawValue)
        object["operation"] = .string(self.operation)
        object["merchant"] = Self.text(self.merchantID.map { names[$0] ?? $0.text })
        object["payment"] = Self.text(self.paymentID?.text)
        object["amount"] = Self.text(self.amount?.decimalText)
        object["currency"] = Self.text(self.amount?.currency.code)
        object["summary"] = .string(self.summary)
        object["reason"] = Self.text(self.reason)
        object["askedBy"] = .string(self.askedBy.actor)
        object["askedAt"] = .string(self.askedAt.description)
        object["endsAt"] = .string(self.endsAt.description)
        object["decidedBy"] = Self.text(self.decidedBy?.actor)
        object["decidedAt"] = Self.text(self.decidedAt?.description)
        object["decisionReason"] = Self.text(self.decisionReason)
        object["outcome"] = self.outcome.map { .object($0.view) } ?? .null
        return object
    }

    private static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}

extension Approval.Outcome {
    fileprivate var view: JSONObject {
        var object = JSONObject()
        object["code"] = .string(self.code)
        object["detail"] = self.detail.map { .string($0) }
        object["operation"] = self.operationID.map { .string($0.text) }
        return object
    }
}

extension ApprovalPolicy {
    /// What the house's is called, which no merchant can be.
    public static let houseName = "house"

    /// - Parameter names: of merchants.
    public func view(_ names: [MerchantID: String]) -> JSONObject {
        var object = JSONObject()
        object["policy"] = .string(self.merchantID.map { names[$0] ?? $0.text } ?? Self.houseName)
        object["refundsAbove"] =
            self.refundsAbove.map { limits in
                let texts = limits.map { ($0.key.code, Money(minorUnits: $0.value, currency: $0.key).decimalText) }
                return .object(JSONObject(texts: Dictionary(texts, uniquingKeysWith: { first, _ in first })))
            } ?? .null
        object["aboveOwnLimit"] = .bool(self.aboveOwnLimit)
        object["liveCredentials"] = .bool(self.liveCredentials)
        object["routes"] = .bool(self.routes)
        return object
    }
}
