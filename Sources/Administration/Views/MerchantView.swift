//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import StrictJSON

// How records are shown as JSON, in the same words by the commands' --json and by the admin API. No secret is in any.

extension Merchant {
    public var view: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["name"] = .string(self.name)
        object["displayName"] = .string(self.displayName)
        object["mode"] = .string(self.mode.rawValue)
        object["countryCode"] = .string(self.countryCode)
        object["timeZone"] = .string(self.timeZone)
        object["state"] = .string(self.state.rawValue)
        return object
    }
}

extension MissingPart {
    /// A stable name: "route".
    public var name: String {
        switch self {
        case .dialectAccount: "account"
        case .acquirerAccount: "acquirer"
        case .acquirerResumption: "acquirerResumption"
        case .route: "route"
        case .processingKey: "processingKey"
        case .processingCertificate: "processingCertificate"
        case .processingActivation: "processingActivation"
        case .processingExpired: "processingExpired"
        case .resumption: "resumption"
        case .closure: "closure"
        case .identityKey: "identityKey"
        case .identityCertificate: "identityCertificate"
        case .identityActivation: "identityActivation"
        case .identityExpired: "identityExpired"
        case .domain: "domain"
        }
    }

    public var view: JSONObject {
        var object = JSONObject()
        object["part"] = .string(self.name)
        object["text"] = .string(self.text)
        return object
    }
}
