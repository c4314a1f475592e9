//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Synchronization

/// What the shops have been answered, and what of it must never change.
final class Receipts: Sendable {
    struct Receipt: Sendable {
        let request: ShopRequest
        /// The operation that any answer has named.
        var operationID: OperationID?
        /// The first answer that said how it ended.
        var ended: OperationOutcome?
    }

    private struct State {
        var receipts: [Receipt] = []
        var payments: [PaymentID] = []
    }

    private let record: Record
    private let state = Mutex(State())

    init(record: Record) {
        self.record = record
    }

    var all: [Receipt] { self.state.withLock { $0.receipts } }

    /// Payments that a shop has heard of, but for those of which it knows that nothing can follow.
    var livePayments: [PaymentID] {
        self.state.withLock { state in
            let failed = state.receipts.compactMap(\.ended).filter { ended in
                guard ended.operation.id == ended.payment.opening?.id else { return false }
                return ended.operation.state != .succeeded || ended.operation.kind == .verification
            }
            return state.payments.filter { id in !failed.contains { $0.payment.id == id } }
        }
    }

    func makeRequest(
        _ name: String, isRepeatable: Bool, _ contents: ShopRequest.Contents
    ) -> ShopRequest {
        self.state.withLock { state in
            let request = ShopRequest(
                number: state.receipts.count, name: name, isRepeatable: isRepeatable, contents: contents)
            state.receipts.append(Receipt(request: request))
            return request
        }
    }

    func hasEnded(_ request: ShopRequest) -> Bool {
        self.state.withLock { $0.receipts[request.number].ended != nil }
    }

    /// - Parameter hadEnded: whether it was known how it ended when this call was made.
    func file(_ reply: Reply<OperationOutcome>, to request: ShopRequest, hadEnded: Bool) {
        switch reply {
        case .lost: self.record.note("shop: \(request.number) \(request.name): no answer")
        case .refused(let refusal): self.file(refusal, to: request)
        case .answered(let outcome): self.file(outcome, to: request, hadEnded: hadEnded)
        }
    }

    private func file(_ refusal: GatewayRefusal, to request: ShopRequest) {
        self.record.note("shop: \(request.number) \(request.name): refused \(refusal)")
        let wasBegun = self.state.withLock { $0.receipts[request.number].operationID != nil }
        if wasBegun, request.isRepeatable, refusal != .storeUnavailable {
            self.record.violation("call \(request.number) (\(request.name)) was begun and is refused: \(refusal)")
        }
        if !refusal.isToBeExpected {
            self.record.violation("call \(request.number) (\(request.name)) is refused: \(refusal)")
        }
    }

    private func file(_ outcome: OperationOutcome, to request: ShopRequest, hadEnded: Bool) {
        self.record.note(
            "shop: \(request.number) \(request.name): \(outcome.operation.id) of \(outcome.payment.id) "
                + "\(outcome.operation.state) in version \(outcome.payment.version)")
        let problem: String? = self.state.withLock { state in
            if outcome.operation.id == outcome.payment.opening?.id, !state.payments.contains(outcome.payment.id) {
                state.payments.append(outcome.payment.id)
            }
            let receipt = state.receipts[request.number]
            guard request.isRepeatable || receipt.operationID == nil else { return nil }
            state.receipts[request.number].operationID = outcome.operation.id
            if let first = receipt.operationID, first != outcome.operation.id {
                return "has begun \(first) and then \(outcome.operation.id)"
            }
            guard let ended = receipt.ended else {
                if outcome.operation.state.isResolved { state.receipts[request.number].ended = outcome }
                return nil
            }
            // A call that waits for the acquirer may learn last, and only that it doesn't know.
            if !hadEnded, !outcome.operation.state.isResolved { return nil }
            return ended.difference(from: outcome).map { "is answered otherwise than at first: \($0)" }
        }
        if let problem { self.record.violation("call \(request.number) (\(request.name)) \(problem)") }
    }
}

extension OperationOutcome {
    /// What a repeat must say as the first answer did: everything.
    fileprivate func difference(from other: OperationOutcome) -> String? {
        if self.operation != other.operation {
            return "the operation \(self.operation.state), \(other.operation.state)"
        }
        if self.payment.version != other.payment.version {
            return "version \(self.payment.version), \(other.payment.version)"
        }
        if self.payment != other.payment { return "the payment" }
        return self.order == other.order ? nil : "the order"
    }
}

extension GatewayRefusal {
    /// Whether random calls in bad weather may be refused so.
    fileprivate var isToBeExpected: Bool {
        switch self {
        case .payment, .storeUnavailable, .orderPaid, .orderInProcess, .tokenReplayed, .keptTokenUnknown,
            .keptTokenExpired:
            true
        // The clocks of some nodes are minutes off.
        case .token: self.tokenCode?.hasPrefix("signing_time") == true
        default: false
        }
    }
}
