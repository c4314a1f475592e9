//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import MemoryStore
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

/// What an operator does to a payment, past the shop that has made it.
struct PaymentActTests {
    static func code(_ body: () async throws -> Void) async -> PaymentActError.Code? {
        await self.error(body)?.code
    }

    static func error(_ body: () async throws -> Void) async -> PaymentActError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PaymentActError
        }
    }

    private static func log(_ shop: Shop) async throws -> [AuditEntry] {
        try await shop.store.read { try $0.auditEntries(after: 0, limit: 1000) }
            .filter { $0.act.name.hasPrefix("payment.") }
    }

    @Test func captureVoidAndRefundAreBookedAndAudited() async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.authorize(money(100_00)).payment.id
        let capture = try await acts.capture(
            id, amount: money(60_00), isFinal: true, key: "c", reason: "Ann, ticket 7", plans: [])
        #expect(capture.operation.state == .succeeded && capture.operation.isOperators && !capture.isRepeat)
        #expect(capture.payment.capturedAmount == money(60_00) && capture.payment.heldAmount.isZero)
        let refund = try await acts.refund(id, amount: money(20_00), key: "r", reason: nil, plans: [])
        #expect(refund.operation.kind == .refund && refund.payment.state == .partiallyRefunded)
        let other = try await shop.authorize(money(5_00)).payment.id
        #expect(try await acts.void(other, key: "v", reason: nil, plans: []).payment.state == .voided)
        let entries = try await Self.log(shop)
        #expect(entries.map(\.act.name) == ["payment.capture", "payment.refund", "payment.void"])
        #expect(entries.map(\.subject) == [id.text, id.text, other.text])
        #expect(
            entries.first?.details == [
                "operation": capture.operation.id.text, "amount": "60.00 CAD", "final": "true",
                "reason": "Ann, ticket 7", "merchant": shop.merchant.merchant.name,
            ])
        #expect(entries.last?.details["amount"] == "5.00 CAD" && entries.last?.details["reason"] == nil)
        #expect(try await acts.checkAuditLog().isSound)
        // The shop goes on where the operator has left off.
        #expect(try await shop.refund(nil, of: id).operation.amount == money(40_00))
        try await expectAgreement(shop)
    }

    @Test func withoutAnAmountAllThatIsLeftIsMeant() async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.authorize(money(100_00)).payment.id
        _ = try await shop.capture(money(30_00), of: id)
        let capture = try await acts.capture(id, amount: nil, isFinal: false, key: "c", reason: nil, plans: [])
        #expect(capture.operation.amount == money(70_00))
        _ = try await shop.refund(money(10_00), of: id)
        let refund = try await acts.refund(id, amount: nil, key: "r", reason: nil, plans: [])
        #expect(refund.operation.amount == money(90_00) && refund.payment.state == .refunded)
    }

    @Test func saleIsVoidedAsAWhole() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        let outcome = try await shop.gateway.administration.void(
            sale.payment.id, key: "v", reason: nil, plans: [])
        #expect(outcome.operation.state == .succeeded && outcome.payment.state == .voided)
        try await expectAgreement(shop)
    }

    // MARK: - Refused

    @Test func refusedActWritesNothingAndSaysWhatIsPossible() async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.sell(money(10_00)).payment.id
        _ = try await shop.refund(money(4_00), of: id)
        let before = try await shop.payment(id)
        let error = await Self.error {
            _ = try await acts.refund(id, amount: money(6_01), key: "r", reason: nil, plans: [])
        }
        #expect(error?.code == .notPossible && error?.refusal == .refundExceedsCaptured)
        #expect(error?.possible?.refund.bounds?.upTo == money(6_00))
        #expect(error?.message.contains("Up to 6.00 CAD can be refunded at once.") == true)
        let capture = await Self.error {
            _ = try await acts.capture(id, amount: nil, isFinal: false, key: "c", reason: nil, plans: [])
        }
        #expect(capture?.refusal == .captureIsFinal && capture?.possible?.capture.bounds == nil)
        let void = await Self.error { _ = try await acts.void(id, key: "v", reason: nil, plans: []) }
        #expect(void?.refusal == .alreadyRefunded)
        #expect(
            void?.message
                == "A part of the payment has been refunded or charged back, and a void takes back the whole. "
                + "Refund the rest instead: up to 6.00 CAD.", "\(void?.message ?? "")")
        let currency = await Self.error {
            _ = try await acts.refund(id, amount: money(1, usd), key: "r", reason: nil, plans: [])
        }
        #expect(currency?.refusal == .currencyDiffers)
        let nothing = await Self.error {
            _ = try await acts.refund(id, amount: money(0), key: "r", reason: nil, plans: [])
        }
        #expect(nothing?.refusal == .amountNotPositive)
        #expect(try await shop.payment(id) == before)
        #expect(try await Self.log(shop).isEmpty)
        // The key of a refused act is free.
        #expect(
            try await acts.refund(id, amount: money(6_00), key: "r", reason: nil, plans: []).operation.state
                == .succeeded)
    }

    /// What is left of the capture that was named, and not of all of them.
    @Test func aRefundOfOneCaptureIsBoundByWhatIsLeftOfIt() async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.authorize(money(10_50)).payment.id
        _ = try await shop.capture(money(6_00), of: id)
        let second = try await acts.capture(id, amount: nil, isFinal: true, key: "c", reason: nil, plans: [])
        let tooMuch = await Self.error {
            _ = try await acts.refund(
                id, amount: money(10_50), of: second.operation.id, key: "r", reason: nil, plans: [])
        }
        #expect(tooMuch?.code == .notPossible && tooMuch?.possible?.refund.bounds?.upTo == money(10_50))
        #expect(tooMuch?.message.hasSuffix("Up to 4.50 CAD of that capture can be refunded.") == true)
        _ = try await acts.refund(id, amount: money(4_50), of: second.operation.id, key: "r", reason: nil, plans: [])
        let nothing = await Self.error {
            _ = try await acts.refund(id, amount: money(1), of: second.operation.id, key: "s", reason: nil, plans: [])
        }
        #expect(nothing?.refusal == .alreadyRefunded)
        #expect(nothing?.message.contains("6.00 CAD") == false, "\(nothing?.message ?? "")")
    }

    @Test func refusesWhatIsNotThereOrMalformed() async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.sell(money(10_00)).payment.id
        let nobody = PaymentID(at: shop.clock.now, random: [1])
        let nothing = OperationID(at: shop.clock.now, random: [1])
        #expect(
            await Self.code { _ = try await acts.void(nobody, key: "k", reason: nil, plans: []) } == .paymentUnknown)
        #expect(
            await Self.code { _ = try await acts.possibleActs(of: nobody, plans: []) } == .paymentUnknown)
        #expect(
            await Self.code {
                _ = try await acts.refund(id, amount: nil, of: nothing, key: "k", reason: nil, plans: [])
            } == .captureUnknown)
        for key in ["", "a\nb", String(repeating: "k", count: 256)] {
            #expect(await Self.code { _ = try await acts.void(id, key: key, reason: nil, plans: []) } == .keyMalformed)
            #expect(
                await Self.code { _ = try await acts.void(id, key: "k", reason: key, plans: []) } == .reasonMalformed)
        }
        #expect(try await Self.log(shop).isEmpty)
    }

    @Test func refusesWhatTheAcquirerDoesNotOffer() async throws {
        let (shop, _) = try await Shop.intercepted(outcomes: { await $1() })
        let whole = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(
                    base,
                    base.capabilities.changed {
                        $0.capturesInParts = false
                        $0.refundsInParts = false
                        $0.voids = []
                    }, outcomes: { await $1() })
            }
        }
        let acts = whole.gateway.administration
        let id = try await whole.authorize(money(10_00)).payment.id
        let part = await Self.code {
            _ = try await acts.capture(id, amount: money(1), isFinal: true, key: "c", reason: nil, plans: [])
        }
        #expect(part == .notOffered)
        #expect(await Self.code { _ = try await acts.void(id, key: "v", reason: nil, plans: []) } == .notOffered)
        let possible = try await acts.possibleActs(of: id, plans: [])
        #expect(possible.capture.bounds?.upTo == money(10_00) && possible.capture.bounds?.isInParts == false)
        #expect(possible.void == .notOffered)
        _ = try await acts.capture(id, amount: nil, isFinal: true, key: "c", reason: nil, plans: [])
        #expect(try await acts.possibleActs(of: id, plans: []).refund.bounds?.isInParts == false)
        let other = try await shop.authorize(money(10_00)).payment.id
        #expect(try await shop.gateway.administration.possibleActs(of: other, plans: []).void.bounds != nil)
    }

    // MARK: - The key

    @Test func theSameKeyIsOneAct() async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.sell(money(100_00)).payment.id
        let first = try await acts.refund(id, amount: money(10_00), key: "k", reason: "one", plans: [])
        _ = try await shop.refund(money(5_00), of: id)
        let again = try await acts.refund(id, amount: money(10_00), key: "k", reason: "another", plans: [])
        #expect(again.isRepeat && again.operation == first.operation && again.payment == first.payment)
        #expect(try await Self.log(shop).count == 1)
        #expect(try await shop.book.entries().count { $0.kind == .refund } == 2)
        let other = try await shop.sell(money(100_00)).payment.id
        for (payment, amount) in [(id, money(10_01)), (id, nil), (other, money(10_00))] {
            let code = await Self.code {
                _ = try await acts.refund(payment, amount: amount, key: "k", reason: nil, plans: [])
            }
            #expect(code == .keyUsed)
        }
        let capture = await Self.code {
            _ = try await acts.capture(id, amount: money(10_00), isFinal: false, key: "k", reason: nil, plans: [])
        }
        #expect(capture == .keyUsed)
        // The shop's keys are its own.
        let own = try await shop.gateway.followUp(shop.followUp(.refund(money(1_00)), of: id, key: "k"))
        #expect(!own.isRepeat && own.operation.id != first.operation.id)
        #expect(try await Self.log(shop).count == 1)
        try await expectAgreement(shop)
    }

    @Test func manyWithOneKeyAtOnceAreOneAct() async throws {
        let shop = try await Shop.open()
        let id = try await shop.sell(money(100_00)).payment.id
        let operations = try await withThrowingTaskGroup(of: OperationID.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await shop.gateway.administration.refund(
                        id, amount: money(10_00), key: "k", reason: nil, plans: []
                    ).operation.id
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(operations.count == 1)
        #expect(try await shop.payment(id).refundedAmount == money(10_00))
        #expect(try await Self.log(shop).count == 1)
    }

    // MARK: - One commit

    @Test func actAndItsEntryAreOneCommit() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        let acts = shop.gateway.administration
        let id = try await shop.sell(money(10_00)).payment.id
        store.plan { _ in .beforeCommit }
        let lost = await Self.code { _ = try await acts.refund(id, amount: nil, key: "r", reason: nil, plans: []) }
        #expect(lost == .storeUnavailable)
        store.plan { _ in nil }
        #expect(try await Self.log(shop).isEmpty)
        #expect(try await shop.payment(id).refundedAmount.isZero)
        #expect(try await shop.book.entries().count == 1)
        // The commit came about, and nobody heard of it: both are there, and the same key finds them.
        store.plan { $0 == 1 ? .afterCommit : nil }
        let unheard = await Self.code { _ = try await acts.refund(id, amount: nil, key: "r", reason: nil, plans: []) }
        #expect(unheard == .storeUnavailable)
        #expect(try await Self.log(shop).count == 1)
        let found = try await acts.refund(id, amount: nil, key: "r", reason: nil, plans: [])
        #expect(found.isRepeat && found.operation.state == .pending)
        try await shop.recoverUntilSettled()
        #expect(try await Self.log(shop).count == 1)
        try await expectAgreement(shop)
    }

    // MARK: - Lost answers

    @Test(arguments: [SimulatorFault.dropAfterBooking, .dropBeforeBooking])
    func lostAnswerIsReturnedAsUnknownAndRecovered(_ fault: SimulatorFault) async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.sell(money(10_00)).payment.id
        shop.script.append(.init(.refund, .first(1), fault: fault))
        let lost = try await acts.refund(id, amount: money(4_00), key: "r", reason: nil, plans: [])
        #expect(lost.operation.state == .unknown)
        // It counts as done until it is known to have failed.
        let tooMuch = await Self.error {
            _ = try await acts.refund(id, amount: money(6_01), key: "s", reason: nil, plans: [])
        }
        #expect(tooMuch?.possible?.refund.bounds?.upTo == money(6_00))
        try await shop.recoverUntilSettled()
        let found = try await acts.refund(id, amount: money(4_00), key: "r", reason: nil, plans: [])
        let isBooked = fault == .dropAfterBooking
        #expect(found.isRepeat && (found.operation.state == .succeeded) == isBooked)
        #expect(try await shop.payment(id).refundableAmount == (isBooked ? money(6_00) : money(10_00)))
        #expect(try await Self.log(shop).count == 1)
        try await expectAgreement(shop)
    }

    // MARK: - Whose payments

    @Test(arguments: [Merchant.State.suspended, .closed])
    func paymentsOfAMerchantThatTakesNoneGoOn(_ state: Merchant.State) async throws {
        let shop = try await Shop.open()
        let acts = shop.gateway.administration
        let id = try await shop.authorize(money(10_00)).payment.id
        let merchant = shop.merchant.merchant.id
        _ = state == .closed ? try await acts.closeMerchant(merchant) : try await acts.suspendMerchant(merchant)
        let capture = try await acts.capture(
            id, amount: money(8_00), isFinal: true, key: "c", reason: nil, plans: [])
        #expect(capture.operation.state == .succeeded)
        #expect(try await acts.refund(id, amount: nil, key: "r", reason: nil, plans: []).payment.state == .refunded)
    }

    /// Whoever has changed the account in the database does not keep customers from their money.
    @Test func paymentIsRefundedAlsoWhereItsAccountDoesNotOpen() async throws {
        let shop = try await Shop.open()
        let id = try await shop.sell(money(10_00)).payment.id
        try await shop.store.write { transaction in
            let account = try #require(
                try transaction.account(dialect: Shop.dialect, merchant: shop.merchant.merchant.id))
            var settings = account.settings
            settings["notifyURL"] = "https://devil.example"
            try transaction.upsert(
                MerchantAccount(
                    merchantID: account.merchantID, dialect: account.dialect, key: account.key,
                    aliases: account.aliases, settings: settings, secrets: account.secrets))
        }
        shop.clock.advance(seconds: 60)
        let refund = try await shop.gateway.administration.refund(
            id, amount: nil, key: "r", reason: nil, plans: [])
        #expect(refund.operation.state == .succeeded)
    }
}
