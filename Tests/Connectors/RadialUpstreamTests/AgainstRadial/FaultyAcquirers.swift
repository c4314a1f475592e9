//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import TestUpstream

@testable import RadialUpstream

// The connector with what its gateway does around it, so that all of an operation's calls go over one network.

/// What is acknowledged counts as done here: the other gateway does it at once, and its event says how it ended.
struct Acknowledged: WrappedAcquirer {
    let base: any Acquirer

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        let outcome = await self.base.perform(request)
        guard case .accepted(let acceptance) = outcome else { return outcome }
        return .approved(AcquirerApproval(amount: request.amount, answer: acceptance.answer))
    }
}

/// Confirms the funds of a capture, and settles it.
struct Preparing: WrappedAcquirer {
    let base: any Acquirer

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        guard case .capture = request.action else { return await self.base.perform(request) }
        return await self.base.perform(preparing: request)
    }
}

/// Authorizes, confirms the funds and debits. A sale whose debit is acknowledged counts as done here.
struct Selling: WrappedAcquirer {
    let base: any Acquirer
    let notes: SaleNotes

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        let outcome = await self.base.perform(request)
        guard case .accepted(let acceptance) = outcome else { return outcome }
        self.notes.note(acceptance.memo, of: request.operationID)
        switch await self.goOn(request, acceptance.memo) {
        case .approved(let approval): return .approved(approval)
        case .declined(let decline): return .declined(decline)
        case .unknown(let unknown): return .unknown(unknown)
        case .accepted, .notFound, .reversed: return .unclear("sale_open")
        }
    }

    /// What has become of a sale by now, asked further.
    func find(_ request: AcquirerRequest) async -> AcquirerQueryOutcome? {
        guard let memo = self.notes.memo(of: request.operationID) else { return nil }
        return await self.goOn(request, memo)
    }

    private func goOn(_ request: AcquirerRequest, _ memo: AcquirerMemo) async -> AcquirerQueryOutcome {
        var isDebited = memo[RadialNote.debit] != nil
        let ended = await self.base.goOn(request.with(memo).asQuery) { noted in
            self.notes.note(noted, of: request.operationID)
            isDebited = isDebited || noted[RadialNote.debit] != nil
        }
        if let ended { return ended }
        return isDebited
            ? .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
            : .unknown(.unclear("sale_open"))
    }
}

/// What is noted of sales. What was noted first stays: the later answers to the same request may have been garbled.
final class SaleNotes: Sendable {
    private let memos = Mutex<[OperationID: AcquirerMemo]>([:])

    func note(_ memo: AcquirerMemo, of id: OperationID) {
        self.memos.withLock { $0[id] = memo.merging($0[id] ?? AcquirerMemo()) }
    }

    func memo(of id: OperationID) -> AcquirerMemo? { self.memos.withLock { $0[id] } }
}

/// Gives back the authorization of a sale that comes to nothing.
struct GivingBack: WrappedAcquirer {
    let base: any Acquirer

    /// - Parameter request: of the sale, or the reversal of one whose memo has a reason.
    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        guard case .reverse(let original) = request.action else { return await self.base.perform(request) }
        let query = AcquirerQuery(
            paymentID: request.paymentID, merchantID: request.merchantID, original: original, at: request.begunAt)
        switch await self.base.query(query) {
        case .declined: return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
        // It is tried again with the next question.
        case .accepted, .approved, .unknown, .notFound, .reversed: return .unclear("authorization_not_given_back")
        }
    }
}
