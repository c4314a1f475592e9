//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import Redaction
import StrictJSON
import Testing
import WalletSimulator

@testable import ApplePayToken

@Suite struct InspectionTests {
    @Test func explainsTheGenuineToken() throws {
        let genuine = try GenuineToken()
        let inspection = TokenInspection(genuine.token, with: TokenVerifier(), at: GenuineToken.now)
        #expect(inspection.isSound)
        #expect(inspection.anchor == .appleRootCAG3)
        #expect(inspection.signingTime == (try Date("2015-12-10T17:44:10Z")))
        #expect(inspection.findings.map(\.check) == TokenCheck.allCases)
        #expect(inspection.certificates.map(\.role) == [.leaf, .intermediate])
        #expect(inspection.certificates[0].subject.contains("ecc-smp-broker-sign_UC4-PROD"))
        #expect(inspection.certificates[0].markers == ["1.2.840.113635.100.6.29"])
        #expect(inspection.certificates[1].markers == ["1.2.840.113635.100.6.2.14"])
        #expect(inspection.certificates[1].notAfter == (try Date("2029-05-06T23:46:30Z")))
        #expect(inspection.certificates[0].serialNumber == "2443f2a8069df577")
        #expect(inspection.parts.contains { $0.name == "header.ephemeralPublicKey" && $0.value == "91 bytes" })
        #expect(inspection.parts.contains { $0.name == "signature.algorithmProtection" && $0.value == "absent" })
        #expect(inspection.text.contains("sound, vouched for by Apple Root CA - G3"))
        #expect(inspection.json["sound"] == true)
        #expect(inspection.json["signingTime"] == "2015-12-10T17:44:10Z")
        #expect(inspection.json["certificates"]?.array?.count == 2)
    }

    @Test func onlyTheWindowFailsToday() throws {
        let genuine = try GenuineToken()
        let inspection = TokenInspection(
            parsing: genuine.json.serialized(), with: TokenVerifier(), at: Date(timeIntervalSince1970: 1_790_000_000))
        #expect(!inspection.isSound)
        #expect(inspection.findings.filter { $0.outcome != .passed }.map(\.check) == [.signingTimeWindow])
        #expect(inspection.text.contains("[signing_time_too_old]"))
    }

    @Test func goesOnBehindAFailedCheck() throws {
        let fixture = try Fixture.get()
        let token = try UnverifiedToken(json: try fixture.mint(fixture.request()).paymentData)
        let inspection = TokenInspection(token, with: TokenVerifier(), at: Fixture.now)
        let outcomes = Dictionary(uniqueKeysWithValues: inspection.findings.map { ($0.check, $0.outcome) })
        #expect(outcomes[.trustAnchor] == .failed)
        #expect(outcomes[.signature] == .passed)
        #expect(outcomes[.messageDigest] == .passed)
        #expect(outcomes[.certificateValidity] == .skipped)
        #expect(inspection.anchor == nil)
    }

    @Test(arguments: ["", "{}", "{\"paymentData\":null}"])
    func explainsWhatIsNoToken(_ text: String) throws {
        let inspection = TokenInspection(parsing: text.utf8, with: TokenVerifier(), at: GenuineToken.now)
        #expect(inspection.findings.first?.outcome == .failed)
        #expect(inspection.findings.dropFirst().allSatisfy { $0.outcome == .skipped })
        #expect(inspection.json["findings"]?.array?.first?["stage"] == "parse")
    }

    /// The inspection runs the verifier's own checks: what the one refuses, the other names, with the same code.
    @Test(arguments: Forgery.allCases)
    func agreesWithTheVerifier(_ forgery: Forgery) throws {
        let fixture = try Fixture.get()
        let request = fixture.request(applicationData: forgery == .applicationDataAdded ? nil : [1])
        guard forgery.applies(to: request, recipient: fixture.ecRecipient) else { return }
        let minted = try fixture.mint(request, options: .forged(forgery))
        let inspection = TokenInspection(
            parsing: minted.paymentDataText.utf8, with: fixture.verifier(), at: Fixture.now)
        do {
            let token = try UnverifiedToken(parsing: minted.paymentDataText.utf8)
            _ = try fixture.verifier().verify(token, at: Fixture.now)
            #expect(inspection.isSound)
        } catch {
            #expect(!inspection.isSound)
            #expect(inspection.findings.first { $0.outcome == .failed }?.error?.code == error.code)
            #expect(inspection.anchor == nil)
        }
    }
}

/// Nothing that prints a token, a key or an error may show what is inside.
@Suite struct SecrecyTests {
    @Test func descriptionsMirrorsAndDumpsShowNoSecrets() throws {
        let fixture = try Fixture.get()
        let minted = try fixture.mint(fixture.request())
        let opened = try fixture.open(minted)
        let verified = opened.verified
        let token = verified.sealed
        let pem = MerchantPrivateKey(fixture.ecKey).pem.reveal()
        var secrets = [
            SimulatedCard.visa.dpan, Base64.encode(token.data), Base64.encode(token.signature),
            Base64.encode(token.header.key.bytes), pem, Hex.encode(fixture.ecKey.rawRepresentation),
            // As dump and mirrors would show an array.
            "\(token.data[0]), \(token.data[1]), \(token.data[2])",
        ]
        guard case .threeDSecure(let proof) = opened.payload.paymentData else {
            Issue.record("not 3-D Secure")
            return
        }
        secrets.append(proof.cryptogramText.reveal())
        let values: [Any] = [
            token, token.header, token.header.key, verified, opened, opened.payload, opened.payload.paymentData,
            fixture.keyring, fixture.keyring.keys[0], MerchantPrivateKey(fixture.ecKey),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
            }
        }
        #expect("\(opened.payload)".contains("xxxx"))
    }
}
