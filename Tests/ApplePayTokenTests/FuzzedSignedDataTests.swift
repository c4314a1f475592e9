//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import FuzzInputs
import Testing

@testable import ApplePayToken

/// The inputs of the fuzz target SignedData (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedSignedDataTests {
    /// Each stands in place of the signature of sealed data that nobody signed.
    @Test func refusesEachOverOtherData() throws {
        let inputs = try FuzzInput.all(of: "SignedData")
        #expect(inputs.map(\.name).contains("apples-own"))
        let verifier = TokenVerifier(trustRoots: [.appleRootCAG3], policy: .archived, cache: IssuerChainCache())
        let header = try TokenHeader(
            publicKeyHash: Array(repeating: 1, count: 32), transactionIdentifier: Array(repeating: 2, count: 32),
            key: .wrappedKey(Array(repeating: 3, count: 256)))
        for input in try inputs + FuzzInput.corpus(of: "SignedData") {
            let token = try UnverifiedToken(
                version: .rsaV1, data: Array(repeating: 0x5A, count: 64), signature: input.bytes, header: header)
            #expect(throws: TokenError.self, "\(input.name)") {
                try verifier.verify(token, at: Date(timeIntervalSince1970: 1_449_769_500))
            }
        }
    }
}
