//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Where a connector hands what came to it over connections of its own. What comes over HTTP it only reads
/// (``Connector/read(_:for:)``).
public struct AcquirerReports: Sendable {
    /// What became of a notice.
    public enum Receipt: String, Hashable, Sendable, CaseIterable {
        /// It is booked, or says nothing new: it need not be handed over again.
        case booked
        /// The account, or the operation that it names, is not known: it would not be known later either.
        case notKnown
        /// It could not be booked now: it is handed over again later.
        case later
    }

    private let take: @Sendable (AcquirerNotice, AcquirerAccountID) async -> Receipt

    public init(_ take: @escaping @Sendable (AcquirerNotice, AcquirerAccountID) async -> Receipt) {
        self.take = take
    }

    /// Hands a notice over. Notices may come in any order, and any number of times.
    public func report(_ notice: AcquirerNotice, of account: AcquirerAccountID) async -> Receipt {
        await self.take(notice, account)
    }
}

/// Whether operations can be sent to an acquirer now.
public enum AcquirerReadiness: Hashable, Sendable {
    case ready
    /// There is no connection, or nobody is signed on: what is sent all the same is not processed.
    /// - Parameter word: for the log: "signed_off".
    case notReady(String)
}
