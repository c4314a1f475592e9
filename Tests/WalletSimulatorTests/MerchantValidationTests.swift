//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import StrictJSON
import SwiftASN1
import Testing
import WalletSimulator
import X509

/// The simulated Apple's end of merchant validation, without the TLS.
@Suite struct MerchantValidationTests {
    private typealias Endpoint = SimulatedMerchantValidation.Endpoint

    static let merchant = Sandbox.merchantIdentifier
    /// SHA-256 of the merchant identifier.
    static let hash = SHA256.hash(data: Data(merchant.utf8)).map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()

    /// A certificate by an authority for one key that all share.
    private static func certificate(
        _ kind: MerchantCertificateKind = .merchantIdentity, of identifier: String = Self.merchant,
        by authority: TestAuthority? = nil, issued: Date = Sandbox.now
    ) throws -> [UInt8] {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: Sandbox.rsaKey.get())
        let issuer = try authority ?? Sandbox.authority.get()
        let certificate = try issuer.issue(
            kind, merchantIdentifier: identifier, publicKey: Certificate.PublicKey(key.publicKey), now: issued)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    private static func body(_ endpoint: Endpoint, _ changes: [String: JSON?] = [:]) -> [UInt8] {
        var object = JSONObject()
        object["merchantIdentifier"] = .string(Self.merchant)
        object["displayName"] = "Shop"
        switch endpoint {
        case .paymentSession:
            object["initiative"] = "web"
            object["initiativeContext"] = "shop.example.com"
        case .startSession: object["domainName"] = "shop.example.com"
        }
        for (name, value) in changes { object[name] = value }
        return JSON.object(object).serialized()
    }

    private static func ask(
        _ endpoint: Endpoint = .paymentSession, certificate: [UInt8]? = nil, body: [UInt8]? = nil,
        registrations: SimulatedMerchantValidation.Registrations = [Self.merchant: ["shop.example.com"]],
        now: Date = Sandbox.now
    ) throws -> SimulatedMerchantValidation.Answer {
        let apple = SimulatedMerchantValidation(authority: try Sandbox.authority.get(), registrations: registrations)
        return try apple.answer(
            endpoint, clientCertificateDER: try certificate ?? Self.certificate(), body: body ?? Self.body(endpoint),
            now: now, random: { Array(repeating: 0xAB, count: $0) })
    }

    @Test(arguments: SimulatedMerchantValidation.Endpoint.allCases)
    func givesSessionWithApplesMembers(endpoint: SimulatedMerchantValidation.Endpoint) throws {
        let answer = try Self.ask(endpoint)
        #expect(answer.status == 200)
        let session = answer.json
        #expect(session["epochTimestamp"]?.integer == 1_772_368_496_000)
        #expect(session["expiresAt"]?.integer == 1_772_368_796_000)
        let identifier = try #require(session["merchantSessionIdentifier"]?.string)
        #expect(identifier == "SSH" + String(repeating: "AB", count: 16) + "_" + Self.hash)
        #expect(session["nonce"] == "abababab")
        #expect(session["merchantIdentifier"]?.string == Self.hash)
        #expect(session["domainName"] == "shop.example.com")
        #expect(session["displayName"] == "Shop")
        #expect(session["operationalAnalyticsIdentifier"]?.string == "Shop:\(Self.hash)")
        #expect(session["retries"] == 0)
        #expect(session["pspId"]?.string == Self.hash)
        let signature = try #require(session["signature"]?.string)
        #expect(signature.hasPrefix("3082") && signature.allSatisfy { $0.isHexDigit })
        #expect(session.object?.count == 11)
    }

    @Test func takesTheHashInPlaceOfTheIdentifier() throws {
        let body = Self.body(.paymentSession, ["merchantIdentifier": .string(Self.hash.lowercased())])
        #expect(try Self.ask(body: body).status == 200)
    }

    @Test func takesTheDomainInAnyCase() throws {
        let body = Self.body(.paymentSession, ["initiativeContext": "Shop.Example.com"])
        #expect(try Self.ask(body: body).status == 200)
    }

    @Test func refusesClientWithoutCertificate() throws {
        let apple = SimulatedMerchantValidation(authority: try Sandbox.authority.get(), registrations: [:])
        let answer = try apple.answer(
            .paymentSession, clientCertificateDER: nil, body: Self.body(.paymentSession), now: Sandbox.now,
            random: { Array(repeating: 0, count: $0) })
        #expect(answer.status == 401 && answer.json["statusCode"] == "401")
    }

    @Test func refusesCertificateOfAnotherAuthority() throws {
        let foreign = try Self.certificate(by: try Sandbox.otherAuthority.get())
        #expect(try Self.ask(certificate: foreign).status == 401)
    }

    @Test func refusesProcessingCertificate() throws {
        #expect(try Self.ask(certificate: try Self.certificate(.paymentProcessing)).status == 401)
    }

    @Test func refusesTheAuthoritysOwnLeaf() throws {
        var serializer = DER.Serializer()
        try serializer.serialize(try Sandbox.authority.get().leafCertificate)
        #expect(try Self.ask(certificate: serializer.serializedBytes).status == 401)
    }

    @Test func refusesBytesThatAreNoCertificate() throws {
        #expect(try Self.ask(certificate: [0x30, 0x00]).status == 401)
    }

    @Test(arguments: [-2, 800]) func refusesCertificateOutsideItsValidity(days: Int) throws {
        let now = Sandbox.now.addingTimeInterval(TimeInterval(days * 86_400))
        #expect(try Self.ask(now: now).status == 401)
        #expect(try Self.ask().status == 200)
    }

    @Test func refusesAnotherMerchantsIdentifier() throws {
        let answer = try Self.ask(certificate: try Self.certificate(of: "merchant.com.example.other"))
        #expect(answer.status == 417 && answer.json["statusCode"] == "417")
        #expect(answer.json["statusMessage"]?.string?.contains("unauthorized") == true)
    }

    @Test func refusesMerchantThatIsNotRegistered() throws {
        #expect(try Self.ask(registrations: [:]).status == 417)
    }

    @Test(arguments: ["other.example.com", "shop.example.com:443", "shop.example.com.", "xshop.example.com"])
    func refusesDomainThatIsNotRegistered(domain: String) throws {
        let answer = try Self.ask(body: Self.body(.paymentSession, ["initiativeContext": .string(domain)]))
        #expect(answer.status == 400 && answer.json["statusCode"] == "400")
        #expect(answer.json["statusMessage"]?.string?.contains("not registered for domain=\(domain)") == true)
    }

    @Test(
        arguments: [
            (.paymentSession, ["merchantIdentifier": nil]), (.paymentSession, ["displayName": nil]),
            (.paymentSession, ["displayName": .string(String(repeating: "x", count: 65))]),
            (.paymentSession, ["initiative": "in_app"]), (.paymentSession, ["initiative": nil]),
            (.paymentSession, ["initiativeContext": nil]), (.startSession, ["domainName": nil]),
            (.startSession, ["domainName": ""]), (.startSession, ["displayName": 7]),
        ] as [(SimulatedMerchantValidation.Endpoint, [String: JSON?])])
    func refusesIncompleteRequests(
        endpoint: SimulatedMerchantValidation.Endpoint, changes: [String: JSON?]
    ) throws {
        let answer = try Self.ask(endpoint, body: Self.body(endpoint, changes))
        #expect(answer.status == 400)
        #expect(answer.json["statusMessage"]?.string?.contains("not registered") == false)
    }

    @Test(arguments: ["", "[]", "{", "\"text\""]) func refusesBodyThatIsNoObject(body: String) throws {
        #expect(try Self.ask(body: Array(body.utf8)).status == 400)
    }
}
