//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Redaction

/// An account's settings and secrets, read and found to be allowed.
struct MPGSAccount: Sendable {
    let address: UpstreamAddress
    let version: Int
    let merchantID: String
    let credentials: MPGSCredentials
    let tls: UpstreamTLS
    let features: MPGSFeatures
    let acceptor: CardAcceptor
    /// Where the gateway reports what becomes of a payment; `nil` where it is not asked to.
    let notificationURL: String?

    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        self.address = try UpstreamHosts(sandbox: nil, live: nil).address(of: account)
        let version = account.settings[Setting.version] ?? Self.latestVersion
        guard Self.versionRule(version) == nil, let number = Int(version) else {
            throw .settingNotAllowed(Setting.version, must: Self.versionText)
        }
        self.version = number
        self.merchantID = try account.setting(Setting.merchantID)
        guard Self.merchantIDRule(self.merchantID) == nil else {
            throw .settingNotAllowed(Setting.merchantID, must: Self.merchantIDText)
        }
        self.features = try MPGSFeatures(account)
        self.acceptor = account.acceptor
        self.notificationURL = account.settings[Setting.notificationURL]
        guard self.notificationURL.flatMap(Self.notificationURLRule) == nil else {
            throw .settingNotAllowed(Setting.notificationURL, must: Self.notificationURLText)
        }
        try Self.checkMode(account.mode, address, self.merchantID)
        let identity = try Self.identity(account)
        self.tls = try Self.tls(account, identity)
        self.credentials = try MPGSCredentials(
            account, self.merchantID, version: self.version, hasCertificate: identity != nil)
    }

    // MARK: - Sandbox and live

    /// Keeps test payments from real money and real payments from test merchants. The vendor has one host for both and
    /// distinguishes them by the merchant's id alone: test merchants have ids that begin with TEST.
    private static func checkMode(
        _ mode: Mode, _ address: UpstreamAddress, _ merchantID: String
    ) throws(ConnectorError) {
        switch mode {
        case .sandbox:
            guard address.isLoopback || merchantID.hasPrefix("TEST") else {
                throw .settingNotAllowed(
                    Setting.merchantID, must: "that of a test merchant, which begins with TEST, in a sandbox account")
            }
        case .live:
            guard !merchantID.uppercased().hasPrefix("TEST") else {
                throw .settingNotAllowed(
                    Setting.merchantID, must: "that of a merchant who is paid: TEST merchants move no money")
            }
        }
    }

    // MARK: - TLS

    private typealias Identity = (certificatePEM: Redacted<String>, privateKeyPEM: Redacted<String>)

    private static func identity(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> Identity? {
        guard account.secrets[Secret.clientCertificate] != nil || account.secrets[Secret.clientKey] != nil else {
            return nil
        }
        return (try account.secret(Secret.clientCertificate), try account.secret(Secret.clientKey))
    }

    private static func tls(
        _ account: OpenedAcquirerAccount, _ identity: Identity?
    ) throws(ConnectorError) -> UpstreamTLS {
        do throws(UpstreamTLS.Problem) {
            return try UpstreamTLS(trustRootPEM: account.settings[Setting.trustRoot], identity: identity)
        } catch {
            switch error {
            case .trustRoot: throw .settingNotAllowed(Setting.trustRoot, must: "certificates as PEM")
            case .clientCertificate:
                throw .settingNotAllowed(Secret.clientCertificate, must: "a certificate as PEM")
            case .clientKey: throw .settingNotAllowed(Secret.clientKey, must: "a private key as PEM")
            }
        }
    }
}
