//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Synchronization

/// What an application has opened. It is closed in the reverse order, each part once: one that was opened later may
/// still use those before it.
final class OpenParts: Sendable {
    private struct Part {
        let name: String
        let close: @Sendable () async throws -> Void
    }

    private let logger: Logger
    private let parts = Mutex<[Part]>([])

    init(logger: Logger) {
        self.logger = logger
    }

    func add(_ name: String, close: @escaping @Sendable () async throws -> Void) {
        self.parts.withLock { $0.append(Part(name: name, close: close)) }
    }

    /// What cannot be closed keeps nothing else open.
    func close() async {
        let parts = self.parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
        for part in parts.reversed() {
            do {
                try await part.close()
                self.logger.debug("closed", metadata: ["part": "\(part.name)"])
            } catch {
                self.logger.error(
                    "not closed cleanly; it will be repaired at the next start",
                    metadata: ["part": "\(part.name)", "reason": "\(error)"])
            }
        }
    }
}
