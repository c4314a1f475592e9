//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Synchronization

/// Every log line at every level, with its metadata.
final class CapturedLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { self.kept.withLock { $0 } }

    func logger() -> Logger {
        var logger = Logger(label: "gateway-tests") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
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
            self.log.kept.withLock {
                $0.append("\(event.level) \(event.message) \(event.metadata ?? [:]) \(self.metadata)")
            }
        }
    }
}
