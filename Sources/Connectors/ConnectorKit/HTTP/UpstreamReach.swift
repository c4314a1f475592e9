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
/// connected to, and no request is written to a connection whose other end is not public, whatever a second look at the name
/// server has found (DNS rebinding); such a look may have a connection opened, whose end the check's words show. A host that is written as an address, or as this machine, was meant so by whoever may.
public struct UpstreamReach: Sendable {
    /// All addresses of a name; none where there are none.
    public typealias LookUp = @Sendable (_ host: String) async -> [IPAddress]

    let lookUp: LookUp?

    /// To whatever addresses the operating system finds.
    public static let anywhere = UpstreamReach(lookUp: nil)

    /// To none of this machine and of its own network.
    public static func publicInternet(_ lookUp: @escaping LookUp) -> UpstreamReach { UpstreamReach(lookUp: lookUp) }
}

/// Looks names up, once before the first call and then once a minute beside the calls: connections are kept open, too, and a name
/// server that is silent must keep no payment waiting. Each request is held against its connection's other end all the same.
final class ReachCheck: Sendable {
    private static let keptSeconds = Duration.seconds(60)
    /// More are forgotten, and looked up again.
    private static let hostsMax = 1000

    private enum Standing {
        case unknown
        /// Public at the last look, which is to be repeated or not.
        case known(isDue: Bool)
    }

    private let reach: UpstreamReach
    /// Names whose addresses are given.
    private let given: Set<String>
    private let now: @Sendable () -> ContinuousClock.Instant
    /// When a public name is to be looked up again.
    private let dueTimes = Mutex<[String: ContinuousClock.Instant]>([:])

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

    /// - Returns: the second and later looks at the name, where one has begun; it need not be waited for.
    /// - Throws: ``ExchangeFailure`` `host_not_found`, or `host_not_public` where one of its addresses is not: one private address
    ///   among public ones is no accident.
    @discardableResult
    func check(_ name: String) async throws(ExchangeFailure) -> Task<Void, Never>? {
        guard let lookUp = self.reach.lookUp else { return nil }
        switch self.standing(of: name) {
        case .known(isDue: false): return nil
        case .known(isDue: true):
            return Task {
                let addresses = await lookUp(name)
                // That nothing is found says nothing of where the open connections lead.
                guard !addresses.allSatisfy(\.isPublic) else { return }
                _ = self.dueTimes.withLock { $0.removeValue(forKey: name) }
            }
        case .unknown:
            let addresses = await lookUp(name)
            guard !addresses.isEmpty else { throw .hostNotFound }
            guard addresses.allSatisfy(\.isPublic) else { throw .hostNotPublic }
            self.dueTimes.withLock { times in
                if times.count >= Self.hostsMax { times = [:] }
                times[name] = self.now() + Self.keptSeconds
            }
            return nil
        }
    }

    /// A name that is due is so for one call.
    private func standing(of name: String) -> Standing {
        let now = self.now()
        return self.dueTimes.withLock { times in
            guard let due = times[name] else { return .unknown }
            guard due <= now else { return .known(isDue: false) }
            times[name] = now + Self.keptSeconds
            return .known(isDue: true)
        }
    }
}
