//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Money
import StrictJSON
import SwiftASN1
import Time
import WalletSimulator
import X509

/// `pomona token mint`: what the buyer's phone would hand to a sandbox merchant's shop. Only reads the store, so it works
/// beside a running server.
struct TokenMintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Mint a token for a sandbox merchant with the wallet simulator.",
        discussion: """
            The token is signed by the test authority of the data directory and encrypted to the merchant's newest key in \
            use. It has Apple's encoding, and it is accepted for sandbox merchants only.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case paymentData
        case token
        case payment
    }

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case threeDSecure = "3ds"
        case emv
    }

    enum Version: String, ExpressibleByArgument, CaseIterable {
        case ecV1 = "EC_v1"
        case rsaV1 = "RSA_v1"
    }

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The sandbox merchant; they are named after their dialects.", valueName: "name"))
    var merchant: String

    @Option(help: ArgumentHelp("The amount in the currency's major unit, e.g. 10.99.", valueName: "decimal"))
    var amount: String

    @Option(help: ArgumentHelp("The currency (ISO 4217), e.g. CAD; the merchant's if left out.", valueName: "code"))
    var currency: String?

    @Option(help: ArgumentHelp("The card in the wallet.", valueName: "card"))
    var card = CardArgument(card: .visa)

    @Option(
        help: ArgumentHelp(
            "The request's supportedNetworks, separated by commas: the first that a co-badged card has is paid with.",
            valueName: "names"))
    var networks: String?

    @Option(help: "Whether the token holds a 3-D Secure cryptogram or EMV data.")
    var kind = Kind.threeDSecure

    @Option(help: "EC_v1, or RSA_v1 as in China mainland.")
    var version = Version.ecV1

    @Option(
        help: ArgumentHelp(
            "Encrypt to the key of this Payment Processing Certificate instead, whose private key you have.",
            valueName: "pem"))
    var certificate: String?

    @Flag(help: "Add a merchant token, as for recurring payments.")
    var merchantToken = false

    @Option(help: ArgumentHelp("What the payment request's applicationData is to be.", valueName: "text"))
    var applicationData: String?

    @Option(help: ArgumentHelp("The cardholder's name.", valueName: "text"))
    var cardholder: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file with the billing contact (ApplePayPaymentContact), for the format payment.", valueName: "file")
    )
    var billingContact: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file with the shipping contact (ApplePayPaymentContact), for the format payment.",
            valueName: "file"))
    var shippingContact: String?

    @Option(help: ArgumentHelp("The time of the signature; now if left out.", valueName: "rfc3339"))
    var at: MomentArgument?

    @Option(help: "How much is printed: paymentData alone, the PKPaymentToken, or the Apple Pay JS payment.")
    var format = Format.paymentData

    @Flag(help: "Write failures as JSON.")
    var json = false

    func validate() throws {
        if let code = self.currency { _ = try self.money(in: code) }
        guard self.format == .payment || self.billingContact == nil && self.shippingContact == nil else {
            throw ValidationError("A contact stands in the Apple Pay JS payment alone. Add --format payment.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let directory = self.directory.directory
            let merchant = try self.merchantCard(in: directory)
            let card = try self.presentedCard()
            let contacts = (
                billing: try self.billingContact.map(PaymentContactFile.read),
                shipping: try self.shippingContact.map(PaymentContactFile.read)
            )
            let token = try await AuthorityLock.withLock(of: directory) {
                let authority = try directory.loadAuthority()
                let recipient = try await self.recipient(merchant, authority, directory)
                // After it: who is unknown is not asked for a currency.
                var request = self.request(recipient.merchantIdentifier, try self.presentedAmount(to: merchant))
                request.billingContact = contacts.billing
                request.shippingContact = contacts.shipping
                let token = try SimulatedDevice(authority: authority).mint(
                    request, card: card, recipient: recipient.key,
                    signingTime: (self.at?.timestamp ?? .now()).date)
                // The leaf that signs RSA_v1 is made when it is first needed, and must stay the same.
                if self.version == .rsaV1 { try directory.save(authority) }
                return token
            }
            console.line(self.text(token))
        }
    }

    /// The card with the network that the request preselects.
    private func presentedCard() throws -> SimulatedCard {
        guard let networks = self.networks else { return self.card.card }
        let names = networks.split(separator: ",").map { String($0.filter { $0 != " " }) }
        guard let card = self.card.card.preselected(by: names) else {
            let own = self.card.card.networks.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .networkNotSupported, stage: .mint,
                "The card \(self.card.card.name) has none of these networks. It has: \(own).")
        }
        return card
    }

    /// - Parameter card: `nil` for a merchant whose certificates were imported: the store alone knows it.
    private func recipient(
        _ card: MerchantCard?, _ authority: TestAuthority, _ directory: DataDirectory
    ) async throws -> MintRecipient {
        if let path = self.certificate { return try MintRecipient(certificate: path) }
        let version: WalletSimulator.PaymentRequest.Version = self.version == .rsaV1 ? .rsaV1 : .ecV1
        // Of a merchant whose tokens another service opens, the key lies with that.
        if card?.keyHolder == nil {
            do {
                let found = try await MintRecipient.inStore(
                    of: directory, merchant: self.merchant, identifier: card?.merchantIdentifier, version)
                if let found { return found }
            } catch {
                // Between an update and its migration no store opens; the card's files have a key all the same.
                if card == nil { throw error }
            }
        }
        // Names the merchants that there are.
        let merchant = try card ?? directory.loadMerchant(self.merchant)
        let certificate =
            switch self.version {
            case .ecV1:
                try Certificate(pemEncoded: try FileSystem.readText(merchant.processingCertificatePath))
            case .rsaV1: try await RSAProcessingKey(directory: directory, merchant: merchant).certificate(authority)
            }
        return MintRecipient(
            merchantIdentifier: merchant.merchantIdentifier, key: try ProcessingPublicKey(certificate: certificate))
    }

    /// The merchant's card; `nil` where the store alone may know the merchant.
    private func merchantCard(in directory: DataDirectory) throws -> MerchantCard? {
        guard !directory.merchantNames.contains(self.merchant) else { return try directory.loadMerchant(self.merchant) }
        guard self.certificate != nil || (try? directory.requireStore()) != nil else {
            return try directory.loadMerchant(self.merchant)
        }
        return nil
    }

    private func presentedAmount(to merchant: MerchantCard?) throws -> Money {
        guard let currency = self.currency ?? merchant?.currency else {
            throw CommandFailure(
                .argumentMalformed, stage: .mint,
                "No file of the sandbox says in which currency \(self.merchant) is paid. Add --currency.")
        }
        return try self.money(in: currency)
    }

    private func request(_ merchantIdentifier: String, _ amount: Money) -> WalletSimulator.PaymentRequest {
        PaymentRequest(
            merchantIdentifier: merchantIdentifier, amountMinorUnits: amount.minorUnits,
            currencyCode: amount.currency.numericText, kind: self.kind == .emv ? .emv : .threeDSecure,
            version: self.version == .rsaV1 ? .rsaV1 : .ecV1,
            applicationData: self.applicationData.map { Array($0.utf8) },
            merchantToken: self.merchantToken ? .sample(card: self.card.card) : nil, cardholderName: self.cardholder)
    }

    private func money(in code: String) throws(ValidationError) -> Money {
        guard let currency = Currency.alphabetic(code) else {
            throw ValidationError(
                "The currency \(code) is none of ISO 4217. Write its three letters in capitals, e.g. CAD.")
        }
        do {
            return try Money(decimalText: self.amount, currency: currency)
        } catch .tooManyDecimals {
            throw ValidationError(
                "The amount \(self.amount) has more than the \(currency.exponent) decimals of \(code).")
        } catch {
            throw ValidationError("The amount \(self.amount) is not one. Write digits and a decimal point, e.g. 10.99.")
        }
    }

    private func text(_ token: MintedToken) -> String {
        switch self.format {
        case .paymentData: token.paymentDataText
        case .token: token.paymentTokenText
        case .payment: token.javaScriptPaymentText
        }
    }
}

/// A card of the simulated wallet by its short name.
struct CardArgument: ExpressibleByArgument, Sendable {
    let card: SimulatedCard

    init(card: SimulatedCard) {
        self.card = card
    }

    init?(argument: String) {
        guard let card = SimulatedCard.named(argument) else { return nil }
        self.card = card
    }

    var defaultValueDescription: String { self.card.name }

    static var allValueStrings: [String] {
        SimulatedCard.allNamed.map(\.name)
    }
}
