//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Synchronization

/// Where an acquirer's process keeps whether it is signed off, so that the next start finds it so.
public struct AcquirerLinkSignOffRecord: Sendable {
    public let isSignedOff: Bool
    let keep: @Sendable (_ isSignedOff: Bool) throws -> Void

    /// - Parameters:
    ///   - isSignedOff: what has been kept last.
    ///   - keep: keeps it durably, and throws where it can't. It is not called twice at once.
    public init(isSignedOff: Bool, keep: @escaping @Sendable (_ isSignedOff: Bool) throws -> Void) {
        self.isSignedOff = isSignedOff
        self.keep = keep
    }

    /// Of a process that is signed on whenever it starts.
    public static let none = AcquirerLinkSignOffRecord(isSignedOff: false) { _ in }
}

/// Whether an acquirer's process takes operations, on the wire: sent to every client whenever it changes. What it is at first
/// stands in the handshake's `ready`.
struct LinkSignOn: Hashable, Sendable {
    let isSignedOff: Bool

    var json: JSON { ["type": "sign-on", "signedOff": .bool(self.isSignedOff)] }
}

extension LinkSignOn {
    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.isSignedOff = try reader.flag("signedOff")
        try reader.end()
    }
}

/// The state of the process that serves, and its record: changed one after the other.
final class LinkSignOnState: Sendable {
    private let record: AcquirerLinkSignOffRecord
    private let state: Mutex<Bool>
    private let writing = Mutex(())

    init(_ record: AcquirerLinkSignOffRecord) {
        self.record = record
        self.state = Mutex(record.isSignedOff)
    }

    var isSignedOff: Bool { self.state.withLock { $0 } }

    /// Signs off or on. What can't be kept holds all the same where it is the safer: a process is signed off at once, and
    /// signed on only when that is durable.
    /// - Returns: whether it has been kept.
    func change(to isSignedOff: Bool) -> Bool {
        self.writing.withLock { _ in
            if isSignedOff { self.state.withLock { $0 = true } }
            guard (try? self.record.keep(isSignedOff)) != nil else { return false }
            self.state.withLock { $0 = isSignedOff }
            return true
        }
    }
}
