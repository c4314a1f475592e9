//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import TestUpstream
import Testing

@testable import TapPayUpstream

/// One payment of ``Bench/authorizationID``, and the operations on it by number.
struct Steps {
    struct NotApproved: Error, CustomStringConvertible {
        let description: String
    }

    let acquirer: any Acquirer
    let total: Money
    private let other: OtherTapPay
    private let isSale: Bool
    private let memo: AcquirerMemo

    init(_ acquirer: any Acquirer, _ other: OtherTapPay, total: Money) {
        self.init(acquirer, other, total, isSale: false, AcquirerMemo())
    }

    private init(_ acquirer: any Acquirer, _ other: OtherTapPay, _ total: Money, isSale: Bool, _ memo: AcquirerMemo) {
        self.acquirer = acquirer
        self.other = other
        self.total = total
        self.isSale = isSale
        self.memo = memo
    }

    func charge(captures: Bool = false) async -> AcquirerOutcome {
        guard let charge = try? self.other.charge(self.total, captures: captures) else { return .unclear("no token") }
        return await self.perform(2, .authorize(charge), self.total)
    }

    func perform(_ number: UInt8, _ action: AcquirerRequest.Action, _ amount: Money) async -> AcquirerOutcome {
        await self.acquirer.perform(Bench.request(action, amount, operation: Bench.id(number)))
    }

    func capture(_ number: UInt8) async -> AcquirerOutcome {
        await self.perform(number, .capture(of: self.authorization(), isFinal: true), self.total)
    }

    func refund(_ number: UInt8, _ amount: Money) async -> AcquirerOutcome {
        await self.perform(number, .refund(of: self.authorization(), capture: nil), amount)
    }

    // MARK: - What is referred to

    func authorization() -> OriginalOperation {
        Bench.original(.authorization, self.total, isSale: self.isSale, trade: self.memo[AcquirerMemo.trade])
    }

    func original(
        _ number: UInt8, _ kind: PaymentOperation.Kind, _ amount: Money? = nil, memo: AcquirerMemo = AcquirerMemo()
    ) -> OriginalOperation {
        let amount = amount ?? self.total
        return OriginalOperation(
            id: Bench.id(number), kind: kind, amount: amount, begunAt: Bench.at, authorizedTotal: self.total,
            capturedTotal: .zero(amount.currency), memo: self.memo.merging(memo))
    }

    func queryPayment() async -> AcquirerQueryOutcome {
        await self.acquirer.query(Bench.query(Bench.original(.authorization, self.total, trade: nil)))
    }

    func query(_ number: UInt8, _ kind: PaymentOperation.Kind, _ amount: Money) async -> AcquirerQueryOutcome {
        await self.acquirer.query(
            await Bench.query(kind, amount, about: self.authorization(), with: self.acquirer, id: Bench.id(number)))
    }

    // MARK: - Expectations

    func expectApproved(_ outcome: AcquirerOutcome, _ amount: Money) throws {
        guard case .approved(let approval) = outcome, approval.amount == amount else {
            throw NotApproved(description: "\(outcome)")
        }
    }

    /// The payment's steps from here on, with what its approval has noted.
    func authorized(captures: Bool = false) async throws -> Steps {
        let outcome = await self.charge(captures: captures)
        try self.expectApproved(outcome, self.total)
        return Steps(self.acquirer, self.other, self.total, isSale: captures, outcome.memo)
    }
}
