//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Logging
import Metrics
import Money
import Payments
import Redaction
import Time

// What connectors note of cards, and its end: PCI DSS 4.0.1, requirement 3.2.1, keeps account data no longer than it is
// needed, and 3.3.1 keeps no authentication data at all.

/// When a payment of which something is open, or of which nothing is known, is looked at again.
private let nextLookSeconds: Int64 = 3600

extension Gateway {
    /// Looks at a payment's card data an hour after it was noted: of what came to nothing it is deleted then.
    static func scheduleForgetting(
        of payment: PaymentID, at now: Timestamp, in transaction: any StoreTransaction
    ) throws {
        try transaction.schedule(
            Job(kind: .forget, paymentID: payment, dueAt: now.adding(seconds: nextLookSeconds)))
    }

    /// One pass over the card data whose time may be over. A worker calls it again and again; it takes each payment under
    /// a lease.
    ///
    /// - Returns: how many payments were looked at.
    public func forgetCardData(limit: Int = 64) async -> Int {
        let jobs = await self.lease(.forget, limit: limit)
        for job in jobs {
            do throws(GatewayRefusal) {
                try await self.forget(job)
            } catch {
                self.logger.error(
                    "card data could not be deleted; it is tried again",
                    metadata: ["payment": "\(job.paymentID)", "reason": "\(error)"])
            }
        }
        return jobs.count
    }

    private func forget(_ job: Job) async throws(GatewayRefusal) {
        guard let payment = try await self.reading({ try $0.payment(job.paymentID) }) else { return }
        let now = self.clock()
        // An account that cannot be opened, whatever the reason, does not say how long it is kept; what it said when the
        // card data was noted counts then. The log says why it cannot.
        var keptSeconds: Int64?
        do throws(GatewayRefusal) {
            keptSeconds = try await self.acquirer(of: payment).map { $0.capabilities.cardData?.keptSeconds ?? 0 }
        } catch {
            self.logger.notice("the account of card data cannot be read", metadata: ["payment": "\(payment.id)"])
        }
        let isDeleted = try await self.writing { [keptSeconds] transaction -> Bool in
            guard let payment = try transaction.payment(job.paymentID) else { return false }
            let isPlanned = try transaction.job(.capture, of: payment.id) != nil
            let noted = try transaction.memos(of: payment.id).compactMap(\.keptSeconds).max()
            let end = payment.cardDataEnd(keptSeconds: keptSeconds ?? noted ?? 0)
            guard let end, end <= now, !isPlanned else {
                var later = job
                later.dueAt = max(end ?? now, now.adding(seconds: nextLookSeconds))
                try transaction.update(later)
                return false
            }
            try transaction.deleteMemos(.cardData, of: payment.id)
            try transaction.delete(.forget, of: payment.id)
            return true
        }
        guard isDeleted else { return }
        Counter(label: "pomona_card_data_deleted_total").increment()
        self.logger.info("card data deleted", metadata: ["payment": "\(job.paymentID)"])
    }
}

extension Gateway {
    /// Refuses what the connector could not send any more.
    ///
    /// - Throws: ``GatewayRefusal/cardDataDeleted``.
    static func requireCardData(
        for action: OperationRequest.Action, of payment: Payment, _ capabilities: AcquirerCapabilities,
        in transaction: any StoreTransaction
    ) throws {
        guard let retention = capabilities.cardData, retention.neededBy.contains(action.kind),
            let opening = payment.opening
        else { return }
        let isThere = try transaction.memos(of: payment.id).contains {
            $0.part == .cardData && $0.operationID == opening.id
        }
        guard isThere else { throw GatewayRefusal.cardDataDeleted }
    }
}

extension OperationRequest.Action {
    fileprivate var kind: Operation.Kind {
        switch self {
        case .capture: .capture
        case .refund: .refund
        case .adjustment: .adjustment
        case .void: .void
        case .reversal: .reversal
        }
    }
}

extension Payment {
    /// When what is noted of its card is over: at once where nothing was approved, else when its time after the last
    /// operation is.
    ///
    /// - Returns: `nil` while something is open, which may have to be taken back.
    fileprivate func cardDataEnd(keptSeconds: Int64) -> Timestamp? {
        guard self.isWhollyResolved, let last = self.operations.compactMap(\.resolvedAt).max() else { return nil }
        // What a capture under way took although the authorization came to nothing has to be given back.
        let isOver = self.state.cameToNothing && !self.keptAmount.isPositive
        return isOver ? last : last.adding(seconds: max(0, keptSeconds))
    }
}

extension AcquirerMemo {
    /// Whether it has what must not be stored: the authentication data of what is paid with in any part, or the card's
    /// number in a part that is not deleted.
    ///
    /// A security code is three digits, which any number may have: of it ``AcquirerLaw`` in the conformance suite sees.
    func mustNotBeKept(of instrument: PaymentInstrument) -> Bool {
        let lasting = self.entries.values.map { $0.reveal() } + self.handles
        switch instrument {
        case .networkToken(let token):
            let number = token.pan.reveal()
            let proofs = token.proof.authenticationData.flatMap { bytes in
                [Base64.encode(bytes), Hex.encode(bytes), Hex.encode(bytes, isUpperCase: true)]
            }
            let all = lasting + self.cardData.values.map { $0.reveal() }
            return lasting.contains { $0.contains(number) }
                || all.contains { text in proofs.contains { text.contains($0) } }
        case .sealedApplePayToken(let sealed):
            let token = String(decoding: sealed.paymentData.reveal(), as: UTF8.self)
            return lasting.contains { $0.contains(token) }
                || self.cardData.values.contains { $0.reveal().contains(token) }
        }
    }
}

extension NetworkToken.Proof {
    fileprivate var authenticationData: [[UInt8]] {
        switch self {
        case .cryptogram(let cryptogram): [cryptogram.reveal()].filter { !$0.isEmpty }
        case .emv(let data, _): [data.reveal()].filter { !$0.isEmpty }
        case .securityCode: []
        }
    }
}

extension AcquirerOutcome {
    /// The same, with nothing to note.
    var withoutMemo: AcquirerOutcome {
        switch self {
        case .approved(let approval): .approved(AcquirerApproval(amount: approval.amount, answer: approval.answer))
        case .declined(let decline):
            .declined(
                AcquirerDecline(
                    reason: decline.reason, answer: decline.answer, wasNeverSent: decline.wasNeverSent))
        case .accepted(let acceptance): .accepted(AcquirerAcceptance(acceptance.answer))
        case .notProcessed: self
        case .unknown(let unknown): .unknown(UnknownOutcome(unknown.reason, unknown.word))
        }
    }
}
