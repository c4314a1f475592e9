//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Hosts
import Synchronization

/// To which addresses the names of acquirers' hosts may lead.
///
/// Whoever administers a merchant names the hosts of its accounts, and reads how a check of them ended: a name that leads into
/// the gateway's own network would show what listens there (server-side request forgery). So a name is looked up before it is
/// connected to, and nothing is written to a connection whose other end is not public, whatever a second look at the name
/// server has found (DNS rebinding). A host that is written as an address, or as this machine, was meant so by whoever may.
public struct UpstreamReach: Sendable {
    /// All addresses of a name; none where there are none.
    public typealias LookUp = @Sendable (_ host: String) async -> [IPAddress]

    let lookUp: LookUp?

    /// To whatever addresses the operating system finds.
    public static let anywhere = UpstreamReach(lookUp: nil)

    /// To none of this machine and of its own network.
    public static func publicInternet(_ lookUp: @escaping LookUp) -> UpstreamReach { UpstreamReach(lookUp: lookUp) }
}

/// Looks names up, and keeps for a minute which of them were public: connections are kept open, too, and a call that takes one
/// of them need not wait for a name server.
final class ReachCheck: Sendable {
    private static let keptSeconds = Duration.seconds(60)
    /// More are forgotten, and looked up again.
    private static let hostsMax = 1000

    private let reach: UpstreamReach
    /// Names whose addresses are given.
    private let given: Set<String>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let publicUntil = Mutex<[String: ContinuousClock.Instant]>([:])

    init(
        _ reach: UpstreamReach, given: Set<String>, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.reach = reach
        self.given = given
        self.now = now
    }

    /// The name that a request's connection must be held against; `nil` for one that may lead anywhere.
    func name(inURL url: String) -> String? {
        guard self.reach.lookUp != nil, let scheme = url.firstRange(of: "://") else { return nil }
        let origin = url[..<scheme.upperBound] + url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        // What cannot be read is held against the rule, and is no name that a name server knows.
        guard let address = UpstreamAddress(String(origin)) else { return String(origin) }
        let isGiven = address.isLoopback || address.ipAddress != nil || self.given.contains(address.host)
        return isGiven ? nil : address.host
    }

    /// - Throws: ``ExchangeFailure`` `host_not_found`, or `host_not_public` where one of its addresses is not: one private address
    ///   among public ones is no accident.
    func check(_ name: String) async throws(ExchangeFailure) {
        guard let lookUp = self.reach.lookUp else { return }
        let now = self.now()
        if let until = self.publicUntil.withLock({ $0[name] }), now < until { return }
        let addresses = await lookUp(name)
        guard !addresses.isEmpty else { throw .hostNotFound }
        guard addresses.allSatisfy(\.isPublic) else { throw .hostNotPublic }
        self.publicUntil.withLock { kept in
            if kept.count >= Self.hostsMax { kept = [:] }
            kept[name] = now + Self.keptSeconds
        }
    }
}
