//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction

/// What a connector notes on an operation for its own later calls: the acquirer's ids, links, sequence numbers, an account
/// token. Durable before the operation is sent where it was made by ``Acquirer/prepare(_:)``, and with the outcome where
/// that brought it; always sealed.
///
/// Only the acquirer sees it again: with a request for the operation, and on an ``OriginalOperation``.
///
/// A cryptogram, chip data or a security code is in no part of it: such authentication data is never stored once the
/// payment is authorized (PCI DSS 4.0.1, requirement 3.3.1).
public struct AcquirerMemo: Hashable, Sendable {
    public var entries: [String: Redacted<String>]
    /// What later operations need of the card: its number, its expiry. Unlike all else it is deleted when the payment is
    /// over and its time with it (``AcquirerCapabilities/CardDataRetention``).
    public var cardData: [String: Redacted<String>]
    /// Names by which the acquirer's notices call the operation, unique under its account: an acquirer's id. They are not
    /// sealed. See ``AcquirerNotice/Subject/handle(_:)``.
    public var handles: Set<String>

    public init(
        _ entries: [String: Redacted<String>] = [:], cardData: [String: Redacted<String>] = [:],
        handles: Set<String> = []
    ) {
        self.entries = entries
        self.cardData = cardData
        self.handles = handles
    }

    public var isEmpty: Bool { self.entries.isEmpty && self.cardData.isEmpty && self.handles.isEmpty }

    public subscript(name: String) -> String? {
        get { self.entries[name]?.reveal() }
        set { self.entries[name] = newValue.map { Redacted($0) } }
    }

    /// This memo and a later one, which counts where both say something.
    public func merging(_ later: AcquirerMemo) -> AcquirerMemo {
        AcquirerMemo(
            self.entries.merging(later.entries) { $1 }, cardData: self.cardData.merging(later.cardData) { $1 },
            handles: self.handles.union(later.handles))
    }
}
