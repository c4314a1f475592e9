//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import StrictJSON
import SwiftASN1
import Testing
import WalletSimulator
import X509

/// The simulated Apple's end of merchant registration, without the TLS.
@Suite struct RegistrationTests {
    private static let integrator = "platformintegrator.com.example"

    private static func certificate(of identifier: String = Self.integrator) throws -> [UInt8] {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: Sandbox.rsaKey.get())
        let certificate = try Sandbox.authority.get().issue(
            .merchantIdentity, merchantIdentifier: identifier, publicKey: Certificate.PublicKey(key.publicKey),
            now: Sandbox.now)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    private static func registering(_ changes: [String: JSON?] = [:]) -> JSON {
        var object = JSONObject()
        object["domainNames"] = ["a.example", "b.example"]
        object["partnerMerchantName"] = "The shop"
        object["partnerInternalMerchantIdentifier"] = "mer_1"
        object["encryptTo"] = "merchant.com.example.shop"
        for (name, value) in changes { object[name] = value }
        return .object(object)
    }

    private static func unregistering(_ domains: JSON, reason: JSON? = "It has moved.") -> JSON {
        var object = JSONObject()
        object["domainNames"] = domains
        object["partnerInternalMerchantIdentifier"] = "mer_1"
        object["reason"] = reason
        return .object(object)
    }

    /// A simulated Apple's book, and what it answers.
    private struct Apple {
        var book = SimulatedRegistrations()

        mutating func ask(
            _ endpoint: SimulatedRegistrations.Endpoint, _ body: JSON? = nil, of merchant: String? = nil,
            as identifier: String? = RegistrationTests.integrator
        ) throws -> SimulatedMerchantValidation.Answer {
            self.book.answer(
                endpoint, clientCertificateDER: try identifier.map(RegistrationTests.certificate), merchant: merchant,
                body: body?.serialized() ?? [], authority: try Sandbox.authority.get(), now: Sandbox.now)
        }
    }

    @Test func registersMoreDomainsAndForgetsTheMerchantWithTheLast() throws {
        var apple = Apple()
        #expect(try apple.ask(.merchant, of: "mer_1").status == 400)
        #expect(try apple.ask(.registerMerchant, Self.registering()).status == 200)
        #expect(
            try apple.ask(.registerMerchant, Self.registering(["domainNames": ["b.example", "c.example"]])).status
                == 200)
        let details = try apple.ask(.merchant, of: "mer_1")
        #expect(details.status == 200)
        #expect(details.json["domainNames"] == ["a.example", "b.example", "c.example"])
        #expect(details.json["partnerMerchantName"] == "The shop")
        #expect(details.json["partnerInternalMerchantIdentifier"] == "mer_1")
        // SHA-256 of the identifier.
        #expect(details.json["encryptTo"] == "7DFD3B4C6FE42301180177E6613735AE531012535854B928E2EED53521996300")
        #expect(SimulatedRegistrations(apple.book.json) == apple.book, "what is kept is what it was")
        #expect(try apple.ask(.unregisterMerchant, Self.unregistering(["a.example"])).status == 200)
        #expect(try apple.ask(.merchant, of: "mer_1").json["domainNames"] == ["b.example", "c.example"])
        #expect(try apple.ask(.unregisterMerchant, Self.unregistering(["b.example", "c.example"])).status == 200)
        #expect(try apple.ask(.merchant, of: "mer_1").status == 400)
    }

    @Test func isForPlatformIntegratorsAlone() throws {
        var apple = Apple()
        #expect(try apple.ask(.registerMerchant, Self.registering(), as: nil).status == 401)
        #expect(try apple.ask(.registerMerchant, Self.registering(), as: "merchant.com.example.shop").status == 401)
        #expect(try apple.ask(.registerMerchant, Self.registering()).status == 200)
        let other = try apple.ask(.merchant, of: "mer_1", as: "platformintegrator.com.other")
        #expect(other.status == 400, "another integrator's merchants are not to be seen")
        #expect(other.json["statusMessage"]?.string?.hasPrefix("Payment Services Exception ") == true)
    }

    @Test func refusesWhatIsIncomplete() throws {
        var apple = Apple()
        let wrong: [[String: JSON?]] = [
            ["domainNames": nil], ["domainNames": []], ["domainNames": "a.example"], ["domainNames": [1]],
            ["domainNames": ["https://a.example"]], ["domainNames": ["a.example", "a.example"]],
            ["domainNames": .array((0..<100).map { .string("d\($0).example") })],
            ["partnerMerchantName": nil], ["partnerInternalMerchantIdentifier": nil],
            ["partnerInternalMerchantIdentifier": "a b"], ["encryptTo": nil], ["encryptTo": "com.example"],
        ]
        for changes in wrong {
            #expect(try apple.ask(.registerMerchant, Self.registering(changes)).status == 400, "\(changes)")
        }
        #expect(try apple.ask(.registerMerchant, "no object").status == 400)
        #expect(apple.book == SimulatedRegistrations())
        #expect(try apple.ask(.unregisterMerchant, Self.unregistering(["a.example"])).status == 400)
        #expect(try apple.ask(.registerMerchant, Self.registering()).status == 200)
        #expect(try apple.ask(.unregisterMerchant, Self.unregistering(["c.example"])).status == 400)
        #expect(try apple.ask(.unregisterMerchant, Self.unregistering(["a.example"], reason: nil)).status == 400)
        #expect(try apple.ask(.merchant, of: "mer_1").json["domainNames"] == ["a.example", "b.example"])
    }

    @Test func integratorAsksForSessionsOfItsMerchantsOnTheirDomains() throws {
        var apple = Apple()
        _ = try apple.ask(.registerMerchant, Self.registering())
        func session(_ merchant: String, _ domain: String) throws -> SimulatedMerchantValidation.Answer {
            let body: JSON = [
                "merchantIdentifier": .string(merchant), "displayName": "Shop", "initiative": "web",
                "initiativeContext": .string(domain),
            ]
            return try SimulatedMerchantValidation(
                authority: try Sandbox.authority.get(), registrations: [:], platforms: apple.book
            ).answer(
                .paymentSession, clientCertificateDER: try Self.certificate(), body: body.serialized(),
                now: Sandbox.now, random: { Array(repeating: 1, count: $0) })
        }
        #expect(try session("mer_1", "a.example").status == 200)
        #expect(try session("mer_1", "c.example").status == 400)
        #expect(try session("mer_2", "a.example").status == 417)
    }
}
