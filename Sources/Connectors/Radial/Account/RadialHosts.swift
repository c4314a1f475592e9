//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments

/// Where the service is. Production is one host, and was others; for tests there are several, by region
/// (`{developer|api|beta}-{na|eu|ap}.gsipartners.com`, the vendor's developer portal).
enum RadialHosts {
    static let hosts = UpstreamHosts(sandbox: "developer-na.gsipartners.com", live: "apg.radial.com")

    /// - Throws: ``ConnectorError`` for a host that the account's mode must not reach.
    static func address(of account: OpenedAcquirerAccount) throws(ConnectorError) -> UpstreamAddress {
        let address = try self.hosts.address(of: account)
        switch (account.mode, self.mode(of: address.host)) {
        case (.sandbox, .live):
            throw .settingNotAllowed(UpstreamHosts.setting, must: "that of the sandbox in a sandbox account")
        case (.live, .sandbox):
            throw .settingNotAllowed(UpstreamHosts.setting, must: "that of the live service in a live account")
        case (.sandbox, _), (.live, _): return address
        }
    }

    /// Whose a host of the vendor's is; `nil` for any other. A dot at the end means the same host (RFC 1034, section 3.1).
    static func mode(of host: String) -> Mode? {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name == self.hosts.live { return .live }
        guard name.hasSuffix(".gsipartners.com") else { return nil }
        return name.hasPrefix("api-") ? .live : .sandbox
    }
}
