//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import Time

@testable import Gateway

/// An acquirer that wants the card's number again, which must not be kept for ever.
struct CardDataTests {
    private static let day: Int64 = 86_400
    private static let keepsForAMonth = ["keepsCardForSeconds": "2592000"]

    private static func parts(of payment: PaymentID, _ shop: Shop) async throws -> [StoredMemo.Part] {
        try await shop.store.read { try $0.memos(of: payment) }.map(\.part)
    }

    private static func job(of payment: PaymentID, _ shop: Shop) async throws -> Job? {
        try await shop.store.read { try $0.job(.forget, of: payment) }
    }

    /// All looks that are due until then, an hour apart at the least.
    private static func pass(_ days: Int64, _ shop: Shop) async -> Int {
        shop.clock.advance(seconds: days * self.day)
        return await shop.gateway.forgetCardData(limit: 8)
    }

    @Test func cardDataEndsAfterThePaymentAndItsTime() async throws {
        let shop = try await Upstream.open(Self.keepsForAMonth).shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        #expect(try await shop.capture(money(4_00), of: payment).operation.state == .succeeded)
        #expect(try await Self.parts(of: payment, shop) == [.cardData, .cardData])
        // A refund twenty days later begins the time anew.
        #expect(await Self.pass(20, shop) == 1)
        #expect(try await shop.refund(money(1_00), of: payment).operation.state == .succeeded)
        #expect(await Self.pass(29, shop) == 1)
        #expect(try await Self.parts(of: payment, shop).count == 3)
        #expect(await Self.pass(2, shop) == 1)
        #expect(try await Self.parts(of: payment, shop).isEmpty)
        #expect(try await Self.job(of: payment, shop) == nil)
        #expect(await Self.pass(2, shop) == 0)
    }

    /// It is refused before anything is begun: no operation stands in the books.
    @Test func whatNeedsTheNumberIsRefusedOnceItIsGone() async throws {
        let shop = try await Upstream.open(Self.keepsForAMonth).shop
        let payment = try await shop.sell(money(10_00)).payment.id
        _ = await Self.pass(31, shop)
        let count = try await shop.payment(payment).operations.count
        await expectRefusal(.cardDataDeleted) { _ = try await shop.refund(money(1_00), of: payment) }
        #expect(try await shop.payment(payment).operations.count == count)
    }

    @Test(arguments: [SimulatorFault.decline(.doNotHonor), .refuse(.busy)])
    func ofWhatCameToNothingItEndsWithinTheHour(_ fault: SimulatorFault) async throws {
        let shop = try await Upstream.open(Self.keepsForAMonth).shop
        shop.script.append(.init(.authorize, .first(1), fault: fault))
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.clock.advance(seconds: 3599)
        #expect(await shop.gateway.forgetCardData(limit: 8) == 0)
        shop.clock.advance(seconds: 1)
        #expect(await shop.gateway.forgetCardData(limit: 8) == 1)
        #expect(try await Self.parts(of: payment, shop).isEmpty)
    }

    /// What may have to be taken back keeps its number, however long that lasts; then its reversal needs it.
    @Test func nothingOpenLosesIt() async throws {
        let shop = try await Upstream.open(Self.keepsForAMonth.merging(["recovery": "reversal"]) { $1 }).shop
        shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        let payment = try await shop.authorize(money(10_00)).payment.id
        #expect(await Self.pass(400, shop) == 1)
        #expect(try await Self.parts(of: payment, shop).contains(.cardData))
        try await shop.recoverUntilSettled()
        #expect(try await shop.payment(payment).state == .reversed)
        #expect(await Self.pass(1, shop) == 1)
        #expect(try await Self.parts(of: payment, shop).isEmpty)
    }

    /// What is planned will need it.
    @Test func aPlannedCaptureKeepsIt() async throws {
        let shop = try await Upstream.open(["keepsCardForSeconds": "60"]).shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        try await shop.gateway.scheduleCapture(
            of: .payment(payment), at: shop.clock.now.adding(seconds: 5 * Self.day), merchant: shop.merchant)
        #expect(await Self.pass(5, shop) == 1)
        #expect(await shop.gateway.captureDue() == 1)
        #expect(try await shop.payment(payment).state == .captured)
        #expect(await Self.pass(1, shop) == 1)
        #expect(try await Self.parts(of: payment, shop).isEmpty)
    }

    @Test func takesNoMoreThanItsBatch() async throws {
        let shop = try await Upstream.open(["keepsCardForSeconds": "60"]).shop
        for _ in 0..<5 { _ = try await shop.sell(money(10_00)) }
        shop.clock.advance(seconds: Self.day)
        var counts: [Int] = []
        for _ in 0..<4 { counts.append(await shop.gateway.forgetCardData(limit: 2)) }
        #expect(counts == [2, 2, 1, 0])
    }

    // MARK: - An account that is not what it was

    enum Loss: CaseIterable {
        case accountSuspended
        case connectorGone
        case settingsChanged
        case keyGone
        case retentionGone
    }

    /// What becomes of the account does not lengthen its time, nor shorten it.
    @Test(arguments: [Loss.accountSuspended, .connectorGone, .settingsChanged, .keyGone])
    func endsWhateverBecomesOfTheAccount(_ loss: Loss) async throws {
        let (shop, payment) = try await Self.shop(after: loss)
        #expect(await Self.pass(29, shop) == 1)
        #expect(try await Self.parts(of: payment, shop) == [.cardData])
        #expect(await Self.pass(2, shop) == 1)
        #expect(try await Self.parts(of: payment, shop).isEmpty)
        #expect(try await Self.job(of: payment, shop) == nil)
    }

    /// What the connector says now counts where it says anything.
    @Test func endsWhenTheConnectorNeedsItNoLonger() async throws {
        let (shop, payment) = try await Self.shop(after: .retentionGone)
        #expect(await Self.pass(1, shop) == 1)
        #expect(try await Self.parts(of: payment, shop).isEmpty)
    }

    private static func shop(after loss: Loss) async throws -> (Shop, PaymentID) {
        let upstream = try await Upstream.open(Self.keepsForAMonth)
        let shop = upstream.shop
        let payment = try await shop.sell(money(10_00)).payment.id
        var parts: @Sendable (inout GatewayParts) -> Void = { _ in }
        switch loss {
        case .accountSuspended:
            try await shop.gateway.administration.setAcquirerAccount(upstream.account, to: .suspended)
        case .connectorGone: parts = { $0.connectors = [] }
        case .settingsChanged, .keyGone:
            try await shop.store.write { transaction in
                var account = try #require(try transaction.acquirerAccount(upstream.account))
                if loss == .settingsChanged { account.settings["keepsCardForSeconds"] = "1" }
                if loss == .keyGone {
                    account.secrets = account.secrets.mapValues { SealedBytes(keyID: "gone", box: $0.box) }
                }
                try transaction.update(account)
            }
        case .retentionGone:
            try await shop.gateway.administration.changeAcquirerAccount(
                upstream.account, AcquirerAccountChange(settings: ["keepsCardForSeconds": nil]))
        }
        return (try await shop.restarted(parts), payment)
    }

    // MARK: - What is never kept

    private static func token(_ proof: NetworkToken.Proof) -> PaymentInstrument {
        .networkToken(
            NetworkToken(pan: Redacted("4895370012003478"), expiryYearMonth: "3112", proof: proof, eci: "7"))
    }

    @Test(arguments: [
        AcquirerMemo(["a": Redacted("3q2+7w==")]), AcquirerMemo(cardData: ["a": Redacted("deadbeef")]),
        AcquirerMemo(cardData: ["a": Redacted("x DEADBEEF")]), AcquirerMemo(handles: ["deadbeef"]),
        AcquirerMemo(["a": Redacted("4895370012003478=3112")]), AcquirerMemo(handles: ["4895370012003478"]),
    ])
    func authenticationDataAndNumbersElsewhereAreNotKept(_ memo: AcquirerMemo) {
        let cryptogram = Self.token(.cryptogram(Redacted([0xDE, 0xAD, 0xBE, 0xEF])))
        #expect(memo.mustNotBeKept(of: cryptogram))
        #expect(
            memo.mustNotBeKept(of: Self.token(.emv(data: Redacted([0xDE, 0xAD, 0xBE, 0xEF]), encryptedPIN: nil))))
    }

    @Test func aNumberInTheCardDataIsKept() {
        let memo = AcquirerMemo(
            ["stan": Redacted("000123")],
            cardData: ["number": Redacted("4895370012003478"), "expiry": Redacted("3112")])
        for proof: NetworkToken.Proof in [
            .cryptogram(Redacted([0xDE, 0xAD])), .cryptogram(Redacted([])), .securityCode(Redacted("123")),
        ] {
            #expect(!memo.mustNotBeKept(of: Self.token(proof)))
        }
        let sealed = PaymentInstrument.sealedApplePayToken(
            SealedApplePayToken(paymentData: Redacted(Array("{\"data\":1}".utf8))))
        #expect(!memo.mustNotBeKept(of: sealed))
        #expect(AcquirerMemo(["a": Redacted("{\"data\":1}")]).mustNotBeKept(of: sealed))
        #expect(AcquirerMemo(cardData: ["a": Redacted("{\"data\":1}")]).mustNotBeKept(of: sealed))
    }
}
