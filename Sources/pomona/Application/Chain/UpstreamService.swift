//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import AlphaPayUpstream
import CommWeb
import DialectKit
import Gateway
import MPGS
import PAYONE
import PAYONEUpstream
import Payments
import Radial
import RadialUpstream
import Redaction
import Settings
import TapPay
import TapPayUpstream

/// A payment service that a sandbox's merchants can be paid through: one that another sandbox speaks.
enum UpstreamService: String, CaseIterable, Sendable {
    case mpgs
    case payone
    case radial
    case tappay
    case alphapay

    /// As its vendor writes it.
    var title: String {
        switch self {
        case .mpgs: "MPGS"
        case .payone: "PAYONE"
        case .radial: "Radial"
        case .tappay: "TapPay"
        case .alphapay: "AlphaPay"
        }
    }

    var connector: AcquirerName {
        switch self {
        case .mpgs: MPGSConnector.connectorName
        case .payone: PAYONEConnector.connectorName
        case .radial: RadialConnector.connectorName
        case .tappay: TapPayConnector.connectorName
        case .alphapay: AlphaPayConnector.connectorName
        }
    }

    /// The dialect that the other sandbox speaks to the connector. CommWeb is one of the names of MPGS.
    var dialect: DialectName {
        switch self {
        case .mpgs: CommWeb.accounts.dialect
        case .payone: PAYONE.accounts.dialect
        case .radial: Radial.accounts.dialect
        case .tappay: TapPay.accounts.dialect
        case .alphapay: AlphaPay.accounts.dialect
        }
    }

    /// Whether the service opens the tokens, because it takes no opened ones.
    var opensTokens: Bool { self != .mpgs }

    /// Why no RSA_v1 token can be sent to it; `nil` where one can.
    var obstacleToRSATokens: String? {
        switch self {
        case .payone, .radial: "\(self.title)'s API has no field for the wrapped key of an RSA_v1 token"
        case .mpgs, .tappay, .alphapay: nil
        }
    }

    /// What an acquirer account says beside its credentials.
    ///
    /// Shops that speak another API say less about who pays than some services demand.
    func settings(_ identifier: String) -> [String: String] {
        switch self {
        case .mpgs: ["version": "71"]
        case .payone:
            [
                "defaultLastName": "Customer", "defaultCountry": "DE", "currencies": "EUR,USD,CAD,TWD", "voids": "true",
                "networks": Self.networks,
            ]
        case .radial:
            [
                "defaultFirstName": "Pomona", "defaultLastName": "Customer", "defaultPhone": "6105551234",
                "defaultEmail": "customer@example.com", "defaultIPAddress": "192.0.2.1",
                "defaultLine1": "1 Main Street",
                "defaultCity": "Philadelphia", "defaultMainDivision": "PA", "defaultPostalCode": "19103",
                "defaultCountry": "US", "webhookUser": Self.webhookUser, "networks": Self.networks,
            ]
        case .tappay:
            [
                "appleMerchantId": identifier, "currencies": "TWD,USD,HKD,MYR", "networks": Self.networks,
                "quietSeconds": "120",
            ]
        case .alphapay: ["merchantIdentifier": identifier, "networks": Self.networks]
        }
    }

    /// What the account in the other sandbox's dialect says beside its credentials.
    var accountSettings: [String: String] { self == .radial ? ["webhookUser": Self.webhookUser] : [:] }

    /// Credentials that an account need not have, and that this one is to have.
    var optionalCredentials: [String] { self == .radial ? ["webhookPassword"] : [] }

    /// The setting of an acquirer account that names this gateway's address for notices, where requests carry it.
    var noticesSetting: String? {
        switch self {
        case .tappay: "notificationUrl"
        case .alphapay: "notifyUrl"
        // They notify an address of the account's.
        case .mpgs, .payone, .radial: nil
        }
    }

    /// Whether it can prove its notices to this gateway: MPGS's secret goes over https alone, and so it is asked instead.
    var provesNotices: Bool { self != .mpgs }

    private static let webhookUser = "pomona"

    /// Tokens of some dialects come without the network; these services take them all the same.
    private static let networks = "visa,mastercard,amex,jcb,discover,other"
}

extension UpstreamService {
    /// An acquirer account with the credentials of an account in the service. What both call by one name is one thing.
    func draft(
        _ credentials: AccountCredentials, url: String, identifier: String, connector: any Connector
    ) -> (settings: [String: String], secrets: [String: Redacted<String>]) {
        var held: [String: String] = [:]
        for entry in credentials.values { held[entry.name] = entry.value }
        for file in credentials.files { held[file.name] = file.text }
        var settings = self.settings(identifier)
        settings["host"] = url
        var secrets: [String: Redacted<String>] = [:]
        for setting in connector.settings {
            if let value = held[setting.name], !value.isEmpty { settings[setting.name] = value }
        }
        for secret in connector.secrets {
            if let value = held[secret.name], !value.isEmpty { secrets[secret.name] = Redacted(value) }
        }
        if self.opensTokens { settings[KeyCustody.identifiersName] = identifier }
        return (settings, secrets)
    }
}
