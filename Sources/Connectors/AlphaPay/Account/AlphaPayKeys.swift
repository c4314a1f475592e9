//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments
import Redaction
import Synchronization
import Time

/// The keys that requests are signed with: two, so that one can follow the other.
final class AlphaPayKeys: Sendable {
    struct Entry: Sendable {
        /// The name of the secret.
        let name: String
        /// Speaks with that key.
        let client: AlphaPayClient
    }

    let entries: [Entry]
    /// Which was taken last: the other one is not tried at every call.
    private let latest = Mutex(0)

    init(
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
        self.entries = entries
    }

    /// All, the one that was taken last before the others.
    var inOrder: [(index: Int, entry: Entry)] {
        let first = self.latest.withLock { $0 }
        let indices = [first] + self.entries.indices.filter { $0 != first }
        return indices.map { ($0, self.entries[$0]) }
    }

    func noteTaken(_ index: Int) { self.latest.withLock { $0 = index } }
}
