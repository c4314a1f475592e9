//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import BaseEncoding
import CommWeb
import Crypto
import CryptoExtras
import Foundation
import PAYONE
import Radial
import Redaction
import SwiftASN1
import TapPay

// The demo merchant of each dialect.

extension DemoAccount {
    static let alphaPay = DemoAccount(
        displayName: "Pomona Sandbox Shop", key: "POMONA", keyName: "merchantCode", countryCode: "CA", currency: "CAD",
        choices: [.identifier("merchantCode", max: 32), .number("keyVersion", digitsMax: 3), .rsaKey("privateKey")],
        makeCredentials: { tools in
            // Two keys of 2048 bits: the second is made while the first is.
            async let second = _RSA.Signing.PrivateKey(keySize: .bits2048)
            let merchant =
                if let pem = tools.chosen["privateKey"] { try _RSA.Signing.PrivateKey(pemRepresentation: pem) } else {
                    try _RSA.Signing.PrivateKey(keySize: .bits2048)
                }
            let gateway = try await second
            return DemoCredentials(
                values: [tools.entry("merchantCode", "POMONA"), tools.entry("keyVersion", "1")],
                files: [
                    .init(
                        name: "privateKey", fileName: "private-key.pem",
                        text: merchant.pkcs8PEMRepresentation + "\n", isPrivate: true),
                    .init(
                        name: "publicKey", fileName: "public-key.pem",
                        text: merchant.publicKey.pemRepresentation + "\n", isPrivate: false),
                    .init(
                        name: "gatewayPublicKey", fileName: "gateway-public-key.pem",
                        text: gateway.publicKey.pemRepresentation + "\n", isPrivate: false),
                ], gatewayKeyPEM: Redacted(gateway.pkcs8PEMRepresentation + "\n"))
        },
        draft: { credentials, _ in
            AlphaPay.accountDraft(
                merchantPublicKeyPEM: credentials.file("publicKey"),
                gatewayPrivateKeyPEM: credentials.gatewayKeyPEM ?? Redacted(""),
                gatewayPublicKeyPEM: credentials.file("gatewayPublicKey"),
                keyVersion: Int(credentials.value("keyVersion")) ?? 1, allowsInsecureNotify: true)
        })

    static let commWeb = DemoAccount(
        displayName: "Pomona Sandbox Shop", key: "POMONA", keyName: "merchantId", countryCode: "AU", currency: "USD",
        choices: [.identifier("merchantId", max: 40), .secret("password"), .secret("notificationSecret")],
        makeCredentials: { tools in
            let identity = try tools.makeClientIdentity("POMONA")
            return DemoCredentials(
                values: [
                    tools.entry("merchantId", "POMONA"), tools.secret("password"), tools.secret("notificationSecret"),
                ],
                files: [
                    .init(
                        name: "clientCertificate", fileName: "client.pem", text: identity.certificatePEM,
                        isPrivate: false),
                    .init(
                        name: "clientKey", fileName: "client-key.pem", text: identity.privateKeyPEM, isPrivate: true),
                ])
        },
        draft: { credentials, settings in
            let certificate = try PEMDocument(pemString: credentials.file("clientCertificate"))
            let fingerprint = Hex.encode(SHA256.hash(data: Data(certificate.derBytes)))
            return CommWeb.accountDraft(
                password: Redacted(credentials.value("password")),
                notificationSecret: Redacted(credentials.value("notificationSecret")), notifyURL: settings.notifyURL,
                clientCertificateSHA256: [fingerprint], allowsInsecureNotify: true)
        })

    static let payone = DemoAccount(
        displayName: "Pomona Sandbox Shop", key: "3000003", keyName: "portalid", countryCode: "DE", currency: "EUR",
        choices: [
            .number("mid", digitsMax: 9), .number("aid", digitsMax: 9), .number("portalid", digitsMax: 9),
            .secret("key"),
        ],
        makeCredentials: { tools in
            DemoCredentials(values: [
                tools.entry("mid", "10001"), tools.entry("aid", "20002"), tools.entry("portalid", "3000003"),
                tools.secret("key"),
            ])
        },
        draft: { credentials, settings in
            PAYONE.accountDraft(
                mid: credentials.value("mid"), aids: [credentials.value("aid")],
                key: Redacted(credentials.value("key")), notificationURL: settings.notifyURL,
                // Shops whose plugin sends no capturemode may capture in parts.
                captureModeDefault: .notcompleted)
        })

    static let radial = DemoAccount(
        displayName: "Pomona Sandbox Shop", key: "POMONA", keyName: "storeId", countryCode: "US", currency: "USD",
        choices: [.identifier("storeId", max: 20), .secret("apikey")],
        makeCredentials: { tools in
            DemoCredentials(values: [tools.entry("storeId", "POMONA"), tools.secret("apikey")])
        },
        draft: { credentials, settings in
            Radial.accountDraft(
                apiKey: Redacted(credentials.value("apikey")), webhookURL: settings.notifyURL, allowsDecryption: true)
        })

    static let tapPay = DemoAccount(
        displayName: "Pomona Sandbox Shop", key: "12345", keyName: "appId", countryCode: "TW", currency: "TWD",
        choices: [
            .number("appId", digitsMax: 9), .secret("appKey"), .secret("partnerKey"),
            .identifier("merchantId", max: 40),
        ],
        makeCredentials: { tools in
            DemoCredentials(values: [
                tools.entry("appId", "12345"), tools.secret("appKey", prefix: "app_"),
                tools.secret("partnerKey", prefix: "partner_"), tools.entry("merchantId", "GlobalTesting_CTBC"),
            ])
        },
        draft: { credentials, _ in
            let draft = DemoAccount.tapPayDraft(credentials)
            return (draft.settings, draft.secrets)
        },
        aliases: { DemoAccount.tapPayDraft($0).aliases })

    private static func tapPayDraft(_ credentials: DemoCredentials) -> AccountDraft {
        TapPay.accountDraft(
            appID: Int(credentials.value("appId")) ?? 12345, appKey: Redacted(credentials.value("appKey")),
            partnerKey: Redacted(credentials.value("partnerKey")), merchantIDs: [credentials.value("merchantId")],
            // No app name: the page's SDK sends its host for one, which may be any.
            isDeferredPaymentActivated: true, allowsInsecureNotify: true)
    }
}
