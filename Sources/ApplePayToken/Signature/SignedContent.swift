//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto

extension UnverifiedToken {
    /// SHA-256 of what Apple signs: the key member, the data, the transaction's identifier and, if there is one, the
    /// hash of the application data, all as raw bytes (Apple, "Payment token format reference", Verify the signature).
    ///
    /// The identifier and the hash are hexadecimal in the JSON; taking their text, or leaving the last part out, is a
    /// known mistake.
    var signedContentHash: SHA256Digest {
        var hash = SHA256()
        hash.update(data: self.header.key.bytes)
        hash.update(data: self.data)
        hash.update(data: self.header.transactionIdentifier)
        if let applicationDataHash = self.header.applicationDataHash { hash.update(data: applicationDataHash) }
        return hash.finalize()
    }

    /// The digest as bytes; ``VerifiedToken/signedContentDigest`` says what it is good for.
    public var signedContentDigest: [UInt8] { Array(self.signedContentHash) }
}
