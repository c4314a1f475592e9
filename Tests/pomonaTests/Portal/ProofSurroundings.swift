//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Clients
import Foundation
import Money
import Redaction
import StrictJSON
import SwiftASN1
import Synchronization
import Time
import WalletSimulator
import X509

@testable import pomona

/// What lies around a live gateway, for a test: Apple, the customers' devices, a shop, and the time.
///
/// No build of the gateway takes another Apple than Apple's own by a setting; only who composes it can give it one.
final class ProofSurroundings: Sendable {
    private struct State {
        var secondsAhead: Int64 = 0
        /// The last Payment Processing Certificate that was issued for a merchant identifier.
        var processing: [String: Certificate] = [:]
    }

    /// The host of the gateway that is the bank's: a name that nobody else has (RFC 6761, section 6.4).
    static let bankHost = "bank.pomona.test"

    private let authority: TestAuthority
    private let state = Mutex(State())

    init() throws {
        self.authority = try TestAuthority.make(now: .now)
    }

    func now() -> Timestamp { Timestamp.now().adding(seconds: self.state.withLock { $0.secondsAhead }) }

    /// Lets time pass, at once.
    func pass(seconds: Int64) { self.state.withLock { $0.secondsAhead += seconds } }

    func surroundings() throws -> Surroundings {
        var surroundings = Surroundings.system
        surroundings.clock = { [self] in self.now() }
        surroundings.apple = AppleTrust(
            tokenRoots: [
                try TrustAnchor(certificatePEM: try self.authority.rootCertificate.serializeAsPEM().pemString)
            ],
            certificateIssuers: [
                try MerchantCertificateIssuer(
                    certificate: Array(
                        try self.authority.merchantIntermediateCertificate.serializeAsPEM().pemString.utf8))
            ])
        surroundings.upstreamAddresses = [Self.bankHost: "127.0.0.1"]
        return surroundings
    }

    // MARK: - Apple's developer portal

    /// Signs what was asked for in a signing request.
    ///
    /// - Returns: the certificate, DER: what Apple's page gives as a .cer file.
    func certify(
        _ kind: MerchantCertificateKind, merchantIdentifier: String, signingRequestPEM: String
    ) throws -> [UInt8] {
        let certificate = try self.authority.issue(
            kind, merchantIdentifier: merchantIdentifier, signingRequestPEM: signingRequestPEM, now: self.now().date)
        if kind == .paymentProcessing {
            self.state.withLock { $0.processing[merchantIdentifier] = certificate }
        }
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    // MARK: - A customer, and the shop's server

    /// An order that is paid with Apple Pay in the shop's own API, CommWeb's, over the gateway's listener.
    func pay(_ order: ProofOrder, at url: String) async throws -> Reading {
        guard let certificate = self.state.withLock({ $0.processing[order.merchantIdentifier] }) else {
            throw ProofTrouble("Apple has issued no certificate for \(order.merchantIdentifier).")
        }
        let token = try SimulatedDevice(authority: self.authority).mint(
            PaymentRequest(
                merchantIdentifier: order.merchantIdentifier, amountMinorUnits: order.amount.minorUnits,
                currencyCode: order.amount.currency.numericText),
            card: .visa, recipient: try ProcessingPublicKey(certificate: certificate), signingTime: self.now().date)
        let client = CommWebClient(
            CommWebClient.Credentials(merchantID: order.merchantID, password: order.password))
        var fields = ChargeFields(
            order: order.name, key: "1", amount: order.amount,
            instrument: .sealed(SealedToken(token: token.paymentToken)))
        fields.capturesAtOnce = true
        fields.customer.email = "customer@shop.example"
        return try await ProofShop.send(try client.charge(fields), client, to: url)
    }
}

/// What a customer buys.
struct ProofOrder: Sendable {
    let name: String
    let merchantIdentifier: String
    let amount: Money
    /// The shop's credentials, as the portal has shown them.
    let merchantID: String
    let password: Redacted<String>
}

/// What of the proof cannot be done.
struct ProofTrouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
