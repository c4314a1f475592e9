//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import BaseEncoding
import Gateway
import Money
import Payments
import Redaction
import Settings
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

/// Tokens to a key that the acquirer holds: verified here, bound to one payment, and passed on.
struct CustodyTests {
    /// A kind of acquirer that opens tokens itself, with whatever acquirer answers for it.
    private struct Opener: Connector {
        let acquirer: any Acquirer

        var name: AcquirerName { self.acquirer.name }
        var settings: [SettingDescription] { KeyCustody.settings }
        var secrets: [SecretDescription] { [] }

        func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer { self.acquirer }

        func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] { [] }
    }

    private struct Elsewhere {
        let shop: Shop
        let seen = CapturedInstruments()

        /// - Parameters:
        ///   - hashes: of the keys that the acquirer holds; `nil` where nobody has said.
        ///   - takesOpened: whether it takes opened tokens, too.
        ///   - forms: all that it takes, where that is said.
        init(
            hashes: String? = nil, hasCertificate: Bool = false, takesOpened: Bool? = nil,
            forms: Set<AcquirerCapabilities.Form>? = nil
        ) async throws {
            let seen = self.seen
            let first = try await Shop.open { $0.hasCertificate = hasCertificate }
            let acquirer = InterceptingAcquirer(
                first.simulator,
                first.simulator.capabilities.changed {
                    $0.forms =
                        forms
                        ?? (takesOpened ?? hasCertificate
                            ? [.networkToken, .sealedApplePayToken] : [.sealedApplePayToken])
                }
            ) { call, next in
                guard let charge = call.charge else { return await next() }
                seen.keep(charge.instrument)
                guard case .sealedApplePayToken = charge.instrument, let request = call.request else {
                    return await next()
                }
                return .approved(
                    AcquirerApproval(amount: request.amount, answer: AcquirerAnswer(reference: "1")))
            }
            self.shop = try await first.restarted { $0.connectors = [Opener(acquirer: acquirer)] }
            let merchant = self.shop.merchant.merchant.id
            let account = try #require(try await self.shop.store.read { try $0.acquirerAccounts(of: merchant) }.first)
            try await self.shop.gateway.administration.changeAcquirerAccount(
                account.id,
                AcquirerAccountChange(settings: [
                    KeyCustody.identifiersName: self.shop.identity.merchantIdentifier, KeyCustody.hashesName: hashes,
                ]))
        }

        func pay(
            _ token: UnverifiedToken, _ amount: Money?, order: OrderBinding? = nil
        ) async throws -> OperationOutcome {
            try await self.shop.gateway.authorize(
                self.shop.command(.applePay(token), amount, .sale, order: order))
        }
    }

    @Test func tokenIsPassedOnAsItCame() async throws {
        let elsewhere = try await Elsewhere()
        let minted = try elsewhere.shop.minted(money(10_00))
        let token = try UnverifiedToken(json: minted.paymentToken)
        // What the sheet showed is the acquirer's to know: any amount is asked for.
        let outcome = try await elsewhere.pay(token, money(9_00))
        #expect(outcome.operation.state == .succeeded)
        #expect(elsewhere.seen.sealed == [Array(token.paymentDataJSON.serialized())])
        guard case .sealedApplePayToken(let sealed)? = elsewhere.seen.all.first else { throw NotSealed() }
        #expect(sealed.transactionIdentifier == token.header.transactionIdentifierText)
        #expect(sealed.network == "Visa")
        #expect(sealed.displayName == token.paymentMethod?.displayName)
        // Nothing is made up of what was not seen.
        let summary = outcome.payment.instrument
        #expect(!summary.isOpened)
        #expect(summary.maskedPAN.length == 0 && summary.expiryYearMonth.isEmpty && summary.eci == nil)
        #expect(summary.network == .visa)
        #expect(summary.displayName == token.paymentMethod?.displayName)
    }

    /// Nobody has signed what a card is called, and operators read it on terminals.
    @Test func nameOfACardIsShownAsALineThatNothingObeys() async throws {
        let elsewhere = try await Elsewhere()
        var json = try #require(try elsewhere.shop.minted(money(10_00)).paymentToken.object)
        json["paymentMethod"] = ["displayName": "Visa\u{9B}2J\u{202E}4321", "network": "Visa", "type": "debit"]
        let outcome = try await elsewhere.pay(try UnverifiedToken(json: .object(json)), money(10_00))
        #expect(outcome.payment.instrument.displayName == "Visa 2J4321")
    }

    private struct NotSealed: Error {}

    @Test func tokenPaysOnce() async throws {
        let elsewhere = try await Elsewhere()
        let token = try elsewhere.shop.token(money(10_00))
        _ = try await elsewhere.pay(token, money(10_00))
        await expectRefusal(.tokenReplayed) { _ = try await elsewhere.pay(token, money(10_00)) }
        #expect(elsewhere.seen.all.count == 1)
    }

    /// Apple signs data, identifier and the hash of the application data without boundaries. The same payment verifies
    /// with the hash as its identifier, and only its key would show that the data is not what was sealed.
    @Test(arguments: [true, false])
    func tokenThatIsCutElsewherePaysOnce(isGenuineFirst: Bool) async throws {
        let elsewhere = try await Elsewhere()
        let minted = try elsewhere.shop.minted(money(10_00), applicationData: [1, 2, 3])
        let parts = minted.parts
        let cut = try UnverifiedToken(
            version: .ecV1, data: parts.data + parts.transactionIdentifier, signature: parts.signature,
            header: TokenHeader(
                publicKeyHash: parts.publicKeyHash, transactionIdentifier: #require(parts.applicationDataHash),
                key: .ephemeralPublicKey(parts.key)),
            paymentMethod: TokenPaymentMethod(network: "Visa"))
        let genuine = try UnverifiedToken(json: minted.paymentToken)
        let (first, second) = isGenuineFirst ? (genuine, cut) : (cut, genuine)
        #expect(try await elsewhere.pay(first, money(10_00)).operation.state == .succeeded)
        await expectRefusal(.tokenReplayed) { _ = try await elsewhere.pay(second, money(10_00)) }
        // Nor is it kept, to pay with later.
        await expectRefusal(.tokenReplayed) {
            _ = try await elsewhere.shop.gateway.keepToken(
                KeepTokenCommand(
                    instrument: .applePay(second), merchant: elsewhere.shop.merchant, kind: "prime", id: "P-1",
                    lifetimeSeconds: 90, isAmountPending: false))
        }
        #expect(elsewhere.seen.all.count == 1)
    }

    @Test func identifierWhoseKeyTheAcquirerHoldsIsTheMerchants() async throws {
        let elsewhere = try await Elsewhere()
        let (gateway, merchant) = (elsewhere.shop.gateway, elsewhere.shop.merchant)
        let identifier = elsewhere.shop.identity.merchantIdentifier
        #expect(try await gateway.isMerchantIdentifier(identifier, of: merchant))
        #expect(try await !gateway.isMerchantIdentifier("merchant.of.another", of: merchant))
        #expect(
            try await !gateway.isMerchantIdentifier(merchant.merchant.id.text, of: merchant), "there is no platform")
        let stranger = try await Shop.makeMerchant("second", .sandbox, gateway)
        #expect(try await !gateway.isMerchantIdentifier(identifier, of: stranger))
    }

    @Test func tokenIsVerifiedBeforeItLeaves() async throws {
        let elsewhere = try await Elsewhere()
        let live = try elsewhere.shop.token(money(10_00), by: TestAuthorities.live.get())
        await expectRefusal(.modeCrossed(merchant: .sandbox, token: .live)) {
            _ = try await elsewhere.pay(live, money(10_00))
        }
        for forgery in [Forgery.foreignRoot, .transactionIdentifierReplaced] {
            let forged = try elsewhere.shop.token(money(10_00), options: .forged(forgery))
            await #expect(throws: GatewayRefusal.self) { _ = try await elsewhere.pay(forged, money(10_00)) }
        }
        let old = try elsewhere.shop.token(
            money(10_00), at: elsewhere.shop.clock.now.adding(seconds: -30 * 86_400))
        await #expect(throws: GatewayRefusal.self) { _ = try await elsewhere.pay(old, money(10_00)) }
        #expect(elsewhere.seen.all.isEmpty)
    }

    @Test func keysThatAreNamedAreTheOnlyOnes() async throws {
        let named = try await Elsewhere(hashes: Self.hash(try ProcessingIdentity.first.get()))
        _ = try await named.pay(try named.shop.token(money(10_00)), money(10_00))
        let other = try await Elsewhere(hashes: String(repeating: "A", count: 43) + "=")
        await expectRefusal(.merchantNotReady) {
            _ = try await other.pay(try other.shop.token(money(10_00)), money(10_00))
        }
        #expect(other.seen.all.isEmpty)
    }

    private static func hash(_ identity: ProcessingIdentity) -> String {
        Base64.encode(identity.recipient.publicKeyHash)
    }

    @Test func whatCanBeOpenedHereIsOpenedHere() async throws {
        let elsewhere = try await Elsewhere(hasCertificate: true)
        let token = try elsewhere.shop.token(money(10_00))
        // And then its amount binds.
        await expectRefusal(.amountDiffersFromToken) { _ = try await elsewhere.pay(token, money(9_00)) }
        let outcome = try await elsewhere.pay(token, money(10_00))
        #expect(outcome.payment.instrument.isOpened)
        #expect(elsewhere.seen.opened.count == 1 && elsewhere.seen.sealed.isEmpty)
    }

    private static let formsOfAccounts: [Set<AcquirerCapabilities.Form>] = [
        [.sealedApplePayToken], [.networkToken, .sealedApplePayToken],
    ]

    /// An account that holds keys and takes no sealed token would be paid nothing.
    @Test(arguments: [[], [.networkToken]] as [Set<AcquirerCapabilities.Form>])
    func accountThatHoldsKeysTakesSealedTokens(_ forms: Set<AcquirerCapabilities.Form>) async throws {
        let error = await #expect(throws: AdministrationError.self) {
            _ = try await Elsewhere(hasCertificate: true, forms: forms)
        }
        #expect(error?.code == .accountNotAllowed)
    }

    /// The form is one that the account takes: a sealed token goes nowhere else.
    @Test(arguments: formsOfAccounts, [true, false])
    func formIsOneThatTheAccountTakes(_ forms: Set<AcquirerCapabilities.Form>, _ hasCertificate: Bool) async throws {
        let elsewhere = try await Elsewhere(hasCertificate: hasCertificate, forms: forms)
        let token = try elsewhere.shop.token(money(10_00))
        let isOpened = hasCertificate && forms.contains(.networkToken)
        #expect(try await elsewhere.pay(token, money(10_00)).operation.state == .succeeded)
        #expect(elsewhere.seen.opened.count == (isOpened ? 1 : 0))
        #expect(elsewhere.seen.sealed == (isOpened ? [] : [Array(token.paymentDataJSON.serialized())]))
    }

    @Test func amountMustBeNamed() async throws {
        let elsewhere = try await Elsewhere()
        await expectRefusal(.payment(.amountNotPositive)) {
            _ = try await elsewhere.pay(try elsewhere.shop.token(money(10_00)), nil)
        }
    }

    @Test func keptTokenIsPassedOnLater() async throws {
        let elsewhere = try await Elsewhere()
        let token = try elsewhere.shop.token(money(10_00))
        let kept = try await elsewhere.shop.gateway.keepToken(
            KeepTokenCommand(
                instrument: .applePay(token), merchant: elsewhere.shop.merchant, kind: "prime", id: "P-1",
                lifetimeSeconds: 90, isAmountPending: false))
        #expect(kept.amount == nil)
        #expect(!kept.summary.isOpened)
        let outcome = try await elsewhere.shop.gateway.authorize(
            elsewhere.shop.command(.kept(kind: "prime", id: "P-1"), money(10_00)))
        #expect(outcome.operation.state == .succeeded)
        #expect(elsewhere.seen.sealed == [Array(token.paymentDataJSON.serialized())])
        await expectRefusal(.tokenReplayed) { _ = try await elsewhere.pay(token, money(10_00)) }
    }

    /// The merchant has given the key to both, and the acquirer takes nothing that is opened.
    @Test func keptTokenThatWasOpenedHereIsPassedOnAsItCame() async throws {
        let elsewhere = try await Elsewhere(hasCertificate: true, takesOpened: false)
        let token = try elsewhere.shop.token(money(10_00))
        let kept = try await elsewhere.shop.gateway.keepToken(
            KeepTokenCommand(
                instrument: .applePay(token), merchant: elsewhere.shop.merchant, kind: "prime", id: "P-1",
                lifetimeSeconds: 90, isAmountPending: false))
        #expect(kept.amount == money(10_00) && kept.summary.isOpened)
        let outcome = try await elsewhere.shop.gateway.authorize(
            elsewhere.shop.command(.kept(kind: "prime", id: "P-1"), money(10_00)))
        #expect(outcome.operation.state == .succeeded)
        #expect(elsewhere.seen.sealed == [Array(token.paymentDataJSON.serialized())])
        #expect(outcome.payment.instrument == kept.summary)
    }
}
