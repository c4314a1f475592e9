//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Bytes under the gateway's data key. What is sealed is opened by `Gateway` alone; a store only keeps it.
public struct SealedBytes: Hashable, Sendable {
    /// Which data key sealed them.
    public let keyID: String
    /// Nonce, ciphertext and tag.
    public let box: [UInt8]

    public init(keyID: String, box: [UInt8]) {
        self.keyID = keyID
        self.box = box
    }
}
