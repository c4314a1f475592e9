//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import Synchronization

/// Verified issuer chains, by a digest of the certificates and of the anchors that they were judged by.
///
/// Apple changes its leaf about every five years, so all tokens of a day share one or two chains; verifying them once
/// saves one P-256 and one P-384 verification and the reading of two certificates for each token. A chain is used only
/// for signing times at which all of it is valid. Only chains that were verified get in, so untrusted input cannot fill
/// the cache; it is bounded all the same, and the chain that was not used for the longest time leaves first.
///
/// One cache may serve several verifiers and any number of threads.
public final class IssuerChainCache: Sendable {
    public struct Statistics: Hashable, Sendable {
        public var hitsCount = 0
        public var missesCount = 0
        /// How many chains are held.
        public var chainsCount = 0

        public init() {}
    }

    private struct Entry {
        let chain: IssuerChain
        var lastUse: UInt64
    }

    private struct State {
        var entries: [SHA256Digest: Entry] = [:]
        var clock: UInt64 = 0
        var statistics = Statistics()
    }

    public let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: How many chains are held at most; 0 turns the cache off.
    public init(capacity: Int = 64) {
        self.capacity = max(0, capacity)
    }

    public var statistics: Statistics {
        self.state.withLock { state in
            var statistics = state.statistics
            statistics.chainsCount = state.entries.count
            return statistics
        }
    }

    /// Forgets every chain; the counters stay.
    public func removeAll() {
        self.state.withLock { $0.entries.removeAll() }
    }

    static func key(_ signedData: SignedData, anchors: TrustAnchors) -> SHA256Digest {
        var hash = SHA256()
        hash.update(data: anchors.digest)
        // Each certificate is one DER element and says its own length: the boundaries need no separator.
        for range in signedData.certificates { hash.update(data: signedData.bytes[range]) }
        return hash.finalize()
    }

    func chain(for key: SHA256Digest, validAt time: Instant) -> IssuerChain? {
        self.state.withLock { state in
            guard let entry = state.entries[key], entry.chain.isValid(at: time) else {
                state.statistics.missesCount += 1
                return nil
            }
            state.clock += 1
            state.entries[key]?.lastUse = state.clock
            state.statistics.hitsCount += 1
            return entry.chain
        }
    }

    func insert(_ chain: IssuerChain, for key: SHA256Digest) {
        guard self.capacity > 0 else { return }
        self.state.withLock { state in
            if state.entries[key] == nil, state.entries.count >= self.capacity,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries[oldest.key] = nil
            }
            state.clock += 1
            state.entries[key] = Entry(chain: chain, lastUse: state.clock)
        }
    }
}
