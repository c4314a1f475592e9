//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import RadialUpstream

/// Payments at another gateway, and after each what its book says.
@Suite struct PaymentTests {
    /// One payment, and what the connector has noted on it.
    private struct Steps {
        let acquirer: any Acquirer
        let other: OtherRadial
        let total: Money

        func authorize(_ amount: Money? = nil, card: SimulatedCard = .visa) async throws -> AcquirerOutcome {
            let amount = amount ?? self.total
            return await self.acquirer.perform(
                preparing: Bench.request(
                    .authorize(try self.other.charge(amount, card: card)), amount, operation: Bench.authorizationID))
        }

        /// The authorization, as what follows refers to it.
        func original(_ authorization: AcquirerOutcome) -> OriginalOperation {
            Bench.original(.authorization, self.total, memo: authorization.memo)
        }

        func perform(_ number: UInt8, _ action: AcquirerRequest.Action, _ amount: Money) async -> AcquirerOutcome {
            await self.acquirer.perform(preparing: Bench.request(action, amount, operation: Bench.id(number)))
        }

        func position() async throws -> SimulatorPosition {
            try #require(try await self.other.positions()[Bench.orderID])
        }
    }

    private static func with(_ body: (Steps) async throws -> Void) async throws {
        let total = try Bench.money(5000)
        let other = try await OtherRadial.open()
        try await other.withAcquirer { acquirer in
            try await body(Steps(acquirer: acquirer, other: other, total: total))
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    private static func isAccepted(_ outcome: AcquirerOutcome) -> Bool {
        if case .accepted = outcome { true } else { false }
    }

    private static func isDeclined(_ outcome: AcquirerOutcome) -> Bool {
        if case .declined = outcome { true } else { false }
    }

    private static func approvedAmount(_ notices: [AcquirerNotice], _ subject: AcquirerNotice.Subject) -> Money? {
        guard notices.count == 1, notices.first?.subject == subject,
            case .resolved(.approved(let approval))? = notices.first?.event
        else { return nil }
        return approval.amount
    }

    // MARK: - The way of a payment

    @Test(arguments: [
        (SimulatedCard.visa, "VC"), (.mastercard, "MC"), (.amex, "AM"), (.discover, "DC"),
    ])
    func followsByTheTenderOfTheReply(_ card: SimulatedCard, _ tender: String) async throws {
        try await Self.with { steps in
            let authorization = try await steps.authorize(card: card)
            guard case .approved(let approval) = authorization else {
                Issue.record("\(authorization)")
                return
            }
            #expect(approval.amount == steps.total)
            #expect(approval.memo["TenderType"] == tender)
            #expect(approval.memo["BankAuthorizationCode"] == approval.answer.authorizationCode)
            #expect(approval.answer.reference == Bench.orderID)
            let capture = AcquirerRequest.Action.capture(of: steps.original(authorization), isFinal: false)
            #expect(Self.isAccepted(await steps.perform(3, capture, steps.total)))
            #expect(try await steps.position().captured == steps.total)
        }
    }

    @Test func capturesAndRefundsEndByEvents() async throws {
        try await Self.with { steps in
            let original = steps.original(try await steps.authorize())
            let (part, less) = (try Bench.money(3000), try Bench.money(1000))
            #expect(Self.isAccepted(await steps.perform(3, .capture(of: original, isFinal: false), part)))
            #expect(Self.approvedAmount(try await steps.other.reports(), .operation(Bench.id(3))) == part)
            #expect(Self.isAccepted(await steps.perform(4, .capture(of: original, isFinal: true), less)))
            #expect(Self.approvedAmount(try await steps.other.reports(), .operation(Bench.id(4))) == less)
            #expect(Self.isAccepted(await steps.perform(5, .refund(of: original, capture: nil), part)))
            #expect(Self.approvedAmount(try await steps.other.reports(), .operation(Bench.id(5))) == part)
            // What the last capture left is given back.
            #expect(Self.isDeclined(await steps.perform(6, .capture(of: original, isFinal: false), less)))
            let position = try await steps.position()
            #expect(position.captured == part + less && position.refunded == part)
            #expect(position.released == less)
        }
    }

    @Test func voidEndsByItsEvent() async throws {
        try await Self.with { steps in
            let authorization = try await steps.authorize()
            let original = steps.original(authorization)
            let handle = try #require(authorization.memo.handles.first)
            #expect(Self.isAccepted(await steps.perform(3, .void(original), steps.total)))
            let reports = try await steps.other.reports()
            #expect(reports.map(\.subject) == [.latest([.void, .reversal], of: handle)])
            guard case .approvedAsAsked? = reports.first?.event else {
                Issue.record("\(reports)")
                return
            }
            #expect(try await steps.position().voided == steps.total)
            #expect(Self.isDeclined(await steps.perform(4, .capture(of: original, isFinal: false), steps.total)))
            // Asked for once more it is reported once more.
            #expect(Self.isAccepted(await steps.perform(5, .void(original), steps.total)))
            guard case .approvedAsAsked? = try await steps.other.reports().last?.event else {
                Issue.record("not reported again")
                return
            }
        }
    }

    @Test func settlementThatIsRefusedIsReported() async throws {
        try await Self.with { steps in
            let total = try Bench.money(10_000)
            let authorization = try await steps.authorize(total)
            let original = Bench.original(.authorization, total, memo: authorization.memo)
            let declined = try Bench.money(5757)
            #expect(Self.isDeclined(await steps.perform(3, .capture(of: original, isFinal: false), declined)))
            let reports = try await steps.other.reports()
            #expect(reports.map(\.subject) == [.operation(Bench.id(3))])
            guard case .resolved(.declined(let decline))? = reports.first?.event else {
                Issue.record("\(reports)")
                return
            }
            #expect(decline.reason == .doNotHonor)
            #expect(try await steps.position().captured.isZero)
        }
    }

    // MARK: - Repeats

    @Test func repeatsAreBookedOnce() async throws {
        try await Self.with { steps in
            let charge = try steps.other.charge(steps.total)
            let request = Bench.request(.authorize(charge), steps.total, operation: Bench.authorizationID)
            let first = await steps.acquirer.perform(request)
            #expect(await steps.acquirer.perform(request) == first)
            let capture = Bench.request(
                .capture(of: steps.original(first), isFinal: false), steps.total, operation: Bench.id(3))
            guard case .ready(let memo) = await steps.acquirer.prepare(capture) else {
                Issue.record("not prepared")
                return
            }
            // The repeat's funds are gone by then, and it is not asked whether.
            for _ in 0..<2 { #expect(Self.isAccepted(await steps.acquirer.perform(capture.with(memo)))) }
            #expect(try await steps.other.reports().count == 1)
            #expect(try await steps.other.test.bookedCount(.authorization) == 1)
            #expect(try await steps.other.test.bookedCount(.capture) == 1)
        }
    }

    @Test func concurrentRepeatsAreBookedOnce() async throws {
        try await Self.with { steps in
            let request = Bench.request(
                .authorize(try steps.other.charge(steps.total)), steps.total, operation: Bench.authorizationID)
            let acquirer = steps.acquirer
            let outcomes = await withTaskGroup(of: AcquirerOutcome.self) { group in
                for _ in 0..<50 { group.addTask { await acquirer.perform(request) } }
                return await group.reduce(into: Set<AcquirerOutcome>()) { $0.insert($1) }
            }
            let approvals = outcomes.filter { if case .approved = $0 { true } else { false } }
            #expect(approvals.count == 1)
            // Whoever came while the first was worked on is not answered that it failed.
            for outcome in outcomes.subtracting(approvals) {
                switch outcome {
                case .accepted, .unknown: break
                default: Issue.record("\(outcome)")
                }
            }
            #expect(try await steps.other.test.bookedCount(.authorization) == 1)
        }
    }

    // MARK: - Test amounts

    @Test(
        arguments: [
            (5656, "approved"), (5757, "declined doNotHonor"), (5959, "declined unspecified"),
            (6161, "declined unspecified"), (6262, "declined unspecified"), (5858, "accepted TO01"),
        ] as [(Int64, String)])
    func testAmountsEndAsTheyShould(_ minorUnits: Int64, _ ending: String) async throws {
        let amount = try Bench.money(minorUnits)
        let other = try await OtherRadial.open()
        let charge = try other.charge(amount)
        let outcome = try await other.withAcquirer { acquirer in
            if minorUnits == 5858 { other.test.deadline.pass() }
            return await acquirer.perform(Bench.request(.authorize(charge), amount))
        }
        switch outcome {
        case .approved(let approval): #expect(ending == "approved" && approval.amount == amount)
        case .declined(let decline): #expect(ending == "declined \(decline.reason.rawValue)")
        case .accepted(let acceptance):
            #expect(ending == "accepted \(acceptance.answer.responseCode ?? "")")
            #expect(acceptance.memo["TenderType"] == "VC")
        case .notProcessed, .unknown: Issue.record("\(outcome)")
        }
    }

    // MARK: - Tokens

    @Test func tokensForSomebodyElseAreNotDeclined() async throws {
        try await Self.with { steps in
            let live = try steps.other.test.mint(steps.total, for: steps.other.store, mode: .live)
            for (minted, word) in [(live, "token_not_taken")] {
                var charge = try steps.other.charge(steps.total)
                charge.instrument = .sealedApplePayToken(
                    SealedApplePayToken(paymentData: Redacted(Array(minted.paymentDataText.utf8))))
                let outcome = await steps.acquirer.perform(Bench.request(.authorize(charge), steps.total))
                guard case .notProcessed(let not) = outcome, not.reason == .tokenRefused else {
                    Issue.record("\(outcome)")
                    continue
                }
                #expect([word, "token_of_another_mode"].contains(not.word))
            }
        }
    }

    @Test func amountOfTheTokenBinds() async throws {
        try await Self.with { steps in
            let charge = try steps.other.charge(steps.total)
            let outcome = await steps.acquirer.perform(
                Bench.request(.authorize(charge), try Bench.money(5001)))
            #expect(outcome == .notProcessed(NotProcessed(.tokenRefused, "amount_differs_from_token")))
        }
    }

    @Test func wrongKeyAndWrongStoreAreTheOperators() async throws {
        let other = try await OtherRadial.open()
        let amount = try Bench.money(5000)
        let charge = try other.charge(amount)
        try await other.other.serving { port in
            let client = Bench.client()
            for (settings, secrets) in [
                (["storeId": "NOBODY"], Bench.secrets), ([:], Bench.secrets.merging(["apikey": "another"]) { $1 }),
            ] as [([String: String], [String: String])] {
                let account = Bench.account(host: "http://127.0.0.1:\(port)", settings: settings, secrets: secrets)
                let acquirer = try RadialConnector(client: client).open(account)
                #expect(
                    await acquirer.perform(Bench.request(.authorize(charge), amount))
                        == .notProcessed(NotProcessed(.notAuthorized, "http_403")))
                let findings = await RadialConnector(client: client).check(account)
                #expect(findings.map(\.isGood) == [true, false, true])
            }
            let good = await RadialConnector(client: client).check(Bench.account(host: "http://127.0.0.1:\(port)"))
            #expect(good.map(\.isGood) == [true, true, true])
            await client.shutdown()
        }
        #expect(try await other.positions().isEmpty)
    }
}
