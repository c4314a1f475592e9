//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// A data key, itself sealed under the master key.
public struct SealedDataKey: Hashable, Sendable {
    public let id: String
    public let box: [UInt8]
    public let createdAt: Timestamp

    public init(id: String, box: [UInt8], createdAt: Timestamp) {
        self.id = id
        self.box = box
        self.createdAt = createdAt
    }
}
