//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Foundation
public import Logging

/// Writes each message as one line of `key=value` pairs: time, level, message, then the metadata by name.
///
/// ```
/// time=2026-01-31T12:00:00.000Z level=info msg=request dialect=alphapay duration_ms=3 method=POST …
/// ```
/// A value with anything but plain characters is quoted and escaped, so that no value can look like another pair or
/// another line.
public struct LogfmtHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let time: @Sendable () -> String
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - time: the time of now, as it is to be written.
    ///   - write: takes a whole line with its line feed.
    public init(
        label: String, level: Logger.Level, time: @escaping @Sendable () -> String,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.label = label
        self.logLevel = level
        self.time = time
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = self.metadata
        if let provided = self.metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let added = event.metadata { if all.isEmpty { all = added } else { all.merge(added) { _, new in new } } }
        var line = "time="
        line += self.time()
        line += " level="
        line += event.level.rawValue
        line += " logger="
        line += Self.quoted(self.label)
        line += " msg="
        line += Self.quoted(event.message.description)
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            line += " "
            line += Self.key(key)
            line += "="
            line += Self.quoted(value.description)
        }
        line += "\n"
        self.write(line)
    }

    private static func key(_ key: String) -> String {
        // Keys are written in the source, and hardly any needs to be changed.
        let isPlain = ASCII.isWholly(key) { ASCII.isSmallLetter($0) || $0 == 0x5F }
        return isPlain
            ? key : String(key.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" ? $0 : "_" })
    }

    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && ASCII.isWholly(text) { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D && $0 != 0x5C }
        if isPlain { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where ForeignText.isObeyed(scalar):
                quoted += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Writes lines to standard error, each in one call, so that lines of several threads do not mix.
public func writeToStandardError(_ line: String) {
    var bytes = Array(line.utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        // A log that cannot be written (a closed pipe, a full disk) must not stop a payment.
        guard count > 0 || errno == EINTR else { return }
        if count > 0 { bytes = bytes.dropFirst(count) }
    }
}
