//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing
import Time
import WalletSimulator

/// Which tokens are taken: once, whole, young, for the right amount, merchant and mode.
struct TokenTests {
    private func pay(_ shop: Shop, _ token: UnverifiedToken, _ amount: Money? = money(10_00)) async throws
        -> OperationOutcome
    {
        var command = try shop.authorization(of: money(10_00), token: token)
        command.amount = amount
        return try await shop.gateway.authorize(command)
    }

    // MARK: - Replay

    @Test func replayedTokenIsRefused() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        _ = try await self.pay(shop, token)
        await expectRefusal(.tokenReplayed) { _ = try await self.pay(shop, token) }
        #expect(try await shop.book.entries().count == 1)
    }

    @Test func tokenOfADeclinedPaymentIsSpent() async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.authorize, fault: .decline(.doNotHonor)))
        let token = try shop.token(money(10_00))
        _ = try await self.pay(shop, token)
        await expectRefusal(.tokenReplayed) { _ = try await self.pay(shop, token) }
    }

    @Test func concurrentReplaysOfOneTokenMakeOnePayment() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        let succeeded = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do {
                        return try await self.pay(shop, token).operation.state == .succeeded
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
        #expect(try await shop.payments().count == 1)
    }

    /// The same key pair may be certified for two merchants; a token is one payment all the same.
    @Test func tokenIsSpentForEveryMerchant() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        _ = try await shop.gateway.administration.importCredential(
            merchant: other.merchant.id, certificate: shop.identity.certificateDER,
            privateKeyPEM: shop.identity.privateKeyPEM, activates: true)
        let token = try shop.token(money(10_00))
        _ = try await self.pay(shop, token)
        await expectRefusal(.tokenReplayed) {
            _ = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token, as: other))
        }
    }

    @Test func tokenIsSpentAfterARestartAndOnOtherNodes() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        _ = try await self.pay(shop, token)
        let restarted = try await shop.restarted()
        await expectRefusal(.tokenReplayed) { _ = try await self.pay(restarted, token) }
    }

    @Test func refusedTokenIsNotSpent() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        await expectRefusal(.amountDiffersFromToken) { _ = try await self.pay(shop, token, money(10_01)) }
        #expect(try await self.pay(shop, token).operation.state == .succeeded)
    }

    // MARK: - Amount and currency

    @Test(arguments: [money(9_99), money(10_01), money(1), money(1000_00)])
    func refusesAmountThatTheCustomerDidNotApprove(amount: Money) async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        await expectRefusal(.amountDiffersFromToken) { _ = try await self.pay(shop, token, amount) }
        #expect(try await shop.payments().isEmpty)
        #expect(shop.script.count(of: .authorize) == 0)
    }

    @Test func refusesCurrencyThatTheCustomerDidNotApprove() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        await expectRefusal(.currencyDiffersFromToken) { _ = try await self.pay(shop, token, money(10_00, usd)) }
        await expectRefusal(.currencyDiffersFromToken, "the currency comes before the amount") {
            _ = try await self.pay(shop, token, money(11_00, usd))
        }
    }

    @Test func takesTheTokensAmountWhereTheMerchantNamesNone() async throws {
        let shop = try await Shop.open()
        #expect(try await self.pay(shop, shop.token(money(12_34)), nil).payment.amount == money(12_34))
    }

    @Test func refusesTokenWhoseCurrencyIsNone() async throws {
        let shop = try await Shop.open()
        let request = PaymentRequest(
            merchantIdentifier: shop.identity.merchantIdentifier, amountMinorUnits: 10_00, currencyCode: "000")
        let minted = try SimulatedDevice(authority: shop.authority).mint(
            request, card: .visa, recipient: shop.identity.recipient,
            signingTime: TestAuthorities.date(shop.clock.now))
        let token = try UnverifiedToken(json: minted.paymentToken)
        await expectRefusal(.tokenAmountUnreadable) { _ = try await self.pay(shop, token, nil) }
    }

    // MARK: - Age

    @Test(arguments: [(Mode.live, Int64(300)), (.sandbox, 3600)])
    func takesTokenUpToItsAgeAndNotASecondOlder(mode: Mode, ageMax: Int64) async throws {
        let shop = try await Shop.open { $0.mode = mode }
        let token = try shop.token(money(10_00))
        let late = try shop.token(money(10_00))
        shop.clock.advance(seconds: ageMax)
        #expect(try await self.pay(shop, token).operation.state == .succeeded)
        shop.clock.advance(seconds: 1)
        await expectTokenRefusal(.signingTimeTooOld) { _ = try await self.pay(shop, late) }
    }

    @Test(arguments: [Mode.live, .sandbox]) func refusesTokenFromTheFuture(mode: Mode) async throws {
        let shop = try await Shop.open { $0.mode = mode }
        let tolerated = try shop.token(money(10_00), at: shop.clock.now.adding(seconds: 60))
        #expect(try await self.pay(shop, tolerated).operation.state == .succeeded)
        let early = try shop.token(money(10_00), at: shop.clock.now.adding(seconds: 61))
        await expectTokenRefusal(.signingTimeInFuture) { _ = try await self.pay(shop, early) }
    }

    // MARK: - Forgeries and modes

    @Test func refusesTokenOfAnotherAuthority() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00), by: TestAuthorities.foreign.get())
        await expectTokenRefusal(.intermediateSignatureInvalid) { _ = try await self.pay(shop, token) }
        #expect(try await shop.payments().isEmpty)
    }

    @Test(arguments: [Forgery.leafWithoutMarkerOID, .signedByAnotherKey, .ciphertextReplaced, .foreignRoot])
    func refusesForgery(forgery: Forgery) async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00), options: .forged(forgery))
        do {
            _ = try await self.pay(shop, token)
            Issue.record("a forged token was accepted: \(forgery)")
        } catch GatewayRefusal.token(let error) {
            #expect([.signature, .chain].contains(error.stage))
        }
        #expect(try await shop.payments().isEmpty)
    }

    /// The key hash is unknown too: had anybody tried to decrypt, that would be the refusal.
    @Test func sandboxTokenIsRefusedForALiveMerchantBeforeItIsDecrypted() async throws {
        let shop = try await Shop.open { $0.mode = .live }
        let token = try shop.token(
            money(10_00), by: TestAuthorities.sandbox.get(), options: .forged(.publicKeyHashUnknown))
        await expectRefusal(.modeCrossed(merchant: .live, token: .sandbox)) { _ = try await self.pay(shop, token) }
    }

    @Test func liveTokenIsRefusedForASandboxMerchantBeforeItIsDecrypted() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(
            money(10_00), by: TestAuthorities.live.get(), options: .forged(.publicKeyHashUnknown))
        await expectRefusal(.modeCrossed(merchant: .sandbox, token: .live)) { _ = try await self.pay(shop, token) }
    }

    /// The first sandbox merchant may be made, and the root with it, while a gateway serves.
    @Test func rootOfTheSimulatorThatComesLaterIsFoundWithoutARestart() async throws {
        let first = try await Shop.open()
        let roots = Mutex<[TrustAnchor]>([])
        let looks = Mutex(0)
        let time = Mutex(ContinuousClock.now)
        let shop = try await first.restarted { parts in
            parts.sandboxTrustRoots = []
            // The root of the tests for live has the name of the simulator's.
            parts.liveTrustRoots = [.appleRootCAG3]
            parts.steadyClock = { time.withLock { $0 } }
            parts.findSandboxTrustRoots = {
                looks.withLock { $0 += 1 }
                return roots.withLock { $0 }
            }
        }
        func isUntrusted() async throws -> Bool {
            do {
                _ = try await self.pay(shop, try shop.token(money(10_00)))
                return false
            } catch GatewayRefusal.token(let error) {
                return error.code == .rootUntrusted
            }
        }
        #expect(try await isUntrusted())
        let anchor = try TestAuthorities.anchor(TestAuthorities.sandbox)
        roots.withLock { $0 = [anchor] }
        // Who sends such tokens does not set the disk's pace.
        #expect(try await isUntrusted())
        #expect(looks.withLock { $0 } == 1)
        time.withLock { $0 += .seconds(1) }
        #expect(try await !isUntrusted())
        #expect(try await !isUntrusted())
        #expect(looks.withLock { $0 } == 2)
    }

    /// What is found for sandbox merchants does not pay a live one, and a live one's tokens lead to no look.
    @Test func rootThatComesLaterIsOfNoUseToALiveMerchant() async throws {
        let first = try await Shop.open { $0.mode = .live }
        let looks = Mutex(0)
        let anchor = try TestAuthorities.anchor(TestAuthorities.sandbox)
        let shop = try await first.restarted { parts in
            parts.sandboxTrustRoots = []
            parts.findSandboxTrustRoots = {
                looks.withLock { $0 += 1 }
                return [anchor]
            }
        }
        let token = try shop.token(money(10_00), by: TestAuthorities.sandbox.get())
        await #expect(throws: GatewayRefusal.self) { _ = try await self.pay(shop, token) }
        #expect(looks.withLock { $0 } == 0)
        #expect(try await shop.payments().isEmpty)
    }

    @Test func refusalsOfCrossingSayWhichIsWhich() {
        let texts = [
            GatewayRefusal.modeCrossed(merchant: .live, token: .sandbox).explanation,
            GatewayRefusal.modeCrossed(merchant: .sandbox, token: .live).explanation,
        ]
        #expect(texts[0] == "This is a live merchant and the Apple Pay token is a sandbox one. Use a live token.")
        #expect(texts[1] == "This is a sandbox merchant and the Apple Pay token is a live one. Use a sandbox token.")
    }

    @Test func applicationDataMustBeTheRequests() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00), applicationData: [1, 2, 3])
        var command = try shop.authorization(of: money(10_00), token: token)
        command.applicationData = [1, 2, 4]
        await expectTokenRefusal(.applicationDataMismatch) { _ = try await shop.gateway.authorize(command) }
        command.applicationData = [1, 2, 3]
        let outcome = try await shop.gateway.authorize(command)
        #expect(outcome.operation.state == .succeeded)
        #expect(outcome.payment.instrument.proof?.checkNames.contains("application_data") == true)
    }

    @Test func applicationDataThatNothingWasComparedWithIsNoCheck() async throws {
        let shop = try await Shop.open()
        for data in [[1, 2, 3], nil] as [[UInt8]?] {
            let token = try shop.token(money(10_00), applicationData: data)
            let outcome = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
            let names = try #require(outcome.payment.instrument.proof).checkNames
            #expect(!names.contains("application_data"))
            #expect(names.contains("signature") && names.last == "decryption")
        }
    }

    // MARK: - Keys

    @Test func refusesTokenForAKeyThatTheMerchantDoesNotHave() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00), to: ProcessingIdentity.second.get())
        await expectTokenRefusal(.keyUnknown) { _ = try await self.pay(shop, token) }
    }

    @Test func refusesMerchantWithoutACertificate() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        let token = try shop.token(money(10_00))
        await expectRefusal(.merchantNotReady) { _ = try await self.pay(shop, token) }
        _ = try await shop.gateway.administration.createSigningRequest(
            merchant: shop.merchant.merchant.id, purpose: .paymentProcessing,
            merchantIdentifier: shop.identity.merchantIdentifier)
        await expectRefusal(.merchantNotReady, "a signing request is no certificate") {
            _ = try await self.pay(shop, token)
        }
    }

    @Test func bothKeysOpenTokensWhileACertificateIsRotated() async throws {
        let shop = try await Shop.open()
        _ = try await self.pay(shop, shop.token(money(10_00)))
        let next = try ProcessingIdentity(merchantIdentifier: shop.identity.merchantIdentifier)
        _ = try await shop.gateway.administration.importCredential(
            merchant: shop.merchant.merchant.id, certificate: next.certificateDER, privateKeyPEM: next.privateKeyPEM,
            activates: true)
        #expect(try await self.pay(shop, shop.token(money(10_00), to: next)).operation.state == .succeeded)
        #expect(try await self.pay(shop, shop.token(money(10_00))).operation.state == .succeeded)
    }

    /// The other node's cache does not have it yet.
    @Test func keyThatAnotherNodeHasImportedIsFoundAtOnce() async throws {
        let shop = try await Shop.open()
        let node = try await shop.restarted()
        _ = try await self.pay(node, shop.token(money(10_00)))
        let next = try ProcessingIdentity(merchantIdentifier: shop.identity.merchantIdentifier)
        _ = try await shop.gateway.administration.importCredential(
            merchant: shop.merchant.merchant.id, certificate: next.certificateDER, privateKeyPEM: next.privateKeyPEM,
            activates: true)
        #expect(try await self.pay(node, shop.token(money(10_00), to: next)).operation.state == .succeeded)
    }

    // MARK: - What the acquirer gets

    @Test(arguments: SimulatedCard.allCases) func acquirerGetsTheOpenedCard(card: SimulatedCard) async throws {
        let seen = CapturedInstruments()
        let shop = try await Shop.open { options in
            options.acquirer = { base in
                InterceptingAcquirer(base) { call, next in
                    if let charge = call.charge { seen.keep(charge.instrument) }
                    return await next()
                }
            }
        }
        let outcome = try await self.pay(shop, shop.token(money(10_00), card: card))
        #expect(outcome.operation.state == .succeeded)
        let token = try #require(seen.opened.first)
        #expect(token.pan.reveal() == card.dpan)
        #expect(token.expiryYearMonth == String(card.expirationDate.prefix(4)))
        #expect(token.eci == card.eci)
        guard case .cryptogram(let cryptogram) = token.proof else {
            Issue.record("no cryptogram")
            return
        }
        #expect(cryptogram.reveal().count == card.cryptogramByteCount)
        #expect(outcome.payment.instrument.network != .other)
        #expect(outcome.payment.instrument.displayName == card.displayName)
    }

    // MARK: - Precedence

    @Test func crossingComesBeforeTheKeyAndTheKeyBeforeTheAmount() async throws {
        let shop = try await Shop.open()
        let other = try ProcessingIdentity.second.get()
        let crossed = try shop.token(money(9_99), by: TestAuthorities.live.get(), to: other)
        await expectRefusal(.modeCrossed(merchant: .sandbox, token: .live)) { _ = try await self.pay(shop, crossed) }
        let misdirected = try shop.token(money(9_99), to: other)
        await expectTokenRefusal(.keyUnknown) { _ = try await self.pay(shop, misdirected) }
    }

    @Test func amountComesBeforeReplay() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        _ = try await self.pay(shop, token)
        await expectRefusal(.amountDiffersFromToken) { _ = try await self.pay(shop, token, money(10_01)) }
    }
}
