//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import MemoryStore
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

/// What needs a second person, and who that may be.
struct ApprovalTests {
    @Test func whatAPolicyNamesIsRefusedAlone() async throws {
        let bench = try await ApprovalBench.open()
        let administration = bench.administration
        let routes = [Route(number: 1, account: bench.account.id)]
        #expect(
            try await ApprovalBench.code { try await administration.setRoutes(of: bench.merchant.id, to: routes) }
                == .approvalRequired)
        let connector = try #require(administration.connectors.first)
        #expect(
            try await ApprovalBench.code {
                _ = try await administration.addAcquirerAccount(
                    AcquirerAccountDraft(name: "other", connector: connector.name), to: bench.merchant.id)
            } == .approvalRequired)
        #expect(
            try await ApprovalBench.code {
                try await administration.putAccount(
                    merchant: bench.merchant.id, dialect: DialectName("test"), key: "k", settings: [:],
                    secrets: ["password": Redacted("x")])
            } == .approvalRequired)
        #expect(
            try await ApprovalBench.code { try await administration.setApprovalPolicy(ApprovalPolicy()) }
                == .approvalRequired)
        #expect(try await bench.routesCount() == 0)
        // What changes nothing needs nobody.
        try await administration.setRoutes(of: bench.merchant.id, to: [])
    }

    @Test func sandboxMerchantsNeedNobody() async throws {
        let bench = try await ApprovalBench.open()
        let shop = try await bench.administration.createMerchant(
            name: "play", displayName: "Play", mode: .sandbox, countryCode: "CA")
        let connector = try #require(bench.administration.connectors.first)
        let account = try await bench.administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "bank", connector: connector.name), to: shop.id)
        try await bench.administration.setRoutes(of: shop.id, to: [Route(number: 1, account: account.id)])
    }

    @Test func aMerchantsPolicyAddsToTheHouses() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy())
        try await bench.administration.setApprovalPolicy(
            ApprovalPolicy(merchantID: bench.merchant.id, routes: true))
        #expect(
            try await ApprovalBench.code {
                try await bench.administration.setRoutes(
                    of: bench.merchant.id, to: [Route(number: 1, account: bench.account.id)])
            } == .approvalRequired)
        // Another merchant's counts for him alone.
        let other = try await bench.administration.createMerchant(
            name: "other", displayName: "Other", mode: .live, countryCode: "CA")
        let connector = try #require(bench.administration.connectors.first)
        let account = try await bench.administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "bank", connector: connector.name), to: other.id)
        try await bench.administration.setRoutes(of: other.id, to: [Route(number: 1, account: account.id)])
    }

    @Test func anotherPersonApprovesAndItIsDoneOnce() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        #expect(asked.state == .waiting && asked.endsAt == asked.askedAt.adding(seconds: 86_400))
        try await bench.approve(asked.id)
        let approved = try await bench.approval(asked.id)
        #expect(approved.state == .approved && approved.decidedBy == ApprovalBench.bob)
        #expect(approved.outcome?.code == Approval.Outcome.done)
        #expect(try await bench.routesCount() == 1)
        #expect(try await ApprovalBench.code { try await bench.approve(asked.id) } == .approvalDecided)
        #expect(try await bench.acts() == ["approval.policy", "approval.ask", "approval.approve"])
        let entries = try await bench.test.store.read { try $0.auditEntries(after: 0, limit: 100) }
        let act = try #require(entries.last { $0.act == .routesChange })
        #expect(act.actor == ApprovalBench.bob.actor && act.details["askedBy"] == ApprovalBench.alice.actor)
        #expect(act.details["approval"] == asked.id.text)
        #expect(try await bench.administration.checkAuditLog().isSound)
    }

    /// By any of the names by which somebody is known.
    @Test(arguments: ["per_alice", "alice"]) func nobodyApprovesHisOwn(_ identity: String) async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        let same = Approval.Party(identities: [identity, "tok_1"], actor: "token deploy")
        #expect(try await ApprovalBench.code { try await bench.approve(asked.id, by: same) } == .approvalOfOwnAct)
        let decision = ApprovalDecision(asked.id, by: same)
        #expect(
            try await ApprovalBench.code { try await bench.administration.reject(decision) } == .approvalOfOwnAct)
        #expect(
            try await ApprovalBench.code {
                try await bench.administration.fail(decision, code: "c", detail: "d")
            } == .approvalOfOwnAct)
        #expect(try await bench.approval(asked.id).state == .waiting)
        #expect(try await bench.routesCount() == 0)
    }

    @Test func nothingExpiresByAClockThatIsNotTheDatabases() async throws {
        let database = TestClock(Timestamp(seconds: 0))
        let bench = try await ApprovalBench.open(store: ClockedStore(MemoryStore()) { database.now })
        let asked = try await bench.ask()
        bench.test.clock.advance(seconds: 86_400)
        #expect(try await bench.administration.expireApprovals() == 0)
        #expect(try await bench.approval(asked.id).state == .waiting)
        database.advance(to: bench.test.clock.now)
        #expect(try await bench.administration.expireApprovals() == 1)
    }

    @Test func whatIsTooLateIsNotDone() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        bench.test.clock.advance(seconds: 86_399)
        #expect(try await bench.administration.expireApprovals() == 0)
        bench.test.clock.advance(seconds: 1)
        #expect(try await ApprovalBench.code { try await bench.approve(asked.id) } == .approvalExpired)
        #expect(asked.view([:], at: bench.test.clock.now)["state"] == "expired")
        #expect(try await bench.administration.expireApprovals() == 1)
        #expect(try await bench.administration.expireApprovals() == 0)
        #expect(try await bench.approval(asked.id).state == .expired)
        #expect(try await ApprovalBench.code { try await bench.approve(asked.id) } == .approvalExpired)
        #expect(try await bench.routesCount() == 0)
        #expect(try await bench.administration.act(of: asked.id) == nil)
        // Whoever asks again asks anew.
        #expect(try await bench.ask().id != asked.id)
        #expect(try await bench.acts().contains("approval.expire"))
    }

    enum End: String, CaseIterable, Sendable {
        case reject, withdraw, fail
    }

    @Test(arguments: End.allCases) func whatIsEndedIsNeitherApprovedNorEndedAgain(_ end: End) async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        let administration = bench.administration
        func run() async throws {
            switch end {
            case .reject:
                try await administration.reject(ApprovalDecision(asked.id, by: ApprovalBench.bob, reason: "no"))
            case .withdraw: try await administration.withdraw(ApprovalDecision(asked.id, by: ApprovalBench.alice))
            case .fail:
                try await administration.fail(
                    ApprovalDecision(asked.id, by: ApprovalBench.bob), code: "changed_meanwhile", detail: "It was.")
            }
        }
        try await run()
        let ended = try await bench.approval(asked.id)
        #expect([.rejected, .withdrawn, .failed].contains(ended.state) && ended.decidedAt != nil)
        #expect(try await ApprovalBench.code { try await run() } == .approvalDecided)
        #expect(try await ApprovalBench.code { try await bench.approve(asked.id) } == .approvalDecided)
        #expect(try await bench.administration.act(of: asked.id) == nil)
        #expect(try await bench.routesCount() == 0)
        #expect(try await bench.acts().last == "approval.\(end.rawValue)")
    }

    @Test func nobodyWithdrawsWhatIsAnothers() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        let decision = ApprovalDecision(asked.id, by: ApprovalBench.bob)
        #expect(
            try await ApprovalBench.code { try await bench.administration.withdraw(decision) } == .approvalNotYours)
    }

    @Test func nobodyDecidesWhatNobodyAskedFor() async throws {
        let bench = try await ApprovalBench.open()
        let unknown: ApprovalID = bench.test.gateway.makeID()
        #expect(try await ApprovalBench.code { try await bench.approve(unknown) } == .approvalUnknown)
    }

    /// An approval is of one act, and allows no other.
    @Test func anApprovalAllowsNothingElse() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        let authority = Authority(.approval(ApprovalDecision(asked.id, by: ApprovalBench.bob)))
        let connector = try #require(bench.administration.connectors.first)
        #expect(
            try await ApprovalBench.code {
                _ = try await bench.administration.by(authority).addAcquirerAccount(
                    AcquirerAccountDraft(name: "other", connector: connector.name), to: bench.merchant.id)
            } == .approvalUnknown)
        #expect(
            try await ApprovalBench.code {
                try await bench.administration.by(authority).setApprovalPolicy(ApprovalPolicy())
            } == .approvalUnknown)
        #expect(try await bench.approval(asked.id).state == .waiting)
    }

    /// The decision and the act are one commit.
    @Test func whatTheActRefusesLeavesTheApprovalWaiting() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        let authority = Authority(.approval(ApprovalDecision(asked.id, by: ApprovalBench.bob)))
        let nobody: AcquirerAccountID = bench.test.gateway.makeID()
        #expect(
            try await ApprovalBench.code {
                try await bench.administration.by(authority).setRoutes(
                    of: bench.merchant.id, to: [Route(number: 1, account: nobody)])
            } == .acquirerUnknown)
        #expect(try await bench.approval(asked.id).state == .waiting)
        #expect(try await !bench.acts().contains("approval.approve"))
    }

    @Test func theSameKeyAsksOnce() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        #expect(try await bench.ask() == asked)
        #expect(try await bench.ask("other").id != asked.id)
        #expect(
            try await ApprovalBench.code {
                _ = try await bench.administration.askForApproval(
                    ApprovalDraft(
                        kind: .policy, operation: "setApprovalPolicy", summary: "", askKey: "k", act: Redacted("")),
                    by: ApprovalBench.alice)
            } == .approvalKeyUsed)
    }

    @Test func whatIsAskedForIsSealed() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        let content = try #require(try await bench.test.store.read { try $0.approvalContent(.act, of: asked.id) })
        #expect(!String(decoding: content.content.box, as: UTF8.self).contains("swordfish"))
        #expect(try await bench.administration.act(of: asked.id)?.reveal().contains("swordfish") == true)
    }

    @Test func theOperatorOfTheMachineMayGoOnAloneAndTheLogSaysSo() async throws {
        let bench = try await ApprovalBench.open()
        let administration = bench.administration.by(Authority(.override(reason: "nobody is there at night")))
        try await administration.setRoutes(of: bench.merchant.id, to: [Route(number: 1, account: bench.account.id)])
        try await administration.setApprovalPolicy(ApprovalPolicy())
        let entries = try await bench.test.store.read { try $0.auditEntries(after: 0, limit: 100) }
        for act in [AuditAct.routesChange, AuditAct("approval.policy")] {
            #expect(entries.last { $0.act == act }?.details["override"] == "nobody is there at night")
        }
        // What needs nobody is no override.
        try await administration.setRoutes(of: bench.merchant.id, to: [])
        let last = try await bench.test.store.read { try $0.lastAuditEntry() }
        #expect(last?.act == .routesChange && last?.details["override"] == nil)
    }

    @Test func limitsAreNeverNegative() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy())
        let currency = try #require(try await bench.test.store.read { _ in Currency.alphabetic("CAD") })
        #expect(
            try await ApprovalBench.code {
                try await bench.administration.setApprovalPolicy(ApprovalPolicy(refundsAbove: [currency: -1]))
            } == .refundLimitInvalid)
    }

    @Test func resultsAreCollectedOnceByWhoeverHasAsked() async throws {
        let bench = try await ApprovalBench.open()
        let asked = try await bench.ask()
        try await bench.approve(asked.id)
        try await bench.administration.keepResult(Redacted("swordfish"), of: asked.id)
        #expect(try await bench.administration.hasResult(asked.id))
        #expect(
            try await ApprovalBench.code {
                _ = try await bench.administration.collectResult(of: asked.id, by: ApprovalBench.bob)
            } == .approvalNotYours)
        let result = try await bench.administration.collectResult(of: asked.id, by: ApprovalBench.alice)
        #expect(result.reveal() == "swordfish")
        #expect(
            try await ApprovalBench.code {
                _ = try await bench.administration.collectResult(of: asked.id, by: ApprovalBench.alice)
            } == .approvalResultGone)
        // What nobody collects is forgotten.
        try await bench.administration.keepResult(Redacted("swordfish"), of: asked.id)
        bench.test.clock.advance(seconds: 86_400)
        try await bench.administration.expireApprovals()
        #expect(try await !bench.administration.hasResult(asked.id))
    }

    /// However many were asked for after it.
    @Test func oldOnesAreFoundBehindManyOthers() async throws {
        let bench = try await ApprovalBench.open()
        let refund = try await bench.administration.askForApproval(
            ApprovalDraft(
                kind: .refund, operation: "refundPayment", paymentID: bench.test.gateway.makeID(),
                amount: Money(minorUnits: 1, currency: try #require(Currency.alphabetic("CAD"))), summary: "Refund.",
                askKey: "r", act: Redacted("{}")), by: ApprovalBench.alice)
        let old = try await bench.ask()
        let done = try await bench.ask("done")
        try await bench.approve(done.id)
        try await bench.administration.keepResult(Redacted("swordfish"), of: done.id)
        // The process ended after it had claimed the refund.
        try await bench.change(refund.id) { ($0.state, $0.decidedBy) = (.approved, ApprovalBench.bob) }
        try await bench.addMany(1100, after: old)
        let all = try await bench.administration.allApprovals(ApprovalQuery(states: [.waiting]))
        #expect(all.count == 1101 && all.last?.id == old.id)
        bench.test.clock.advance(seconds: 86_400)
        #expect(try await bench.administration.finishApprovedRefunds(plans: []) == 1)
        #expect(try await bench.approval(refund.id).outcome?.code == "payment_unknown")
        #expect(try await bench.administration.expireApprovals() == 1101)
        #expect(try await bench.approval(old.id).state == .expired)
        #expect(try await !bench.administration.hasResult(done.id))
    }

    /// A refund is approved by whoever could do it, and one of nothing fails.
    @Test func anApproverNeedsALimitThatCoversTheRefund() async throws {
        let bench = try await ApprovalBench.open()
        let currency = try #require(Currency.alphabetic("CAD"))
        let asked = try await bench.administration.askForApproval(
            ApprovalDraft(
                kind: .refund, operation: "refundPayment", paymentID: bench.test.gateway.makeID(),
                amount: Money(minorUnits: 1000, currency: currency), summary: "Refund.", askKey: "r",
                act: Redacted("{}")), by: ApprovalBench.alice)
        let decision = ApprovalDecision(asked.id, by: ApprovalBench.bob)
        for limits in [[:], [currency: 999]] as [[Currency: Int64]] {
            #expect(
                try await ApprovalBench.code {
                    _ = try await bench.administration.by(Authority(refundLimits: limits))
                        .approveRefund(decision, plans: [])
                } == .aboveRefundLimit)
        }
        let failed = try await bench.administration.by(Authority(refundLimits: [currency: 1000]))
            .approveRefund(decision, plans: [])
        #expect(failed.state == .failed && failed.outcome?.code == "payment_unknown")
    }

    // MARK: - At once

    @Test func ofTwoWhoApproveAtOnceOneDoes() async throws {
        for _ in 0..<10 {
            let bench = try await ApprovalBench.open()
            let asked = try await bench.ask()
            async let bob = ApprovalBench.code { try await bench.approve(asked.id, by: ApprovalBench.bob) }
            async let carol = ApprovalBench.code { try await bench.approve(asked.id, by: ApprovalBench.carol) }
            let codes = try await [bob, carol]
            #expect(codes.filter { $0 == nil }.count == 1 && codes.contains(.approvalDecided))
            #expect(try await bench.acts().filter { $0 == "approval.approve" }.count == 1)
        }
    }

    @Test func whoWithdrawsWhileAnotherApprovesIsFirstOrSecond() async throws {
        for _ in 0..<10 {
            let bench = try await ApprovalBench.open()
            let asked = try await bench.ask()
            async let approved = ApprovalBench.code { try await bench.approve(asked.id) }
            async let withdrawn = ApprovalBench.code {
                try await bench.administration.withdraw(ApprovalDecision(asked.id, by: ApprovalBench.alice))
            }
            let codes = try await [approved, withdrawn]
            #expect(codes.filter { $0 == nil }.count == 1)
            let isDone = try await bench.routesCount() == 1
            #expect(isDone == (codes[0] == nil))
            #expect(try await bench.approval(asked.id).state == (isDone ? .approved : .withdrawn))
        }
    }
}
