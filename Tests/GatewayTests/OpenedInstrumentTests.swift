//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
import Gateway
import MemoryStore
import Money
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

/// Paying with what the merchant has opened, and with card numbers.
struct OpenedInstrumentTests {
    @Test func openedCryptogramPays() async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let outcome = try await shop.pay(with: Shop.deviceToken(), money(10_00), .sale)
        #expect(outcome.payment.state == .captured)
        let instrument = outcome.payment.instrument
        #expect(instrument.maskedPAN.description == "489537xxxxxx5671")
        #expect(instrument.network == .visa)
        #expect(instrument.expiryYearMonth == "2812")
        #expect(instrument.eci == "05")
        #expect(instrument.displayName == nil)
        guard let charge = acquirer.calls.first?.charge,
            case .networkToken(let token) = charge.instrument, case .cryptogram(let cryptogram) = token.proof
        else {
            Issue.record("the acquirer got something else")
            return
        }
        #expect(token.pan.reveal() == Shop.devicePAN)
        #expect(cryptogram.reveal().last == 1)
        #expect(charge.captures)
        #expect(charge.details.billing == nil)
        try await expectAgreement(shop)
    }

    @Test func cardNumberPaysAndItsChecksAreKept() async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let billing = PostalAddress(lines: ["1 Yonge St"], city: "Toronto", postalCode: "00002", countryCode: "CA")
        let outcome = try await shop.gateway.authorize(
            shop.command(.opened(Shop.cardNumber()), money(10_00), billing: billing))
        #expect(outcome.payment.state == .authorized)
        #expect(outcome.payment.instrument.maskedPAN.description == "411111xxxxxx1111")
        #expect(outcome.payment.instrument.eci == nil)
        guard let charge = acquirer.calls.first?.charge,
            case .networkToken(let token) = charge.instrument, case .securityCode(let code) = token.proof
        else {
            Issue.record("the acquirer got something else")
            return
        }
        #expect(code?.reveal() == "123")
        #expect(charge.details.billing == billing)
        let answer = try await shop.operation(outcome).answer
        #expect(answer.addressCheck == "Z")
        #expect(answer.securityCodeCheck == "M")
        #expect(answer.fundingPANSuffix == "1111")
        #expect(answer.fundingExpiryYearMonth == "2812")
        #expect(answer.stan?.count == 6 && answer.networkReference?.count == 15)
        try await expectAgreement(shop)
    }

    /// A card number without its code is a proof of nothing, and for the acquirer to judge.
    @Test func cardNumberWithoutCodeIsHandedOn() async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.pay(with: Shop.cardNumber(code: nil), money(10_00))
        #expect(outcome.operation.answer.securityCodeCheck == "P")
    }

    @Test func whatTheDialectWroteOnAnOperationComesBackWithIt() async throws {
        let shop = try await Shop.open()
        var command = shop.command(.opened(Shop.cardNumber()), money(10_00))
        command.labels.fields = ["txid": "123", "userid": ""]
        let authorized = try await shop.gateway.authorize(command)
        var capture = shop.followUp(.capture(nil, isFinal: false), of: authorized.payment.id)
        capture.labels.fields = ["sequencenumber": "1"]
        let captured = try await shop.gateway.followUp(capture)
        let found = try await shop.gateway.operation(.payment(authorized.payment.id), merchant: shop.merchant)
        #expect(found.operation.labels.fields == ["txid": "123", "userid": ""])
        #expect(try await shop.operation(captured).labels.fields == ["sequencenumber": "1"])
    }

    // MARK: - Single use

    @Test func cryptogramPaysOnce() async throws {
        let shop = try await Shop.open()
        _ = try await shop.pay(with: Shop.deviceToken(1), money(10_00))
        await expectRefusal(.tokenReplayed) { _ = try await shop.pay(with: Shop.deviceToken(1), money(10_00)) }
        await expectRefusal(.tokenReplayed, "also for another amount") {
            _ = try await shop.pay(with: Shop.deviceToken(1), money(20_00))
        }
        _ = try await shop.pay(with: Shop.deviceToken(2), money(10_00))
        _ = try await shop.pay(with: Shop.deviceToken(1, pan: "4111111111111111"), money(10_00))
        #expect(try await shop.payments().count == 3)
        #expect(shop.script.count(of: .authorize) == 3)
    }

    @Test func cryptogramOfADeclinedPaymentIsSpent() async throws {
        let shop = try await Shop.open()
        _ = try await shop.pay(with: Shop.deviceToken(), money(57_57))
        await expectRefusal(.tokenReplayed) { _ = try await shop.pay(with: Shop.deviceToken(), money(10_00)) }
    }

    @Test func emvDataPaysOnce() async throws {
        let shop = try await Shop.open()
        let token = NetworkToken(
            pan: Redacted(Shop.devicePAN), expiryYearMonth: "2812",
            proof: .emv(data: Redacted([0x9F, 0x26, 0x01, 0x02]), encryptedPIN: nil), eci: nil)
        _ = try await shop.pay(with: token, money(10_00))
        await expectRefusal(.tokenReplayed) { _ = try await shop.pay(with: token, money(10_00)) }
    }

    @Test func cryptogramIsSpentForEveryMerchant() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        _ = try await shop.pay(with: Shop.deviceToken(), money(10_00))
        await expectRefusal(.tokenReplayed) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(10_00), as: other)
        }
    }

    @Test func cardNumberPaysAsOftenAsItIsGiven() async throws {
        let shop = try await Shop.open()
        for _ in 0..<3 { _ = try await shop.pay(with: Shop.cardNumber(), money(10_00)) }
        #expect(try await shop.payments().count == 3)
    }

    /// The merchant has opened the very token that is sent sealed.
    @Test func sealedTokenIsNotPaidAgainOpened() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        let opened = try await shop.gateway.openToken(.applePay(token), merchant: shop.merchant)
        _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        await expectRefusal(.tokenReplayed) { _ = try await shop.pay(with: opened.networkToken, money(10_00)) }
        #expect(try await shop.payments().count == 1)
    }

    @Test func openedTokenIsNotPaidAgainSealed() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        let opened = try await shop.gateway.openToken(.applePay(token), merchant: shop.merchant)
        _ = try await shop.pay(with: opened.networkToken, money(10_00))
        await expectRefusal(.tokenReplayed) {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        }
        #expect(try await shop.payments().count == 1)
    }

    @Test func concurrentUsesOfOneCryptogramMakeOnePayment() async throws {
        let shop = try await Shop.open()
        let succeeded = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do {
                        return try await shop.pay(with: Shop.deviceToken(), money(10_00)).operation.state == .succeeded
                    } catch {
                        #expect(error as? GatewayRefusal == .tokenReplayed)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(succeeded == 1)
        #expect(try await shop.book.entries().count == 1)
    }

    @Test func repeatedCallWithAnOpenedInstrumentGetsItsAnswer() async throws {
        let shop = try await Shop.open()
        let command = shop.command(.opened(Shop.deviceToken()), money(10_00), key: "K")
        let first = try await shop.gateway.authorize(command)
        let second = try await shop.gateway.authorize(command)
        #expect(second.isRepeat && second.operation == first.operation)
    }

    // MARK: - Refusals

    @Test func openedInstrumentNeedsAnAmount() async throws {
        let shop = try await Shop.open()
        for amount in [nil, money(0), money(-1)] {
            await expectRefusal(.payment(.amountNotPositive)) {
                _ = try await shop.pay(with: Shop.deviceToken(), amount)
            }
        }
        _ = try await shop.pay(with: Shop.deviceToken(), money(10_00))
    }

    @Test func refusesNetworkThatTheAcquirerDoesNotTake() async throws {
        let shop = try await Shop.open { options in
            options.acquirer = { InterceptingAcquirer($0, $0.capabilities.changed { $0.networks = [.mastercard] }) }
        }
        await expectRefusal(.networkNotSupported) { _ = try await shop.pay(with: Shop.deviceToken(), money(10_00)) }
    }

    /// It could not be sealed again.
    @Test func refusesOpenedInstrumentWhereTheAcquirerTakesSealedTokens() async throws {
        let (shop, acquirer) = try await Shop.intercepted(forms: [.sealedApplePayToken])
        await expectRefusal(.operationNotSupported) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(10_00))
        }
        #expect(acquirer.calls.isEmpty)
        #expect(try await shop.payments().isEmpty)
    }

    @Test func orderThatWasPlacedIsPaidWithItsOwnAmount() async throws {
        let shop = try await Shop.open()
        let order = try await shop.makeOrder(money(10_00))
        await expectRefusal(.amountDiffersFromToken) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(9_99), .sale, order: .placed(order.id))
        }
        await expectRefusal(.currencyDiffersFromToken) {
            _ = try await shop.pay(with: Shop.deviceToken(), money(10_00, usd), .sale, order: .placed(order.id))
        }
        let paid = try await shop.pay(with: Shop.deviceToken(), money(10_00), .sale, order: .placed(order.id))
        #expect(paid.order?.id == order.id)
    }

    // MARK: - Tokens in parts

    @Test func tokenInPartsPaysLikeTheTokenItself() async throws {
        let shop = try await Shop.open()
        let minted = try shop.minted(money(10_00))
        let base64 = { (bytes: [UInt8]) in Data(bytes).base64EncodedString() }
        let instrument = try AuthorizationInstrument.applePay(
            version: "EC_v1", data: base64(minted.parts.data), signature: base64(minted.parts.signature),
            ephemeralPublicKey: base64(minted.parts.key), publicKeyHash: base64(minted.parts.publicKeyHash),
            transactionID: minted.transactionIdentifier)
        let outcome = try await shop.gateway.authorize(shop.command(instrument, money(10_00)))
        #expect(outcome.operation.state == .succeeded)
        await expectRefusal(.tokenReplayed) {
            let whole = try AuthorizationInstrument.applePay(json: minted.paymentData)
            _ = try await shop.gateway.authorize(shop.command(whole, money(10_00)))
        }
    }

    @Test func tokenThatIsNoneIsRefusedWhereItIsParsed() throws {
        let refusals = [
            #expect(throws: GatewayRefusal.self) { try AuthorizationInstrument.applePay(json: ["version": "EC_v1"]) },
            #expect(throws: GatewayRefusal.self) {
                try AuthorizationInstrument.applePay(
                    version: "EC_v1", data: "?", signature: "", ephemeralPublicKey: "", publicKeyHash: "",
                    transactionID: "")
            },
        ]
        for refusal in refusals {
            #expect(refusal?.tokenStage == .parse)
            #expect(refusal?.tokenCode?.isEmpty == false)
        }
    }

    @Test func refusalSaysHowFarATokenCame() async throws {
        let shop = try await Shop.open()
        let cases: [(UnverifiedToken, GatewayRefusal.TokenStage)] = [
            (try shop.token(money(10_00), options: .forged(.signedByAnotherKey)), .verification),
            (try shop.token(money(10_00), by: TestAuthorities.foreign.get()), .verification),
            (try shop.token(money(10_00), at: shop.clock.now.adding(seconds: -4000)), .verification),
            (try shop.token(money(10_00), to: ProcessingIdentity.second.get()), .decryption),
        ]
        for (token, stage) in cases {
            do {
                _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
                Issue.record("accepted")
            } catch let refusal as GatewayRefusal {
                #expect(refusal.tokenStage == stage)
                #expect(refusal.tokenCode?.isEmpty == false)
            }
        }
        #expect(GatewayRefusal.tokenReplayed.tokenStage == nil)
        #expect(GatewayRefusal.tokenReplayed.tokenCode == nil)
    }

    // MARK: - Secrets

    @Test func nothingOfAnOpenedInstrumentIsStoredOrLogged() async throws {
        let log = CapturedLog()
        let store = InterceptingStore(MemoryStore())
        store.keepRecords()
        let shop = try await Shop.open { options in
            options.store = store
            options.log = log.logger
        }
        for amount in [money(10_00), money(57_57), money(58_58), money(63_63)] {
            _ = try await shop.pay(with: Shop.cardNumber(code: "code-7351"), amount, .sale)
        }
        _ = try await shop.pay(with: Shop.deviceToken(), money(10_00))
        _ = try await shop.verify(Shop.cardNumber(code: "code-7351"))
        try await shop.recoverUntilSettled()
        let cryptogram = [UInt8](repeating: 0xC0, count: 19)
        let secrets = [
            Shop.cardPAN, Shop.devicePAN, "code-7351", Data(cryptogram).base64EncodedString().prefix(16).description,
            cryptogram.map { String($0) }.joined(separator: ", "),
        ]
        #expect(store.records.count > 20)
        for secret in secrets {
            #expect(!store.records.contains { $0.contains(secret) }, "\(secret)")
            #expect(!log.lines.contains { $0.contains(secret) }, "\(secret)")
        }
    }
}
