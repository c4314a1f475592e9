//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Money
public import Payments
public import SimulatorAcquirer

/// Operations of one kind that a connector makes at another gateway, which speaks its service's language: what
/// ``FaultLaw`` is checked on.
public protocol FaultSubject: Sendable {
    var other: OtherGateway { get }
    /// Whether what was changed in an answer on its way can be seen in it.
    var answersAreSigned: Bool { get }
    /// By how many bytes a request may be shorter when it is made again: signatures are not all of one length when they
    /// are encoded for a header.
    var requestLengthVariance: Int { get }
    /// Of how many places where a message may break one is tried in a run.
    var placesStride: Int { get }
    /// The same of places where a byte of a request may be another: each of these is an operation of its own, with all
    /// that must come before it.
    var garbledRequestsStride: Int { get }

    func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer
    /// An operation that was never sent, with ids of its own, prepared. What must come before it is done.
    ///
    /// - Parameter sound: over a network that does no harm.
    func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest
    /// What the other gateway's acquirer has booked, by the names that payments have there.
    func positions() async throws -> [String: SimulatorPosition]
    /// What of it the operation has moved; `nil` where it is not known there.
    func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money?
    /// Finds out how an operation stands, by whatever means recovery has; `nil` where only reports say it.
    func find(
        _ request: AcquirerRequest, after outcome: AcquirerOutcome, _ sound: any Acquirer
    ) async -> AcquirerQueryOutcome?
    /// Whether a finding is right here that would be wrong elsewhere.
    func allows(_ finding: FaultFinding) -> Bool
}

extension FaultSubject {
    public var answersAreSigned: Bool { false }
    public var requestLengthVariance: Int { 0 }
    public var placesStride: Int { 1 }
    public var garbledRequestsStride: Int { 5 }
    public func allows(_ finding: FaultFinding) -> Bool { false }

    public func find(
        _ request: AcquirerRequest, after outcome: AcquirerOutcome, _ sound: any Acquirer
    ) async -> AcquirerQueryOutcome? {
        await sound.query(request.asQuery)
    }
}

extension AcquirerRequest {
    /// Asks what became of it, with what was noted when it was prepared.
    public var asQuery: AcquirerQuery {
        let (kind, isSale) = self.queried
        let total = self.original?.authorizedTotal ?? self.amount
        let original = OriginalOperation(
            id: self.operationID, kind: kind, isSale: isSale, amount: self.amount, begunAt: self.begunAt,
            authorizedTotal: total, capturedTotal: isSale ? self.amount : .zero(self.amount.currency), memo: self.memo)
        return AcquirerQuery(
            paymentID: self.paymentID, merchantID: self.merchantID, original: original, at: self.begunAt)
    }

    private var queried: (kind: PaymentOperation.Kind, isSale: Bool) {
        switch self.action {
        case .authorize(let charge): (.authorization, charge.captures)
        case .verify: (.verification, false)
        case .capture: (.capture, false)
        case .refund: (.refund, false)
        case .adjust: (.adjustment, false)
        case .void: (.void, false)
        case .reverse: (.reversal, false)
        }
    }
}

/// What was said of an operation that went through a fault, and what is so.
public struct FaultFinding: Sendable, CustomStringConvertible {
    public let fault: FaultyProxy.Fault
    /// Of the operation.
    public let amount: Money
    public let outcome: AcquirerOutcome
    /// What is found out afterwards; `nil` where only reports say it.
    public let found: AcquirerQueryOutcome?
    /// What the other gateway's acquirer has booked; `nil` where it knows nothing of the operation.
    public let booked: Money?

    /// "HTTP/1.1 200": what is changed there says that somebody else has answered, for whom nothing was done. TLS keeps
    /// that from happening.
    public var isOfAnotherStatus: Bool {
        guard case .garbleAnswer(let index) = self.fault, case .notProcessed(let not) = self.outcome else {
            return false
        }
        return (9..<12).contains(index) && not.word.hasPrefix("http_")
    }

    public var isNothingBooked: Bool { self.booked?.isPositive != true }

    /// A byte of the request that is another may have made another request of it.
    public var isOfAnotherRequest: Bool { if case .garbleRequest = self.fault { true } else { false } }

    public var description: String {
        "\(self.fault): \(self.outcome), found \(self.found.map { "\($0)" } ?? "-"), booked \(self.booked?.description ?? "-")"
    }

    /// - Parameter answersAreSigned: whether an approval must be found as it was answered even where a byte of the answer
    ///   was another.
    func agrees(answersAreSigned: Bool) -> Bool {
        switch self.outcome {
        case .approved(let approval):
            guard self.booked == approval.amount else { return false }
            guard let found else { return true }
            if case .garbleAnswer = self.fault, !answersAreSigned { return found.approvedAmount == approval.amount }
            return found == .approved(approval)
        case .notProcessed: return self.isNothingBooked && (self.found ?? .notFound) == .notFound
        case .unknown:
            switch self.found {
            case .approved(let approval): return self.booked == approval.amount
            case .notFound, .reversed, .declined: return self.isNothingBooked
            case nil: return self.isNothingBooked || self.booked == self.amount
            case .accepted, .unknown: return false
            }
        // No card here is declined, and none is decided later.
        case .declined, .accepted: return false
        }
    }
}

extension AcquirerQueryOutcome {
    var approvedAmount: Money? {
        if case .approved(let approval) = self { approval.amount } else { nil }
    }
}
