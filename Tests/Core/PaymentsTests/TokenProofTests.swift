//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing
import Time

/// What is kept of a token's verification.
@Suite struct TokenProofTests {
    private let proof = TokenProof(
        version: "RSA_v1", checks: 0xC000_3FFF, verifiedAt: Timestamp(milliseconds: 1_763_900_000_123),
        signedAt: Timestamp(seconds: 1_763_900_000), anchor: "a1", publicKeyHash: "b2", leafDigest: "c3",
        intermediateDigest: "d4", transactionIdentifier: "e5")

    @Test func textIsReadBack() {
        #expect(proof.text == "RSA_v1 c0003fff 1763900000123 1763900000000 a1 b2 c3 d4 e5")
        let read = TokenProof(text: proof.text)
        #expect(read == proof)
        #expect(read?.version == "RSA_v1")
        #expect(read?.checks == 0xC000_3FFF)
        #expect(read?.verifiedAt == Timestamp(milliseconds: 1_763_900_000_123))
        #expect(read?.signedAt == Timestamp(seconds: 1_763_900_000))
        #expect([read?.anchor, read?.publicKeyHash, read?.leafDigest] == ["a1", "b2", "c3"])
        #expect([read?.intermediateDigest, read?.transactionIdentifier] == ["d4", "e5"])
    }

    @Test(arguments: [
        "", " ", "RSA_v1", "RSA_v1 1 1 1 a1 b2 c3 d4", "RSA_v1 1 1 1 a1 b2 c3 d4 e5 f6", "RSA_v1 1 1 1 a1 b2  d4 e5",
        "RSA_v1 g 1 1 a1 b2 c3 d4 e5", "RSA_v1 100000000 1 1 a1 b2 c3 d4 e5", "RSA_v1 1 x 1 a1 b2 c3 d4 e5",
        "RSA_v1 1 1 x a1 b2 c3 d4 e5",
    ])
    func whatItNeverWasIsNone(text: String) {
        #expect(TokenProof(text: text) == nil)
    }
}
