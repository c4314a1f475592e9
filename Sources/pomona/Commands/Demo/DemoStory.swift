//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import AsyncHTTPClient
import BaseEncoding
import Clients
import Foundation
import Gateway
import Ledger
import Logging
import Money
import Payments
import Redaction
import Server
import Storefront
import StrictJSON
import SwiftASN1
import Time
import WalletSimulator
import X509

/// The demonstration, step by step. Everything runs through the very application that serves: the real server, dialect,
/// store and acquirer.
struct DemoStory: Sendable {
    let application: Application
    let merchant: MerchantCard
    let shop: DemoShop
    let inbox: DemoInbox
    let phone: SimulatedDevice
    let printer: DemoPrinter
    let isTemporary: Bool

    /// What the payment sheet asks for.
    static let amount = Money(minorUnits: 42_50, currency: .cad)

    /// - Throws: ``CommandFailure`` `demo_expectation_failed` at the first thing that is not as it should be.
    static func run(in directory: DataDirectory, isTemporary: Bool, on console: Console) async throws {
        let started = ContinuousClock.now
        let printer = DemoPrinter(console)
        printer.title(
            "Pomona: one Apple Pay payment, from the phone to the ledger and back to the shop",
            "A gateway, a shop, a pretend iPhone and a pretend bank. The cryptography is real; the money is not.")
        console.progress("Starting the gateway …")
        var configuration = ApplicationConfiguration.sandbox(directory)
        configuration.listeners = [.init(host: "127.0.0.1", port: 0)]
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        console.progress("")
        let dialect = DialectModule.alphaPay.name
        guard let merchant = application.merchants.first(where: { $0.name == dialect }) else {
            throw CommandFailure(.merchantUnknown, stage: .demo, "The sandbox has no merchant named \(dialect).")
        }
        try await DemoInbox.withInbox { inbox, notifyURL in
            try await application.withRunning { addresses in
                let url = addresses.first?.url ?? ""
                let shop = DemoShop(
                    client: try AlphaPayClient(
                        AlphaPayClient.Credentials(merchant.account), clock: Surroundings.system.clock,
                        random: Surroundings.system.random),
                    wire: .http(HTTPClient.shared) { () throws(ShopWireError) in url }, gatewayURL: url,
                    notifyURL: notifyURL)
                try await DemoStory(
                    application: application, merchant: merchant, shop: shop, inbox: inbox,
                    phone: SimulatedDevice(authority: try directory.loadAuthority()), printer: printer,
                    isTemporary: isTemporary
                ).run()
            }
        }
        let spent = (ContinuousClock.now - started).components
        let tenths = spent.attoseconds / 100_000_000_000_000_000
        printer.end(
            "Done in \(spent.seconds).\(tenths) s: \(printer.checksCount) checks, all as they should be."
                + (isTemporary ? "" : " The data is kept in \(directory.path)."))
        if !isTemporary {
            printer.note("Look at it: pomona payments list --data \(directory.path.shellQuoted)")
        }
        console.line()
    }

    private func run() async throws {
        let recipient = try await self.onboard()
        let paid = try await self.pay(recipient)
        try await self.refund(paid)
        try await self.refuseForgery(recipient)
        try await self.refuseReplay(paid)
        try await self.loseAnAnswer(recipient)
        try await self.authorizeCaptureVoid(recipient)
        try await self.payInEveryDialect()
        try await self.payThroughAnotherGateway()
        try await self.notifyTheShop()
        try await self.checkTheBooks()
    }
}

extension Currency {
    /// What the demo merchant charges in.
    static let cad: Currency = {
        guard let currency = Currency.alphabetic("CAD") else { preconditionFailure("ISO 4217 lacks CAD") }
        return currency
    }()
}

// MARK: - Onboarding

extension DemoStory {
    /// What a merchant does once: a signing request here, a certificate at Apple, its import here. The sandbox has set
    /// the account up.
    private func onboard() async throws -> ProcessingPublicKey {
        self.printer.step("A merchant is onboarded")
        let administration = self.application.gateway.administration
        let merchant = try await administration.merchant(named: self.merchant.name)
        self.printer.fact(
            "merchant",
            "\(merchant.displayName), \(merchant.mode.rawValue), speaks AlphaPay as \(try self.merchant.value("merchantCode"))"
        )
        let request = try await administration.createSigningRequest(
            merchant: merchant.id, purpose: .paymentProcessing, merchantIdentifier: self.merchant.merchantIdentifier)
        self.printer.fact("signing request", "EC P-256, made in the gateway; the private key stays there, sealed")
        let issued = try self.phone.authority.issue(
            .paymentProcessing, merchantIdentifier: self.merchant.merchantIdentifier, signingRequestPEM: request,
            now: Timestamp.now().date)
        let credential = try await administration.importCertificate(
            merchant: merchant.id, bytes: Array(try issued.serializeAsPEM().pemString.utf8), activates: true)
        let certificate = try AppleCertificate(Array((credential.certificatePEM ?? "").utf8))
        self.printer.fact(
            "issued by", "\(certificate.issuerCommonName ?? "nobody") (pretends to be Apple's)")
        self.printer.fact("certificate", "\(certificate.commonName ?? "none")")
        self.printer.fact("valid until", Timestamp(certificate.notAfter).rfc3339Seconds)
        self.printer.fact("key hash", certificate.publicKeyHashText)
        self.printer.fact(
            "server",
            "\(self.shop.gatewayURL), data in "
                + "\(self.isTemporary ? "a temporary directory" : self.application.directory.path)"
        )
        try self.printer.check(
            "it is a Payment Processing Certificate of this merchant, and it fits the key in the store",
            certificate.kind == .paymentProcessing && certificate.merchantIdentifier == self.merchant.merchantIdentifier
                && credential.id == Hex.encode(certificate.publicKeyHash))
        return try ProcessingPublicKey(certificate: issued)
    }
}
