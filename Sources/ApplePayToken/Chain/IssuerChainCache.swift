//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import Synchronization

/// Verified issuer chains, by the digests of leaf and intermediate and of the anchors that they were judged by.
///
/// Apple changes its leaf about every five years, so all tokens of a day share one or two chains; verifying them once
/// saves one P-256 and one P-384 verification and the reading of two certificates for each token. A chain is used only
/// for signing times at which all of it is valid. A chain gets in only with a token whose own signature was right, and
/// whatever else lies in a token's certificate set makes no difference, so that a stranger who has Apple's certificates
/// but no key of theirs cannot fill the cache; it is bounded all the same, and the chain that was not used for the
/// longest time leaves first.
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

    struct Key: Hashable, Sendable {
        let certificates: IssuerCertificates
        let anchors: [UInt8]
    }

    private struct Entry {
        let chain: IssuerChain
        var lastUse: UInt64
    }

    /// The certificate set of the token that came last, as it stood there: the next one's is nearly always the same, and to
    /// compare the bytes takes less than their digests.
    private struct Recent {
        let certificates: [[UInt8]]
        let key: Key

        init(_ signedData: SignedData, _ key: Key) {
            self.certificates = signedData.certificates.map { Array(signedData.bytes[$0]) }
            self.key = key
        }

        func isOf(_ signedData: SignedData, anchors: TrustAnchors) -> Bool {
            guard self.key.anchors == anchors.digest, self.certificates.count == signedData.certificates.count else {
                return false
            }
            return zip(self.certificates, signedData.certificates).allSatisfy { certificate, range in
                guard certificate.count == range.count else { return false }
                // Without an early end, so that many bytes are compared in a step. Certificates are no secret.
                return signedData.bytes[range].withUnsafeBytes { bytes in
                    certificate.withUnsafeBytes { known in
                        known.indices.reduce(UInt8(0)) { $0 | (known[$1] ^ bytes[$1]) } == 0
                    }
                }
            }
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var recent: Recent?
        var clock: UInt64 = 0
        var statistics = Statistics()
    }

    public let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: How many chains are held at most; 0 turns the cache off. A chain whose leaf has signed many
    ///   tokens takes 150 kB (``SignerKey``).
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
        self.state.withLock { state in
            state.entries.removeAll()
            state.recent = nil
        }
    }

    /// The keys that the chain of a token may have: the certificates are in no order, and which is which is not known
    /// before they are read. More than two are looked through anew, since each must be one that is tolerated.
    private static func keys(_ signedData: SignedData, anchors: TrustAnchors) -> [Key] {
        guard signedData.certificates.count == 2 else { return [] }
        let digests = signedData.certificates.map { SHA256.hash(data: signedData.bytes[$0]) }
        return [(digests[0], digests[1]), (digests[1], digests[0])].map { leaf, intermediate in
            Key(certificates: IssuerCertificates(leaf: leaf, intermediate: intermediate), anchors: anchors.digest)
        }
    }

    func chain(of signedData: SignedData, anchors: TrustAnchors, validAt time: Instant) -> IssuerChain? {
        let recent = self.state.withLock { $0.recent }
        let known = recent.flatMap { $0.isOf(signedData, anchors: anchors) ? $0.key : nil }
        let keys = known.map { [$0] } ?? Self.keys(signedData, anchors: anchors)
        return self.state.withLock { state in
            for key in keys {
                guard let entry = state.entries[key], entry.chain.isValid(at: time) else { continue }
                state.clock += 1
                state.entries[key]?.lastUse = state.clock
                state.statistics.hitsCount += 1
                if known == nil { state.recent = Recent(signedData, key) }
                return entry.chain
            }
            state.statistics.missesCount += 1
            return nil
        }
    }

    /// Keeps the chain of a token whose own signature has been verified.
    func insert(_ chain: IssuerChain, anchors: TrustAnchors) {
        guard self.capacity > 0 else { return }
        let key = Key(certificates: chain.certificates, anchors: anchors.digest)
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
