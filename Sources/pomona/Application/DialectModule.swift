//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import DialectKit
import Gateway
import Redaction

/// What the composition root knows of a dialect: how to make it, and what a demo merchant's account in it looks like.
///
/// A further dialect is one more value here.
struct DialectModule: Sendable {
    /// Also the name of its demo merchant.
    let name: String
    let make: @Sendable (Gateway) -> any Dialect
    let demo: DemoAccount

    /// A demo merchant's account.
    struct DemoAccount: Sendable {
        let displayName: String
        /// What the wire calls the account.
        let merchantCode: String
        /// Which of the merchant's keys its signatures name.
        let keyVersion: String
        /// ISO 3166-1 alpha-2.
        let countryCode: String
        /// ISO 4217.
        let currency: String
        /// What may be read, and what is sealed.
        let draft: @Sendable (DemoKeys) -> (settings: [String: String], secrets: [String: Redacted<String>])
    }

    static let all: [DialectModule] = [.alphaPay]
}

/// The keys of a demo account: the merchant's, of which the gateway holds the public half, and the gateway's own.
struct DemoKeys: Sendable {
    let merchantPrivateKeyPEM: Redacted<String>
    let merchantPublicKeyPEM: String
    let gatewayPrivateKeyPEM: Redacted<String>
    let gatewayPublicKeyPEM: String
}

extension DialectModule {
    static let alphaPay = DialectModule(
        name: "alphapay", make: { AlphaPay(gateway: $0) },
        demo: DemoAccount(
            displayName: "Pomona Sandbox Shop", merchantCode: "POMONA", keyVersion: "1", countryCode: "CA",
            currency: "CAD",
            draft: { keys in
                AlphaPay.accountDraft(
                    merchantPublicKeyPEM: keys.merchantPublicKeyPEM, gatewayPrivateKeyPEM: keys.gatewayPrivateKeyPEM,
                    gatewayPublicKeyPEM: keys.gatewayPublicKeyPEM, allowsInsecureNotify: true)
            }))
}
