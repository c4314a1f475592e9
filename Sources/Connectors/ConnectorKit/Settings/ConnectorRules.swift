//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Settings

/// What values of settings may be that several connectors have.
public enum ConnectorRules {
    public static let address: SettingDescription.Rule = { value in
        UpstreamAddress(value) != nil
            ? nil : "must be a host name, https://HOST[:PORT], or http://127.0.0.1:PORT for a sandbox on this machine"
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
