//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Ledger
import Money
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing

/// Which acquirer account a payment takes, and that it stays with it.
@Suite struct RoutingTests {
    /// A shop with accounts at two acquirers: the one that every shop has, and a second one.
    private struct TwoBanks {
        let shop: Shop
        let second: SimulatorAcquirer
        let firstAccount: AcquirerAccountID
        let secondAccount: AcquirerAccountID

        var administration: Administration { self.shop.gateway.administration }

        func route(_ routes: [(AcquirerAccountID, Route.Condition)]) async throws {
            try await self.administration.setRoutes(
                of: self.shop.merchant.merchant.id,
                to: routes.enumerated().map { Route(number: $0 + 1, account: $1.0, condition: $1.1) })
        }

        /// - Parameter wrapped: the second acquirer, as the gateway sees it. The clock of deadlines goes with the shop's.
        static func open(
            _ configure: (inout Shop.Options) -> Void = { _ in },
            second wrapped: (SimulatorAcquirer) -> any Acquirer = { $0 }
        ) async throws -> TwoBanks {
            let first = try await Shop.open(configure)
            let second = SimulatorAcquirer(book: try .inMemory(), name: AcquirerName("second"))
            let acquirer = wrapped(second)
            let (start, began) = (ContinuousClock.now, first.clock.steadyNanoseconds)
            let shop = try await first.restarted { parts in
                parts.connectors.append(SharedAcquirerConnector(acquirer, takesLive: true))
                parts.steadyClock = { start + .nanoseconds(first.clock.steadyNanoseconds - began) }
            }
            let merchant = shop.merchant.merchant
            let account = try await shop.gateway.administration.addAcquirerAccount(
                AcquirerAccountDraft(name: "second-bank", connector: AcquirerName("second")), to: merchant.id)
            let known = try await shop.store.read { try $0.acquirerAccounts(of: merchant.id) }
            return TwoBanks(
                shop: shop, second: second,
                firstAccount: try #require(known.first { $0.connector == AcquirerName("simulator") }).id,
                secondAccount: account.id)
        }
    }

    private static let any = Route.Condition()

    @Test func firstRouteThatFitsDecides() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([
            (banks.secondAccount, Route.Condition(network: .amex)),
            (banks.secondAccount, Route.Condition(currency: usd)),
            (banks.secondAccount, Route.Condition(currency: cad, minorUnitsMin: 50_00, minorUnitsMax: 100_00)),
            (banks.secondAccount, Route.Condition(dialect: DialectName("other"))),
            (banks.firstAccount, Self.any),
            (banks.secondAccount, Self.any),
        ])
        let shop = banks.shop
        let cases: [(Money, String, AcquirerAccountID)] = [
            (money(10_00), Shop.devicePAN, banks.firstAccount),
            (money(10_00), "371449635398431", banks.secondAccount),
            (money(10_00, usd), Shop.devicePAN, banks.secondAccount),
            (money(49_99), Shop.devicePAN, banks.firstAccount), (money(50_00), Shop.devicePAN, banks.secondAccount),
            (money(100_00), Shop.devicePAN, banks.secondAccount),
            (money(100_01), Shop.devicePAN, banks.firstAccount),
        ]
        for (index, (amount, pan, account)) in cases.enumerated() {
            let outcome = try await shop.pay(with: Shop.deviceToken(UInt8(index), pan: pan), amount)
            #expect(outcome.payment.accountID == account, "\(amount) with \(pan.prefix(2))")
            let isSecond = account == banks.secondAccount
            #expect(outcome.payment.acquirer.text == (isSecond ? "second" : "simulator"))
            #expect(try await banks.second.book.entries(of: outcome.payment.id).isEmpty == !isSecond)
        }
    }

    @Test func paymentStaysWithItsAccount() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.secondAccount, Self.any)])
        let shop = banks.shop
        let id = try await shop.authorize(money(10_00)).payment.id
        try await banks.route([(banks.firstAccount, Self.any)])
        try await banks.administration.setAcquirerAccount(banks.secondAccount, to: .suspended)
        #expect(try await shop.capture(money(10_00), of: id).operation.state == .succeeded)
        #expect(try await shop.refund(money(4_00), of: id).operation.state == .succeeded)
        #expect(try await banks.second.book.entries(of: id).count == 3)
        #expect(try await shop.book.entries(of: id).isEmpty)
        let journal = try await shop.store.read { try $0.journal(of: id) }
        let paths = Set(journal.flatMap(\.postings).map(\.account.path)).filter { $0.hasPrefix("acquirer/") }
        #expect(paths == ["acquirer/\(banks.secondAccount)/receivable"])
    }

    @Test func suspendedAccountIsPassedOver() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.secondAccount, Self.any), (banks.firstAccount, Self.any)])
        try await banks.administration.setAcquirerAccount(banks.secondAccount, to: .suspended)
        #expect(try await banks.shop.authorize(money(10_00)).payment.accountID == banks.firstAccount)
        try await banks.administration.setAcquirerAccount(banks.secondAccount, to: .active)
        #expect(try await banks.shop.authorize(money(11_00)).payment.accountID == banks.secondAccount)
    }

    /// The next route's account is asked for what the first one's cannot do, before anything is begun.
    @Test func accountThatCannotBeginItIsPassedOver() async throws {
        let banks = try await TwoBanks.open { options in
            options.acquirer = { InterceptingAcquirer($0, $0.capabilities.changed { $0.networks = [.mastercard] }) }
        }
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        let taken = try await banks.shop.pay(with: Shop.deviceToken(1, pan: "371449635398431"), money(10_00))
        #expect(taken.payment.accountID == banks.secondAccount)
        #expect(taken.operation.state == .succeeded)
        let ofFirst = try await banks.shop.pay(with: Shop.deviceToken(2, pan: "5555555555554444"), money(10_00))
        #expect(ofFirst.payment.accountID == banks.firstAccount)
        // Where none can, the payment is refused for what the first one lacks.
        try await banks.route([(banks.firstAccount, Self.any)])
        await expectRefusal(.networkNotSupported) {
            _ = try await banks.shop.pay(with: Shop.deviceToken(3, pan: "371449635398431"), money(10_00))
        }
    }

    @Test func accountThatIsNotPaidInTheCurrencyIsPassedOver() async throws {
        let banks = try await TwoBanks.open { options in
            options.acquirer = {
                InterceptingAcquirer(
                    $0,
                    $0.capabilities.changed { capabilities in
                        capabilities.currencies = .asInISO4217([cad], minorUnits: 1...50_00)
                    })
            }
        }
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        for (number, amount) in [money(50_00), money(50_01), money(10_00, usd)].enumerated() {
            let outcome = try await banks.shop.pay(with: Shop.deviceToken(UInt8(number)), amount)
            #expect(outcome.payment.accountID == (number == 0 ? banks.firstAccount : banks.secondAccount))
        }
    }

    /// One that cannot be reached is asked only where no other is there.
    @Test func acquirerThatIsAwayIsPassedOver() async throws {
        let away = AwayAcquirer()
        let banks = try await TwoBanks.open { $0.acquirer = { away.with($0) } }
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        let second = try await banks.shop.pay(with: Shop.deviceToken(1), money(10_00))
        #expect(second.payment.accountID == banks.secondAccount)
        try await banks.route([(banks.firstAccount, Self.any)])
        let first = try await banks.shop.pay(with: Shop.deviceToken(2), money(10_00))
        #expect(first.payment.accountID == banks.firstAccount && first.operation.state == .succeeded)
    }

    /// The simulator, which says that it cannot be reached.
    private struct AwayAcquirer: Acquirer {
        var base: (any Acquirer)?

        func with(_ base: any Acquirer) -> AwayAcquirer { AwayAcquirer(base: base) }

        var name: AcquirerName { AcquirerName("simulator") }
        var capabilities: AcquirerCapabilities {
            self.base?.capabilities ?? AcquirerCapabilities(recovery: .queryThenReversal)
        }
        var readiness: AcquirerReadiness { .notReady("signed_off") }

        func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
            await self.base?.perform(request) ?? .unclear("away")
        }

        func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
            await self.base?.query(query) ?? .unknown(.unclear("away"))
        }
    }

    @Test func merchantWithoutARouteTakesNothing() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([])
        await expectRefusal(.acquirerNotConnected) { _ = try await banks.shop.authorize(money(10_00)) }
        try await banks.route([(banks.firstAccount, Route.Condition(currency: usd))])
        await expectRefusal(.acquirerNotConnected) { _ = try await banks.shop.authorize(money(10_00)) }
        #expect(try await banks.shop.book.entries().isEmpty)
    }

    // MARK: - Fallback

    @Test(arguments: NotProcessedReason.allCases)
    func whatWasNotProcessedGoesToTheNextAccount(_ reason: NotProcessedReason) async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        let shop = banks.shop
        shop.script.append(.init(.authorize, .nth(1), fault: .refuse(reason)))
        let outcome = try await shop.sell(money(10_00))
        #expect(outcome.operation.state == .succeeded)
        #expect(outcome.payment.accountID == banks.secondAccount)
        #expect(outcome.payment.acquirer == AcquirerName("second"))
        #expect(outcome.operation.wasResolvedAtOnce)
        #expect(try await shop.book.entries().isEmpty)
        #expect(try await shop.refund(money(10_00), of: outcome.payment.id).operation.state == .succeeded)
        let stored = try await shop.store.read { try $0.payment(outcome.payment.id) }
        #expect(stored?.accountID == banks.secondAccount)
        #expect(try await LedgerAudit.run(store: shop.store).isSound)
    }

    @Test(arguments: [SimulatorFault.dropBeforeBooking, .dropAfterBooking, .garbage, .arriveLate, .accept])
    func whatMayHaveHappenedGoesNowhereElse(_ fault: SimulatorFault) async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        banks.shop.script.append(.init(.authorize, .nth(1), fault: fault))
        let outcome = try await banks.shop.authorize(money(10_00))
        #expect(outcome.payment.accountID == banks.firstAccount)
        #expect(try await banks.second.book.entries().isEmpty)
        await banks.shop.simulator.deliverLate()
        try await banks.shop.recoverUntilSettled()
        #expect(try await banks.second.book.entries().isEmpty)
        try await expectAgreement(banks.shop)
    }

    @Test func declineGoesNowhereElse() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        banks.shop.script.append(.init(.authorize, .nth(1), fault: .decline(.doNotHonor)))
        #expect(try await banks.shop.authorize(money(10_00)).payment.state == .declined)
        #expect(try await banks.second.book.entries().isEmpty)
    }

    @Test func nobodyLeftIsNotProcessed() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.firstAccount, Self.any), (banks.firstAccount, Self.any)])
        banks.shop.script.append(.init(.authorize, .every, fault: .refuse(.notSent)))
        let outcome = try await banks.shop.authorize(money(10_00))
        #expect(outcome.operation.state == .failed(.notProcessed(.notSent)))
        #expect(outcome.payment.accountID == banks.firstAccount)
    }

    /// The shop waits for all tries with one answer: the second has what the first has left of the deadline of 32 seconds,
    /// and its connector the share of it that says how the call ended before the gateway does.
    @Test(arguments: [(Int64(0), Int64(32_000)), (20, 12_000), (28, 4000)])
    func anotherTryHasWhatTheFirstHasLeft(seconds: Int64, milliseconds: Int64) async throws {
        let given = Mutex<[Int64?]>([])
        let banks = try await TwoBanks.open(second: { second in
            InterceptingAcquirer(second) { _, next in
                given.withLock { $0.append(AcquirerCallTime.milliseconds) }
                return await next()
            }
        })
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        let clock = banks.shop.clock
        banks.shop.script.append(
            .init(.authorize, .nth(1), fault: .refuse(.busy), beforeAnswer: { clock.advance(seconds: seconds) }))
        let outcome = try await banks.shop.authorize(money(10_00))
        #expect(outcome.operation.state == .succeeded && outcome.payment.accountID == banks.secondAccount)
        #expect(given.withLock { $0 } == [milliseconds / 16 * 15])
    }

    /// In less than an eighth of the deadline an issuer may approve what nobody waits for any more.
    @Test func tooLittleLeftForAnotherTry() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        let clock = banks.shop.clock
        banks.shop.script.append(
            .init(.authorize, .nth(1), fault: .refuse(.busy), beforeAnswer: { clock.advance(seconds: 29) }))
        let outcome = try await banks.shop.authorize(money(10_00))
        #expect(outcome.operation.state == .failed(.notProcessed(.busy)))
        #expect(outcome.payment.accountID == banks.firstAccount)
        #expect(try await banks.second.book.entries().isEmpty)
    }

    /// Recovery would take the payment up before the second answer came.
    @Test func tooLateForAnotherTry() async throws {
        let banks = try await TwoBanks.open()
        try await banks.route([(banks.firstAccount, Self.any), (banks.secondAccount, Self.any)])
        let clock = banks.shop.clock
        banks.shop.script.append(
            .init(.authorize, .nth(1), fault: .refuse(.busy), beforeAnswer: { clock.advance(seconds: 39) }))
        let outcome = try await banks.shop.authorize(money(10_00))
        #expect(outcome.operation.state == .failed(.notProcessed(.busy)))
        #expect(outcome.payment.accountID == banks.firstAccount)
    }

    // MARK: - Merchants and accounts

    @Test func suspendedMerchantTakesNoNewPayments() async throws {
        let shop = try await Shop.open()
        let administration = shop.gateway.administration
        let id = try await shop.authorize(money(10_00)).payment.id
        try await administration.suspendMerchant(shop.merchant.merchant.id)
        let merchant = try #require(try await shop.gateway.account(dialect: Shop.dialect, key: "account-first"))
        await expectRefusal(.merchantSuspended) {
            _ = try await shop.pay(with: Shop.deviceToken(7), money(10_00), as: merchant)
        }
        #expect(try await shop.capture(money(10_00), of: id).operation.state == .succeeded)
        #expect(try await shop.refund(money(10_00), of: id).operation.state == .succeeded)
        try await administration.resumeMerchant(shop.merchant.merchant.id)
        let resumed = try #require(try await shop.gateway.account(dialect: Shop.dialect, key: "account-first"))
        #expect(try await shop.pay(with: Shop.deviceToken(8), money(10_00), as: resumed).operation.state == .succeeded)
    }

    @Test func closedMerchantIsNotKnown() async throws {
        let shop = try await Shop.open()
        try await shop.gateway.administration.closeMerchant(shop.merchant.merchant.id)
        #expect(try await shop.gateway.account(dialect: Shop.dialect, key: "account-first") == nil)
        await #expect(throws: AdministrationError.self) {
            try await shop.gateway.administration.resumeMerchant(shop.merchant.merchant.id)
        }
    }

    /// Whoever can write to the database could have card numbers sent elsewhere.
    @Test func accountThatWasChangedInTheStoreTakesNothing() async throws {
        let log = CapturedLog()
        let shop = try await Shop.open { $0.log = log.logger }
        let merchant = shop.merchant.merchant.id
        try await shop.store.write { transaction in
            for account in try transaction.acquirerAccounts(of: merchant) {
                var changed = account
                changed.settings["host"] = "attacker.example"
                try transaction.update(changed)
            }
        }
        await expectRefusal(.acquirerNotConnected) { _ = try await shop.authorize(money(10_00)) }
        #expect(log.text.contains("acquirer account cannot be opened"))
        #expect(!log.text.contains("attacker.example"))
    }
}
