//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Redaction
import Synchronization

/// How an upstream knows an account: by one credential, and perhaps by the one that follows it or was before it, so that
/// it can be changed on either side first.
public final class RotatingCredentials<Client: WireClient>: Sendable {
    public struct Entry: Sendable {
        /// The name of the secret.
        public let name: String
        /// Speaks with it.
        public let client: Client

        public init(name: String, client: Client) {
            self.name = name
            self.client = client
        }
    }

    public let entries: [Entry]
    /// What must not be seen of them, as they are and as they are sent.
    public let secrets: [Redacted<String>]
    /// Which was taken last: the other one is not tried at every call.
    private let latest = Mutex(0)

    public init(_ entries: [Entry]) {
        self.entries = entries
        self.secrets = entries.flatMap(\.client.secrets)
    }

    /// All, the one that was taken last before the others.
    public var inOrder: [(index: Int, entry: Entry)] {
        let first = self.latest.withLock { $0 }
        let indices = [first] + self.entries.indices.filter { $0 != first }
        return indices.map { ($0, self.entries[$0]) }
    }

    public func noteTaken(_ index: Int) { self.latest.withLock { $0 = index } }
}
