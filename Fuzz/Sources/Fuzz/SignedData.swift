//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation

/// Apple's own token of the seed, whose signature the fuzzer replaces. script/fuzz runs in the repository's folder.
private let genuine: UnverifiedToken = {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: "Vectors/ApplePayToken/radial-seed-token.json")),
        let token = try? UnverifiedToken(parsing: Array(bytes))
    else { fatalError("run script/fuzz, which starts in the repository's folder") }
    return token
}()

private let verifier = TokenVerifier(trustRoots: [.appleRootCAG3], policy: .archived, cache: IssuerChainCache())

/// The CMS reader: whatever stands in place of the signature is refused, in order.
func fuzzSignedData(_ signature: [UInt8]) {
    guard
        let token = try? UnverifiedToken(
            version: genuine.version, data: Array(repeating: 0x5A, count: 64), signature: signature,
            header: genuine.header)
    else { return }
    // The sealed data are not those that Apple signed, so nothing may verify.
    let isVerified = (try? verifier.verify(token, at: Date(timeIntervalSince1970: 1_449_769_500))) != nil
    precondition(!isVerified, "a signature over other data verified")
}
