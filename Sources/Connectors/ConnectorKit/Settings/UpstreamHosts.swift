//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Settings

/// Where a vendor's service is, in each mode. A sandbox account may name a program on this machine instead, and nothing
/// else: test payments never reach the live service, nor real ones the sandbox.
public struct UpstreamHosts: Sendable {
    public static let setting = "host"
    public static let trustRootSetting = "trustRoot"

    /// `nil` where the vendor has none, or names it to its customers alone.
    public let sandbox: String?
    public let live: String?

    public init(sandbox: String?, live: String?) {
        self.sandbox = sandbox
        self.live = live
    }

    /// Of an account with one of these services.
    public var settings: [SettingDescription] {
        let ofItself = [self.live, self.sandbox.map { "\($0) in a sandbox account" }].compactMap { $0 }
        let otherwise = ofItself.isEmpty ? "" : "; \(ofItself.joined(separator: ", ")) if left out"
        return [
            SettingDescription(
                Self.setting, ConnectorRules.address,
                "the service's host, or http://127.0.0.1:PORT in a sandbox account\(otherwise)",
                isRequired: self.live == nil || self.sandbox == nil, isPlace: true,
                publicRule: ConnectorRules.publicAddress),
            SettingDescription(
                Self.trustRootSetting, ConnectorRules.certificates,
                "an authority that is trusted beside the system's, as PEM", isDocument: true),
        ]
    }

    /// - Throws: ``ConnectorError`` for a host that the account's mode must not reach.
    public func address(of account: OpenedAcquirerAccount) throws(ConnectorError) -> UpstreamAddress {
        let text =
            if let ofItself = account.mode == .live ? self.live : self.sandbox {
                account.settings[Self.setting] ?? ofItself
            } else {
                try account.setting(Self.setting)
            }
        guard let address = UpstreamAddress(text) else {
            throw .settingNotAllowed(Self.setting, must: "a host name, or https://HOST[:PORT]")
        }
        // With a dot at its end it is the same host to a resolver (RFC 1034, section 3.1).
        let name = address.host.hasSuffix(".") ? String(address.host.dropLast()) : address.host
        switch account.mode {
        case .sandbox:
            guard address.isLoopback || !address.isPlain else {
                throw .settingNotAllowed(Self.setting, must: "https, unless it is 127.0.0.1 or localhost")
            }
            guard name != self.live || self.live == self.sandbox else {
                throw .settingNotAllowed(Self.setting, must: "that of the sandbox in a sandbox account")
            }
        case .live:
            guard !address.isPlain else { throw .settingNotAllowed(Self.setting, must: "https in a live account") }
            guard address.isPublicName else {
                throw .settingNotAllowed(Self.setting, must: "the name of a public host in a live account")
            }
            guard name != self.sandbox || self.live == self.sandbox else {
                throw .settingNotAllowed(Self.setting, must: "that of the live service in a live account")
            }
        }
        return address
    }
}

extension UpstreamTLS {
    /// As the account's setting has it: the system's authorities, and the account's own.
    ///
    /// - Throws: ``ConnectorError`` for one that is no certificate.
    public init(of account: OpenedAcquirerAccount) throws(ConnectorError) {
        do throws(Problem) {
            try self.init(trustRootPEM: account.settings[UpstreamHosts.trustRootSetting])
        } catch {
            throw .settingNotAllowed(UpstreamHosts.trustRootSetting, must: "certificates as PEM")
        }
    }
}
