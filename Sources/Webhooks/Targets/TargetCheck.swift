//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Hosts

/// Decides to which addresses a notification may go.
///
/// A merchant gives the address, so it could be one within the gateway's own network (server-side request forgery). The
/// host is resolved here, every address is checked, and the connection is made to the very addresses that were checked,
/// so that a second look at the name server cannot give others (DNS rebinding).
struct TargetCheck: Sendable {
    /// Which addresses may be asked.
    enum Reach: Hashable, Sendable {
        case publicInternet
        /// This machine.
        case loopback
        case anywhere
    }

    let resolver: Resolver

    /// - Returns: at least one, in the order to try.
    func addresses(of target: NotificationTarget, within reach: Reach) async throws(SendFailure) -> [IPAddress] {
        let addresses: [IPAddress]
        do {
            addresses = try await self.resolver.addresses(of: target.host)
        } catch {
            throw .hostNotFound
        }
        // One private address among public ones is no accident: none is tried.
        switch reach {
        case .publicInternet: guard addresses.allSatisfy(\.isPublic) else { throw .targetNotPublic }
        case .loopback: guard addresses.allSatisfy(\.isLoopback) else { throw .targetNotLoopback }
        case .anywhere: break
        }
        guard !addresses.isEmpty else { throw .hostNotFound }
        return Array(addresses.prefix(Resolver.addressesMax))
    }
}
