//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Testing

@testable import ApplePayToken

@Suite struct ECDSASignatureValueTests {
    @Test func agreesWithSwiftCrypto() throws {
        let key = P256.Signing.PrivateKey()
        for index in 0..<600 {
            let signature = try key.signature(for: Data("message \(index)".utf8))
            let der = Array(signature.derRepresentation)
            #expect(ECDSASignatureValue.rawP256(der[...]) == Array(signature.rawRepresentation))
        }
    }

    @Test func readsShortNumbersAndSlices() {
        let expected = [UInt8](repeating: 0, count: 31) + [1] + [UInt8](repeating: 0, count: 31) + [0x80]
        let bytes: [UInt8] = [9, 9, 0x30, 0x07, 0x02, 0x01, 0x01, 0x02, 0x02, 0x00, 0x80]
        #expect(ECDSASignatureValue.rawP256(bytes[2...]) == expected)
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x00], [0x31, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            // A length that is wrong, or written the long way.
            [0x30, 0x07, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01], [0x30, 0x81, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            [0x30, 0x06, 0x02, 0x05, 0x01, 0x02, 0x01, 0x01],
            // No number, a negative one, one that is not written in the shortest way.
            [0x30, 0x05, 0x02, 0x00, 0x02, 0x01, 0x01], [0x30, 0x06, 0x02, 0x01, 0x81, 0x02, 0x01, 0x01],
            [0x30, 0x07, 0x02, 0x02, 0x00, 0x01, 0x02, 0x01, 0x01], [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x01],
            // One number only, and one too many.
            [0x30, 0x03, 0x02, 0x01, 0x01], [0x30, 0x09, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            // Another type, and more than 32 bytes.
            [0x30, 0x06, 0x04, 0x01, 0x01, 0x02, 0x01, 0x01],
            [0x30, 0x26, 0x02, 0x21, 0x01] + [UInt8](repeating: 0, count: 32) + [0x02, 0x01, 0x01],
        ] as [[UInt8]])
    func refusesWhatIsNotDER(_ bytes: [UInt8]) {
        #expect(ECDSASignatureValue.rawP256(bytes[...]) == nil)
    }
}
