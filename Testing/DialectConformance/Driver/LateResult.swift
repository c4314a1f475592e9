//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit

/// What an acquirer reports of a payment of 10.00 that it had approved: what came to nothing after all, and what the
/// cardholder's bank took back.
public enum LateResult: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A sale.
    case saleFails
    /// An authorization of which nothing was captured.
    case authorizationFails
    /// The capture of all; the authorization holds the money again.
    case captureFails
    /// A refund of 4.00 after the capture of all: suspected fraud.
    case refundFails
    /// A chargeback of all that was captured.
    case wholeChargeback
    /// A chargeback of 4.00 after the capture of all.
    case partialChargeback
    /// A chargeback of 4.00 that the bank has given up again.
    case chargebackReversed

    public var description: String { self.rawValue }

    /// What must be the same in every dialect.
    var truth: LateTruth {
        switch self {
        case .saleFails, .authorizationFails: LateTruth(verdict: .declined, captured: 0, refundable: 0)
        case .captureFails: LateTruth(verdict: .approved, captured: 0, refundable: 0)
        case .refundFails: LateTruth(verdict: .approved, captured: 1000, refundable: 1000)
        case .wholeChargeback: LateTruth(verdict: .approved, captured: 1000, refundable: 0)
        case .partialChargeback: LateTruth(verdict: .approved, captured: 1000, refundable: 600)
        case .chargebackReversed: LateTruth(verdict: .approved, captured: 1000, refundable: 1000)
        }
    }
}

struct LateTruth: Sendable {
    /// A query's.
    let verdict: DialectVerdict
    /// What a query says is captured, in minor units. A chargeback is no refund, and takes nothing from it.
    let captured: Int64
    /// What can be refunded then, in minor units.
    let refundable: Int64
}

/// What a shop can see of a late result: when it asks, and by what it is sent.
///
/// Values go by the names of the client's readings: a dotted path in JSON, with the places in lists as numbers
/// ("trade_records.0.record_status"), a field's name, an element's name. `nil` is a value that must not be there.
public struct LateView: Sendable {
    public struct Question: Sendable {
        let request: NamedRequest
        public let says: [String: String?]

        public init(_ name: String, _ request: WireRequest, says: [String: String?]) {
            self.request = NamedRequest(name, request)
            self.says = says
        }
    }

    /// What can be asked, by every call that the dialect has for it, and what the answers say.
    public var asked: [Question]
    /// What is sent after the report, message by message.
    public var sent: [[String: String?]]

    public init(asked: [Question], sent: [[String: String?]]) {
        self.asked = asked
        self.sent = sent
    }
}
