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
        displayName: "Pomona Sandbox Shop", key: "POMONA", countryCode: "CA", currency: "CAD",
        makeCredentials: { _ in
            // Two keys of 2048 bits: the second is made while the first is.
            async let second = _RSA.Signing.PrivateKey(keySize: .bits2048)
            let merchant = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let gateway = try await second
            return DemoCredentials(
                values: [.init(name: "merchantCode", value: "POMONA"), .init(name: "keyVersion", value: "1")],
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
                gatewayPublicKeyPEM: credentials.file("gatewayPublicKey"), allowsInsecureNotify: true)
        })

    static let commWeb = DemoAccount(
        displayName: "Pomona Sandbox Shop", key: "POMONA", countryCode: "AU", currency: "USD",
        makeCredentials: { tools in
            let identity = try tools.makeClientIdentity("POMONA")
            return DemoCredentials(
                values: [
                    .init(name: "merchantId", value: "POMONA"), .init(name: "password", value: tools.makePassword()),
                    .init(name: "notificationSecret", value: tools.makePassword()),
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
        displayName: "Pomona Sandbox Shop", key: "3000003", countryCode: "DE", currency: "EUR",
        makeCredentials: { tools in
            DemoCredentials(values: [
                .init(name: "mid", value: "10001"), .init(name: "aid", value: "20002"),
                .init(name: "portalid", value: "3000003"), .init(name: "key", value: tools.makePassword()),
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
        displayName: "Pomona Sandbox Shop", key: "POMONA", countryCode: "US", currency: "USD",
        makeCredentials: { tools in
            DemoCredentials(values: [
                .init(name: "storeId", value: "POMONA"), .init(name: "apikey", value: tools.makePassword()),
            ])
        },
        draft: { credentials, settings in
            Radial.accountDraft(
                apiKey: Redacted(credentials.value("apikey")), webhookURL: settings.notifyURL, allowsDecryption: true)
        })

    static let tapPay = DemoAccount(
        displayName: "Pomona Sandbox Shop", key: "12345", countryCode: "TW", currency: "TWD",
        makeCredentials: { tools in
            DemoCredentials(values: [
                .init(name: "appId", value: "12345"), .init(name: "appKey", value: "app_" + tools.makePassword()),
                .init(name: "partnerKey", value: "partner_" + tools.makePassword()),
                .init(name: "merchantId", value: "GlobalTesting_CTBC"),
            ])
        },
        draft: { credentials, _ in
            let draft = DemoAccount.tapPayDraft(credentials)
            return (draft.settings, draft.secrets)
        },
        aliases: { DemoAccount.tapPayDraft($0).aliases })

    private static func tapPayDraft(_ credentials: DemoCredentials) -> AccountDraft {
        TapPay.accountDraft(
            appID: 12345, appKey: Redacted(credentials.value("appKey")),
            partnerKey: Redacted(credentials.value("partnerKey")), merchantIDs: [credentials.value("merchantId")],
            // No app name: the page's SDK sends its host for one, which may be any.
            isDeferredPaymentActivated: true, allowsInsecureNotify: true)
    }
}
