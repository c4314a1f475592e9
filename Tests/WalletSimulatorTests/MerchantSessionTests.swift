//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import StrictJSON
import SwiftASN1
import TestProcesses
import Testing
import WalletSimulator
import X509

/// What the wallet makes of a merchant session.
@Suite struct MerchantSessionTests {
    private static func make(
        domain: String = "localhost", random: UInt8 = 1, authority: TestAuthority? = nil
    ) throws -> JSON {
        let authority = try authority ?? Sandbox.authority.get()
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: Sandbox.rsaKey.get())
        let certificate = try authority.issue(
            .merchantIdentity, merchantIdentifier: Sandbox.merchantIdentifier,
            publicKey: Certificate.PublicKey(key.publicKey), now: Sandbox.now)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        let apple = SimulatedMerchantValidation(
            authority: authority, registrations: [Sandbox.merchantIdentifier: [domain]])
        let body: JSON = [
            "merchantIdentifier": .string(Sandbox.merchantIdentifier), "displayName": "Apples & Pears",
            "initiative": "web", "initiativeContext": .string(domain),
        ]
        return try apple.answer(
            .paymentSession, clientCertificateDER: serializer.serializedBytes, body: body.serialized(),
            now: Sandbox.now, random: { Array(repeating: random, count: $0) }
        ).json
    }

    private static func verify(
        _ session: JSON, host: String = "localhost", after seconds: TimeInterval = 1
    ) throws -> SimulatedMerchantSession {
        try SimulatedMerchantSession.verify(
            session.serialized(), host: host, now: Sandbox.now.addingTimeInterval(seconds),
            authority: Sandbox.authority.get())
    }

    private static func code(_ body: () throws -> Void) -> SimulatorError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SimulatorError)?.code
        }
    }

    @Test func believesWhatTheSimulatedAppleGave() throws {
        let session = try Self.verify(try Self.make())
        #expect(session.belongs(to: Sandbox.merchantIdentifier))
        #expect(!session.belongs(to: "merchant.com.example.other"))
        #expect(session.domainName == "localhost" && session.displayName == "Apples & Pears")
        #expect(session.expiresAt - session.epochTimestamp == 300_000)
        #expect(session.nonce == "01010101" && session.merchantSessionIdentifier.hasPrefix("SSH0101"))
    }

    @Test func believesWhatHasBeenWrittenAnew() throws {
        let session = try Self.make()
        var reordered = JSONObject()
        for member in try #require(session.object).members.reversed() { reordered[member.name] = member.value }
        let pretty = Array(JSON.object(reordered).text(pretty: true).utf8)
        let verified = try SimulatedMerchantSession.verify(
            pretty, host: "LOCALHOST", now: Sandbox.now, authority: Sandbox.authority.get())
        #expect(verified == (try Self.verify(session)))
    }

    @Test func outlivesTheRenewalOfTheLeaf() throws {
        let renewed = try Sandbox.authority.get().renewingLeaves(now: Sandbox.now)
        let session = try SimulatedMerchantSession.verify(
            try Self.make().serialized(), host: "localhost", now: Sandbox.now, authority: renewed)
        #expect(session.domainName == "localhost")
    }

    @Test(
        arguments: [
            ("epochTimestamp", 1_772_368_496_001), ("expiresAt", 1_972_368_796_000),
            ("merchantSessionIdentifier", "SSH2"), ("nonce", "02020202"), ("merchantIdentifier", "00"),
            ("domainName", "other.example.com"), ("displayName", "Another shop"),
            ("operationalAnalyticsIdentifier", "x"), ("retries", 1), ("pspId", "00"), ("signature", "3000"),
            ("signature", "no digits"), ("signature", ""), ("nonce", true), ("expiresAt", "x"),
        ] as [(String, JSON)])
    func refusesChangedMember(name: String, value: JSON) throws {
        var object = try #require(try Self.make().object)
        #expect(object[name] != nil)
        object[name] = value
        let forged = JSON.object(object)
        #expect(Self.code { _ = try Self.verify(forged, host: "other.example.com") } == .sessionForged)
        #expect(Self.code { _ = try Self.verify(forged) } == .sessionForged)
    }

    @Test func refusesMissingMember() throws {
        let session = try Self.make()
        for name in try #require(session.object).names {
            var object = try #require(session.object)
            object[name] = nil
            let cut = JSON.object(object)
            #expect(Self.code { _ = try Self.verify(cut) } == .sessionForged, "\(name)")
        }
    }

    @Test func refusesSignatureOfAnotherSession() throws {
        var object = try #require(try Self.make(random: 1).object)
        object["signature"] = try Self.make(random: 2)["signature"]
        let mixed = JSON.object(object)
        #expect(Self.code { _ = try Self.verify(mixed) } == .sessionForged)
    }

    @Test func refusesSessionOfAnotherAuthority() throws {
        let foreign = try Self.make(authority: try Sandbox.otherAuthority.get())
        #expect(Self.code { _ = try Self.verify(foreign) } == .sessionForged)
    }

    /// From the first signed attribute to the end: what stands before it is not signed, and nobody believes it.
    @Test func refusesEveryFlippedByteOfTheSignatureItself() throws {
        let session = try Self.make()
        let signature = try #require(session["signature"]?.string)
        let contentType = "06092a864886f70d010903"
        let start = try #require(signature.range(of: contentType, options: .backwards)).lowerBound
        let digits = Array(signature)
        for index in stride(from: digits.count - signature[start...].count + 1, to: digits.count, by: 2) {
            var flipped = digits
            flipped[index] = flipped[index] == "0" ? "1" : "0"
            var object = try #require(session.object)
            object["signature"] = .string(String(flipped))
            let forged = JSON.object(object)
            #expect(Self.code { _ = try Self.verify(forged) } == .sessionForged, "byte \(index / 2)")
        }
    }

    @Test(arguments: ["", "{", "[]", "null", "{\"signature\":\"30\"}"]) func refusesWhatIsNoSession(text: String) throws
    {
        let authority = try Sandbox.authority.get()
        #expect(
            Self.code {
                _ = try SimulatedMerchantSession.verify(
                    Array(text.utf8), host: "localhost", now: Sandbox.now, authority: authority)
            } == .sessionForged)
    }

    @Test(arguments: [-1, 301] as [TimeInterval]) func refusesSessionOutsideItsFiveMinutes(seconds: TimeInterval) throws
    {
        let session = try Self.make()
        #expect(Self.code { _ = try Self.verify(session, after: seconds) } == .sessionExpired)
    }

    @Test(arguments: [0, 300] as [TimeInterval]) func takesSessionAtBothEnds(seconds: TimeInterval) throws {
        #expect(try Self.verify(try Self.make(), after: seconds).domainName == "localhost")
    }

    @Test(arguments: ["shop.example.com", "localhost:8443", "", "localhost.evil.example"])
    func refusesPageOfAnotherHost(host: String) throws {
        let session = try Self.make()
        #expect(Self.code { _ = try Self.verify(session, host: host) } == .domainDiffers)
    }

    /// OpenSSL finds the same: the CMS is a genuine one, by the certificate that signs tokens.
    @Test func opensslReadsTheSignature() async throws {
        let signature = try #require(try Self.make()["signature"]?.string)
        var bytes: [UInt8] = []
        var digits = signature[...]
        while let byte = UInt8(digits.prefix(2), radix: 16) {
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        let outcome = try await OpenSSL.run(
            ["cms", "-cmsout", "-print", "-inform", "DER", "-in", "session.der"], files: ["session.der": bytes])
        #expect(outcome.status == 0, "\(outcome.errorsText)")
        #expect(outcome.outputText.contains("ecc-smp-broker-sign_Simulator"))
    }
}
