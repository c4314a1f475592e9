//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Redaction
import Testing
import Time

/// The gateway's own code on the vectors.
@Suite("Pomona-Signature")
struct WebhookSignatureTests {
    @Test func verdictsAreTheVectors() throws {
        for vector in try WebhookVector.all() {
            let verdict = WebhookSignature.verdict(
                header: vector.signature, messageID: vector.eventID, body: vector.body,
                secrets: [Redacted(vector.secret)], at: Timestamp(seconds: Int64(vector.now)))
            #expect((verdict == .valid) == vector.isValid, "\(vector.name): \(verdict)")
            switch vector.name {
            case "tooOld", "tooNew": #expect(verdict == .outdated)
            case "wrongKey", "alteredBody", "alteredTime", "alteredID": #expect(verdict == .forged)
            case "noTime", "twoTimes", "timeWithSign", "borderOfIDAndBodyMoved", "noID", "noSignature":
                #expect(verdict == .malformed, "\(vector.name)")
            default: break
            }
        }
    }

    @Test func signsAsTheVectors() throws {
        let vectors = try WebhookVector.all()
        for name in ["valid", "validFormInLatin1", "validXML", "validEmptyBody", "validSecondMessage"] {
            let vector = try #require(vectors.first { $0.name == name })
            let signature = WebhookSignature(
                messageID: vector.eventID, body: vector.body, secrets: [Redacted(vector.secret)],
                at: Timestamp(seconds: Int64(vector.now)))
            #expect(signature.text == vector.signature)
        }
        let two = try #require(vectors.first { $0.name == "twoSignaturesTheFirstSecret" })
        let first = try #require(vectors.first { $0.name == "valid" })
        let signature = WebhookSignature(
            messageID: two.eventID, body: two.body, secrets: [Redacted(two.secret), Redacted(first.secret)],
            at: Timestamp(seconds: Int64(two.now)))
        #expect(signature.text == two.signature)
    }

    @Test func aHeaderWithoutEndIsNotRead() {
        let header = "t=1," + String(repeating: "v1=00,", count: 2000)
        let verdict = WebhookSignature.verdict(
            header: header, messageID: "evt_1", body: [], secrets: [], at: Timestamp(seconds: 1))
        #expect(verdict == .malformed)
    }
}
