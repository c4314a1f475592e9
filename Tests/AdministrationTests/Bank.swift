//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import Settings

/// A connector that wants a host and a password, and no host of the devil's. The sour ones take Mastercard alone, and
/// sell.
struct Bank: Connector {
    let name = AcquirerName("bank")
    let settings = [
        SettingDescription(
            "host", SettingRules.text(64), "Where it is.", isRequired: true,
            publicRule: { $0.hasSuffix(".internal") ? "must be outside" : nil }),
        SettingDescription("flavor", SettingRules.choice(["sweet", "sour"]), "How it tastes."),
        SettingDescription("member", SettingRules.text(16), "Who we are to it.", isIdentity: true),
    ]
    let secrets = [
        SecretDescription("password", "What lets us in.", isRequired: true),
        SecretDescription("password2", "What follows it."),
    ]

    func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        guard try account.setting("host") != "devil" else {
            throw .settingNotAllowed("host", must: "somebody else's")
        }
        guard account.mode == .sandbox else { throw .sandboxOnly }
        _ = try account.secret("password")
        return account.settings["flavor"] == "sour"
            ? Silence(networks: [.mastercard], authorizes: false) : Silence()
    }

    func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        let isGood = account.secrets["password"]?.reveal() == "open sesame"
        return [ConnectorFinding("credentials", isGood: isGood, isGood ? "taken" : "refused: change the password")]
    }
}

struct Silence: Acquirer {
    let name = AcquirerName("bank")
    let capabilities: AcquirerCapabilities

    init(networks: Set<CardNetwork> = Set(CardNetwork.allCases), authorizes: Bool = true) {
        self.capabilities = AcquirerCapabilities(networks: networks, authorizes: authorizes, recovery: .reversal)
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome { .unclear("silence") }
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("silence")) }
}
