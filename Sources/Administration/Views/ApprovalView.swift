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
    ///   - payment: what it is about as it stands now, so that the outcome has the operation's state.
    public func view(_ names: [MerchantID: String], at now: Timestamp, _ payment: Payment? = nil) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["state"] = .string(self.state(at: now).rawValue)
        object["kind"] = .string(self.kind.rawValue)
        object["operation"] = .string(self.operation)
        object["merchant"] = .string(orNull: self.merchantID.map { names[$0] ?? $0.text })
        object["payment"] = .string(orNull: self.paymentID?.text)
        object["amount"] = .string(orNull: self.amount?.decimalText)
        object["currency"] = .string(orNull: self.amount?.currency.code)
        object["summary"] = .string(self.summary)
        object["reason"] = .string(orNull: self.reason)
        object["askedBy"] = .string(self.askedBy.actor)
        object["askedAt"] = .string(self.askedAt.description)
        object["endsAt"] = .string(self.endsAt.description)
        object["decidedBy"] = .string(orNull: self.decidedBy?.actor)
        object["decidedAt"] = .string(orNull: self.decidedAt?.description)
        object["decisionReason"] = .string(orNull: self.decisionReason)
        object["outcome"] = self.outcome.map { .object($0.view(payment)) } ?? .null
        return object
    }
}

extension Approval {
    /// What nobody has decided in time has expired, whether or not that has been written.
    public func state(at now: Timestamp) -> State {
        self.state == .waiting && self.endsAt <= now ? .expired : self.state
    }

    /// As it stands at the payment that it is about, once it waits no more: without reasons, which are for those who ask and
    /// decide.
    func decidedView(of payment: Payment, at now: Timestamp) -> JSONObject {
        var object = self.waitingView
        object["state"] = .string(self.state(at: now).rawValue)
        object["decidedBy"] = .string(orNull: self.decidedBy?.actor)
        object["decidedAt"] = .string(orNull: self.decidedAt?.description)
        object["outcome"] = self.outcome.map { .object($0.view(payment)) } ?? .null
        return object
    }
}

extension Approval.Outcome {
    fileprivate func view(_ payment: Payment?) -> JSONObject {
        var object = JSONObject()
        object["code"] = .string(self.code)
        object["detail"] = self.detail.map { .string($0) }
        object["operation"] = self.operationID.map { .string($0.text) }
        // What was open when the approval's act was over may have an end by now.
        let operation = self.operationID.flatMap { payment?.operation($0) }
        object["state"] = operation.map { .string($0.state.name) }
        if case .failed(let failure) = operation?.state { object["failure"] = .string(failure.name) }
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
        object["refundsAbove"] = self.refundsAbove?.view ?? .null
        object["aboveOwnLimit"] = .bool(self.aboveOwnLimit)
        object["liveCredentials"] = .bool(self.liveCredentials)
        object["routes"] = .bool(self.routes)
        return object
    }
}
