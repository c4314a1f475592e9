//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction

/// Where the master key comes from: a file, the environment, a command. It is read when it is needed, at the start and
/// when a data key turns up that is not known yet, and not kept in between.
public struct MasterKeySource: Sendable {
    /// The keys that may be the store's, the likeliest first; 32 bytes each. More than one while a rotation of the
    /// master key is under way.
    public let read: @Sendable () async throws -> [Redacted<[UInt8]>]

    public init(read: @escaping @Sendable () async throws -> [Redacted<[UInt8]>]) {
        self.read = read
    }

    /// A key that is in memory anyhow.
    public static func fixed(_ key: Redacted<[UInt8]>) -> MasterKeySource {
        MasterKeySource { [key] }
    }
}
