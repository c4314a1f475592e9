//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction
import Time

/// The keys that requests are signed with: two, so that one can follow the other.
typealias AlphaPayKeys = RotatingCredentials<AlphaPayClient>

extension AlphaPayKeys {
    convenience init(
        _ account: OpenedAcquirerAccount, clock: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) throws(ConnectorError) {
        typealias Setting = AlphaPayAccount.Setting
        typealias Secret = AlphaPayAccount.Secret
        let code = try account.setting(Setting.merchantCode)
        let gatewayKey = try account.setting(Setting.gatewayPublicKey)
        let version = account.settings[Setting.keyVersion] ?? "1"
        let secrets = [
            (Secret.privateKey, version, Optional(try account.secret(Secret.privateKey))),
            (
                Secret.secondPrivateKey, account.settings[Setting.secondKeyVersion] ?? version,
                account.secrets[Secret.secondPrivateKey]
            ),
        ]
        var entries: [Entry] = []
        for case (let name, let version, let key?) in secrets {
            do throws(ClientError) {
                let client = try AlphaPayClient(
                    AlphaPayClient.Credentials(
                        merchantCode: code, keyVersion: version, privateKeyPEM: key, gatewayPublicKeyPEM: gatewayKey,
                        secondGatewayPublicKeyPEM: account.settings[Setting.secondGatewayPublicKey]),
                    clock: clock, random: random)
                entries.append(Entry(name: name, client: client))
            } catch {
                // The public keys have been looked at before.
                throw .settingNotAllowed(name, must: "an RSA private key of at least 2048 bits as PEM")
            }
        }
        self.init(entries)
    }
}
