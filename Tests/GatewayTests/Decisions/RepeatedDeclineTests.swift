//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Money
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing

/// Recovery over an acquirer that does what is sent again once, and then answers in any words: what is declined to a repeat
/// may have been done.
struct RepeatedDeclineTests {
    enum Follow: String, CaseIterable, Sendable {
        case capture
        case refund
        case void

        func make(_ shop: Shop) async throws -> OperationOutcome {
            let isRefund = self == .refund
            let id = try await (isRefund ? shop.sell(money(10_00)) : shop.authorize(money(10_00))).payment.id
            switch self {
            case .capture: return try await shop.capture(money(4_00), of: id)
            case .refund: return try await shop.refund(money(4_00), of: id)
            case .void: return try await shop.void(id)
            }
        }
    }

    /// What becomes of the first request of what follows an authorization, and what every repeat of it is answered.
    private struct Answers: Sendable {
        var isDone = true
        let decline: AcquirerDecline

        init(_ reason: DeclineReason, isDone: Bool = true, wasNeverSent: Bool = false) {
            self.isDone = isDone
            self.decline = AcquirerDecline(reason: reason, answer: AcquirerAnswer(), wasNeverSent: wasNeverSent)
        }
    }

    private static func shop(
        _ answers: Answers, recovery: AcquirerCapabilities.Recovery = .reports(repeats: true),
        log: CapturedLog = CapturedLog()
    ) async throws -> Shop {
        let sent = Mutex<Set<OperationID>>([])
        return try await Shop.open { options in
            options.log = log.logger
            options.acquirer = { base in
                InterceptingAcquirer(
                    base, base.capabilities.changed { $0.recovery = recovery },
                    outcomes: { call, perform in
                        guard call.name != "authorize" else { return await perform() }
                        guard sent.withLock({ $0.insert(call.operationID).inserted }) else {
                            return .declined(answers.decline)
                        }
                        if answers.isDone { _ = await perform() }
                        return .unclear("lost")
                    })
            }
        }
    }

    private static func recover(_ shop: Shop, passes: Int = 4) async {
        for _ in 0..<passes {
            shop.clock.advance(seconds: 3600)
            _ = await shop.gateway.recover()
        }
    }

    private static let ofTheIssuer: [DeclineReason] = [
        .doNotHonor, .insufficientFunds, .expiredCard, .invalidCard, .lostOrStolenCard, .suspectedFraud,
    ]
    private static let ofTheAcquirer = DeclineReason.allCases.filter { !ofTheIssuer.contains($0) }

    /// "Already settled", "no authorization found", "exceeds what is left": the first has been done. Its report ends it.
    @Test(arguments: Follow.allCases, ofTheAcquirer)
    func declineOfARepeatIsNotBooked(_ follow: Follow, _ reason: DeclineReason) async throws {
        let log = CapturedLog()
        let shop = try await Self.shop(Answers(reason), log: log)
        let lost = try await follow.make(shop)
        #expect(lost.operation.state == .unknown)
        await Self.recover(shop)
        #expect(try await shop.operation(lost).state == .unknown)
        #expect(log.text.contains("pomona payments resolve \(lost.operation.id)"))
        #expect(try await shop.events(of: lost.payment.id).allSatisfy { $0.operationID != lost.operation.id })
        let approval = AcquirerApproval(amount: lost.operation.amount, answer: AcquirerAnswer())
        let notice = AcquirerNotice(.operation(lost.operation.id), .resolved(.approved(approval)))
        #expect(
            await shop.gateway.receive(notice, for: lost.payment.accountID, by: lost.payment.acquirer) == .booked)
        #expect(try await shop.operation(lost).state == .succeeded)
        try await expectAgreement(shop)
    }

    /// No issuer is asked about what has been done: the first never came, or was answered so.
    @Test(arguments: Follow.allCases, ofTheIssuer)
    func declineOfTheIssuerIsBelieved(_ follow: Follow, _ reason: DeclineReason) async throws {
        let shop = try await Self.shop(Answers(reason, isDone: false))
        let lost = try await follow.make(shop)
        await Self.recover(shop)
        #expect(try await shop.operation(lost).state == .failed(.declined(reason)))
    }

    @Test(arguments: Follow.allCases) func whatWasNeverSentIsDeclined(_ follow: Follow) async throws {
        let shop = try await Self.shop(Answers(.invalidOperation, isDone: false, wasNeverSent: true))
        let lost = try await follow.make(shop)
        await Self.recover(shop)
        #expect(try await shop.operation(lost).state == .failed(.declined(.invalidOperation)))
    }

    /// Whoever remembers what it has answered, or is asked, is believed: only voids are sent again there.
    @Test(arguments: [AcquirerCapabilities.Recovery.queryThenReversal, .reversal, .query(quietSeconds: 60)])
    func declinedVoidIsBelievedOfOthers(_ recovery: AcquirerCapabilities.Recovery) async throws {
        let shop = try await Self.shop(Answers(.invalidOperation, isDone: false), recovery: recovery)
        let lost = try await Follow.void.make(shop)
        await Self.recover(shop)
        #expect(try await shop.operation(lost).state == .failed(.declined(.invalidOperation)))
    }

    /// The first answer is one, whatever it says.
    @Test(arguments: Follow.allCases) func declineOfTheFirstIsBooked(_ follow: Follow) async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base, base.capabilities.changed { $0.recovery = .reports(repeats: true) },
                    outcomes: { call, perform in
                        guard call.name != "authorize" else { return await perform() }
                        return .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
                    })
            }
        }
        let outcome = try await follow.make(shop)
        #expect(outcome.operation.state == .failed(.declined(.invalidOperation)))
        #expect(try await shop.recoveryJobs().isEmpty)
    }
}
