//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import Time
import WalletSimulator

/// Tokens that are opened now and paid with later.
struct KeptTokenTests {
    private static let instrument = AuthorizationInstrument.kept(kind: "prime", id: "P-1")

    @discardableResult
    private func keep(
        _ shop: Shop, _ amount: Money = money(10_00), card: SimulatedCard = .visa, id: String = "P-1",
        lifetime: Int64 = 90, isAmountPending: Bool = false, token: AuthorizationInstrument? = nil
    ) async throws -> KeptToken {
        try await shop.gateway.keepToken(
            KeepTokenCommand(
                instrument: try token ?? .applePay(shop.token(amount, card: card)), merchant: shop.merchant,
                kind: "prime", id: id, lifetimeSeconds: lifetime, isAmountPending: isAmountPending))
    }

    @Test(arguments: [SimulatedCard.visa, .mastercard, .amex])
    func paysAsTheTokenItselfWould(card: SimulatedCard) async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let kept = try await self.keep(shop, card: card)
        #expect(kept.amount == money(10_00))
        #expect(kept.expiresAt == shop.clock.now.adding(seconds: 90))
        shop.clock.advance(seconds: 89)
        let outcome = try await shop.gateway.authorize(shop.command(Self.instrument, money(10_00)))
        #expect(outcome.operation.state == .succeeded)
        #expect(outcome.payment.instrument == kept.summary)
        let direct = try await shop.gateway.authorize(
            shop.authorization(of: money(10_00), token: shop.token(money(10_00), card: card)))
        let (paid, other) = (outcome.payment.instrument, direct.payment.instrument)
        #expect(paid.maskedPAN == other.maskedPAN && paid.expiryYearMonth == other.expiryYearMonth)
        #expect((paid.network, paid.eci, paid.displayName) == (other.network, other.eci, other.displayName))
        // What was verified when: the one when it was kept, the other when it paid.
        #expect(paid.proof?.verifiedAt == shop.clock.now.adding(seconds: -89))
        #expect(other.proof?.verifiedAt == shop.clock.now)
        #expect(paid.proof?.publicKeyHash == other.proof?.publicKeyHash && paid.proof?.checks == other.proof?.checks)
        #expect(paid.proof?.transactionIdentifier != other.proof?.transactionIdentifier)
        #expect(acquirer.calls.map(\.name) == ["authorize", "authorize"])
        try await expectAgreement(shop)
    }

    @Test func isGoneWhenItHasPaidAndRepeatsItsAnswer() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop)
        let command = shop.command(Self.instrument, money(10_00), key: "K")
        let outcome = try await shop.gateway.authorize(command)
        #expect(try await shop.gateway.kept(kind: "prime", id: "P-1", merchant: shop.merchant) == nil)
        let again = try await shop.gateway.authorize(command)
        #expect(again.isRepeat && again.operation.id == outcome.operation.id)
        await expectRefusal(.keptTokenUnknown) {
            _ = try await shop.gateway.authorize(shop.command(Self.instrument, money(10_00)))
        }
        #expect(shop.script.count(of: .authorize) == 1)
    }

    @Test func paysOnceUnderConcurrency() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop)
        let paidCount = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let command = shop.command(Self.instrument, money(10_00))
                    return (try? await shop.gateway.authorize(command)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(paidCount == 1)
        try await expectAgreement(shop)
    }

    @Test func refusedPaymentLeavesItToPayWith() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop)
        await expectRefusal(.amountDiffersFromToken) {
            _ = try await shop.gateway.authorize(shop.command(Self.instrument, money(10_01)))
        }
        await expectRefusal(.currencyDiffersFromToken) {
            _ = try await shop.gateway.authorize(shop.command(Self.instrument, money(10_00, usd)))
        }
        #expect(
            try await shop.gateway.authorize(shop.command(Self.instrument, money(10_00))).operation.state == .succeeded)
    }

    @Test func pendingAmountIsNamedByThePayment() async throws {
        let shop = try await Shop.open()
        let kept = try await self.keep(shop, money(1), lifetime: 30 * 86_400, isAmountPending: true)
        #expect(kept.isAmountPending)
        // Long after the token itself would have been too old.
        shop.clock.advance(seconds: 29 * 86_400)
        await expectRefusal(.currencyDiffersFromToken) {
            _ = try await shop.gateway.authorize(shop.command(Self.instrument, money(77_00, usd)))
        }
        await expectRefusal(.payment(.amountNotPositive)) {
            _ = try await shop.gateway.authorize(shop.command(Self.instrument, nil))
        }
        let outcome = try await shop.gateway.authorize(shop.command(Self.instrument, money(77_00)))
        #expect(outcome.payment.amount == money(77_00))
    }

    @Test func expiresAndIsSweptAway() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop)
        shop.clock.advance(seconds: 90)
        let pay = { _ = try await shop.gateway.authorize(shop.command(Self.instrument, money(10_00))) }
        await expectRefusal(.keptTokenExpired) { try await pay() }
        try await shop.gateway.sweep()
        await expectRefusal(.keptTokenUnknown) { try await pay() }
        #expect(shop.script.count(of: .authorize) == 0)
    }

    /// Under a second name it is not kept at all; under a name and as it came it pays once.
    @Test func sameTokenPaysOnce() async throws {
        let shop = try await Shop.open()
        let token = AuthorizationInstrument.applePay(try shop.token(money(10_00)))
        try await self.keep(shop, token: token)
        await expectRefusal(.tokenReplayed) { try await self.keep(shop, id: "P-2", token: token) }
        _ = try await shop.gateway.authorize(shop.command(token, money(10_00)))
        await expectRefusal(.tokenReplayed) {
            _ = try await shop.gateway.authorize(shop.command(Self.instrument, money(10_00)))
        }
        await expectRefusal(.tokenReplayed) { try await self.keep(shop, id: "P-3", token: token) }
    }

    @Test func aTokenThatHasPaidIsNotKept() async throws {
        let shop = try await Shop.open()
        let token = AuthorizationInstrument.applePay(try shop.token(money(10_00)))
        _ = try await shop.gateway.authorize(shop.command(token, money(10_00)))
        await expectRefusal(.tokenReplayed) { try await self.keep(shop, token: token) }
        #expect(try await shop.gateway.kept(kind: "prime", id: "P-1", merchant: shop.merchant) == nil)
    }

    @Test func pendingAmountIsTheSheetsForWhoMayNotNameIt() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop, money(10_00), isAmountPending: true)
        var command = shop.command(Self.instrument, money(77_00))
        command.takesPendingAmount = false
        await expectRefusal(.amountDiffersFromToken) { _ = try await shop.gateway.authorize(command) }
        command.amount = money(10_00, usd)
        await expectRefusal(.currencyDiffersFromToken) { _ = try await shop.gateway.authorize(command) }
        command.amount = money(10_00)
        #expect(try await shop.gateway.authorize(command).payment.amount == money(10_00))
    }

    @Test func refusesWhatCannotBeKept() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop)
        await expectRefusal(.keptItemConflict) { try await self.keep(shop) }
        await expectRefusal(.operationNotSupported) {
            try await self.keep(shop, id: "P-3", token: .opened(Shop.deviceToken()))
        }
        await expectTokenRefusal(.intermediateSignatureInvalid) {
            let forged = try shop.token(money(10_00), by: TestAuthorities.foreign.get())
            try await self.keep(shop, id: "P-4", token: .applePay(forged))
        }
        await expectRefusal(.keptTokenUnknown) {
            _ = try await shop.gateway.authorize(shop.command(.kept(kind: "prime", id: "P-4"), money(10_00)))
        }
    }

    /// What another dialect has kept under the name is no token.
    @Test func refusesKeptItemsThatAreNoTokens() async throws {
        let shop = try await Shop.open()
        for (index, content) in ["", "{}", #"{"pan":"4111111111111111","expiry":"2812"}"#].enumerated() {
            try await shop.gateway.keep(
                Redacted(Array(content.utf8)), kind: "prime", id: "X-\(index)", lifetimeSeconds: 90,
                merchant: shop.merchant, replacing: nil)
            await expectRefusal(.keptTokenUnknown) {
                _ = try await shop.gateway.authorize(shop.command(.kept(kind: "prime", id: "X-\(index)"), money(1)))
            }
        }
    }
}
