//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// What an operator decides about operations that nobody knows the end of.
struct DecisionTests {
    /// An authorization whose answer was lost, at an acquirer that says nothing more of it.
    private static func lost() async throws -> (Upstream, OperationOutcome) {
        let upstream = try await Upstream.open(["recovery": "reports"])
        upstream.shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        let outcome = try await upstream.shop.authorize(money(10_00))
        upstream.shop.clock.advance(seconds: 600)
        return (upstream, outcome)
    }

    private static func code(of body: () async throws -> Payment) async -> AdministrationError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? AdministrationError)?.code
        }
    }

    @Test func approvalIsBookedWithItsReferenceEventAndAudit() async throws {
        let (upstream, outcome) = try await Self.lost()
        let id = outcome.operation.id
        let payment = try await upstream.shop.gateway.administration.decide(
            id, .approved(reference: "4711"), reason: "seen in the portal by Ann")
        #expect(payment.state == .authorized)
        #expect(payment.operation(id)?.answer.reference == "4711")
        #expect(try await upstream.shop.events(of: payment.id).map(\.kind) == [.authorizationSucceeded])
        #expect(try await upstream.shop.recoveryJobs().isEmpty)
        #expect(try await upstream.problems() == [])
        let entry = try #require(try await upstream.shop.store.read { try $0.lastAuditEntry() })
        #expect(entry.act == .operationDecide && entry.subject == id.text)
        #expect(
            entry.details == [
                "reason": "seen in the portal by Ann", "payment": payment.id.text, "decision": "approved",
            ])
        // It goes on as if the answer had come.
        #expect(try await upstream.shop.capture(nil, of: payment.id).payment.state == .captured)
    }

    /// A part stands where the merchant takes parts, and nowhere else.
    @Test func approvalOfAPart() async throws {
        let upstream = try await Upstream.open(["recovery": "reports"])
        let shop = upstream.shop
        shop.script.append(.init(.authorize, .first(2), fault: .dropAfterBooking))
        let taking = try await shop.authorize(money(10_00), acceptsPartialApproval: true)
        let whole = try await shop.authorize(money(10_00))
        shop.clock.advance(seconds: 900)
        let administration = shop.gateway.administration
        let part = OperatorDecision.approved(reference: nil, amount: money(4_00))
        let decided = try await administration.decide(taking.operation.id, part, reason: "seen in the portal")
        #expect(decided.state == .authorized && decided.authorizedAmount == money(4_00))
        let refused = await #expect(throws: PaymentRefusal.self) {
            _ = try await administration.decide(whole.operation.id, part, reason: "seen in the portal")
        }
        #expect(refused == .partialApprovalNotAccepted)
        #expect(try await upstream.problems() == [])
    }

    @Test func failureFreesWhatWasHeld() async throws {
        let upstream = try await Upstream.open(["recovery": "reports"])
        let payment = try await upstream.shop.authorize(money(10_00)).payment.id
        upstream.shop.script.append(.init(.capture, .first(1), fault: .dropBeforeBooking))
        let capture = try await upstream.shop.capture(nil, of: payment)
        upstream.shop.clock.advance(seconds: 600)
        let after = try await upstream.shop.gateway.administration.decide(
            capture.operation.id, .failed, reason: "not in the portal")
        #expect(after.state == .authorized && after.capturableAmount == money(10_00))
        #expect(try await upstream.problems() == [])
    }

    /// Who waits for the answer may be another process, with other settings: as long as the account may take is waited here.
    @Test func waitsForAsLongAsTheAccountMayTake() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    base.capabilities.changed {
                        $0.deadlines = .init(
                            chargeMilliseconds: 120_000, otherMilliseconds: 20_000, connectMilliseconds: 3000)
                    })
            }
        }
        shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        let id = try await shop.authorize(money(10_00)).operation.id
        for seconds in [70, 69] as [Int64] {
            shop.clock.advance(seconds: seconds)
            let early = await Self.code {
                try await shop.gateway.administration.decide(id, .failed, reason: "x")
            }
            #expect(early == .operationUnderWay)
        }
        shop.clock.advance(seconds: 1)
        let decided = try await shop.gateway.administration.decide(id, .failed, reason: "x")
        #expect(decided.operation(id)?.state == .failed(.notProcessed(.neverArrived)))
    }

    /// An acquirer that was asked to take something back and says nothing of either.
    @Test(arguments: [true, false]) func openReversalEndsWithItsOperation(_ stands: Bool) async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        shop.script.append(.init(.query, fault: .garbage))
        shop.script.append(.init(.reverse, fault: .dropBeforeBooking))
        let outcome = try await shop.authorize(money(10_00))
        for _ in 0..<6 {
            shop.clock.advance(seconds: 61)
            _ = await shop.gateway.recover()
        }
        let open = try await shop.payment(outcome.payment.id)
        #expect(open.operations.map(\.kind) == [.authorization, .reversal])
        let decided = try await shop.gateway.administration.decide(
            outcome.operation.id, stands ? .approved(reference: nil) : .failed, reason: "the acquirer is gone")
        #expect(decided.state == (stands ? .authorized : .reversed))
        #expect(!decided.operations.contains { !$0.state.isResolved })
        #expect(try await shop.recoveryJobs().isEmpty)
        #expect(try await LedgerAudit.run(store: shop.store).problems == [])
    }

    @Test func refusesWhatIsKnownUnknownOrUnderWay() async throws {
        let (upstream, outcome) = try await Self.lost()
        let administration = upstream.shop.gateway.administration
        let entries = try await upstream.shop.store.read { try $0.lastAuditEntry()?.number }
        let other = OperationID(at: upstream.shop.clock.now, random: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        let unknown = await Self.code { try await administration.decide(other, .failed, reason: "x") }
        #expect(unknown == .operationUnknown)
        upstream.shop.script.append(.init(.authorize, fault: .dropAfterBooking))
        let fresh = try await upstream.shop.authorize(money(20_00))
        let early = await Self.code { try await administration.decide(fresh.operation.id, .failed, reason: "x") }
        #expect(early == .operationUnderWay)
        #expect(try await upstream.shop.store.read { try $0.lastAuditEntry()?.number } == entries)
        _ = try await administration.decide(outcome.operation.id, .failed, reason: "x")
        let late = await Self.code {
            try await administration.decide(outcome.operation.id, .approved(reference: nil), reason: "x")
        }
        #expect(late == .operationResolved)
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .notProcessed)
    }

    /// The acquirer's own report afterwards changes nothing: what a person has decided stands.
    @Test func reportAfterTheDecisionChangesNothing() async throws {
        let (upstream, outcome) = try await Self.lost()
        _ = try await upstream.shop.gateway.administration.decide(
            outcome.operation.id, .approved(reference: nil), reason: "x")
        await upstream.report("approved", of: outcome.operation.id, ["amount": Upstream.json(money(10_00))])
        #expect(try await upstream.shop.payment(outcome.payment.id).operations.count == 1)
        #expect(try await upstream.problems() == [])
    }
}
