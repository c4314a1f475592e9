//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Hosts
public import Settings

/// What values of settings may be that several connectors have.
public enum ConnectorRules {
    public static let address: SettingDescription.Rule = { value in
        UpstreamAddress(value) != nil
            ? nil : "must be a host name, https://HOST[:PORT], or http://127.0.0.1:PORT for a sandbox on this machine"
    }

    /// The same, of the public internet as it is written. Where a name leads, ``UpstreamReach`` looks at each connection.
    public static let publicAddress: SettingDescription.Rule = { value in
        UpstreamAddress(value)?.isPublic == true
            ? nil
            : "must be a host of the public internet: one on this machine or in its network is set by those who see all merchants"
    }

    /// This gateway's address for an account's notices, where requests carry it.
    public static let noticesURL: SettingDescription.Rule = { value in
        let isReachable = Self.place(of: value, after: "https://") != nil
        let isLocal = Self.place(of: value, after: "http://").map { LoopbackHost.isHost($0.host) && $0.port != nil }
        return (isReachable || isLocal == true) && value.utf8.count <= 255 && value.utf8.allSatisfy(ASCII.isVisible)
            ? nil
            : "must be an https URL of at most 255 characters, or http://127.0.0.1:PORT/… for a sandbox on this machine"
    }

    /// The host and port of a URL of a scheme; `nil` for other URLs.
    public static func place(of url: String, after scheme: String) -> HostAndPort? {
        guard url.hasPrefix(scheme) else { return nil }
        return HostAndPort(url.dropFirst(scheme.count).prefix { !"/?#".contains($0) })
    }

    public static let certificates: SettingDescription.Rule = { value in
        value.utf8.count <= 65_536 && value.contains("-----BEGIN CERTIFICATE-----")
            && value.contains("-----END CERTIFICATE-----")
            ? nil : "must be certificates as PEM; read them from a file with NAME=@FILE"
    }

    public static let privateKey: SettingDescription.Rule = { value in
        value.utf8.count <= 65_536 && value.contains("-----BEGIN ") && value.contains("PRIVATE KEY-----")
            ? nil : "must be a private key as PEM; read it from a file with NAME=@FILE"
    }
}
