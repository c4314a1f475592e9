//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Logging
import Synchronization

/// Everything that is logged, at every level.
public final class CapturedLog: Sendable {
    private let entries = Mutex<[String]>([])

    public init() {}

    /// Each entry: its level, its message and its metadata.
    public var lines: [String] { self.entries.withLock { $0 } }

    public var text: String { self.lines.joined(separator: "\n") }

    public var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
            self.log.entries.withLock { $0.append("\(event.level) \(event.message) \(metadata)") }
        }
    }
}
