//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction

/// The portal's key, and perhaps the one that follows it or was before it.
///
/// PAYONE knows one key of a portal at a time: when it is changed in the PAYONE Merchant Interface, the old one is refused
/// from then on. So both are tried, and the change can be made on either side first.
typealias PortalKeys = RotatingCredentials<PAYONEClient>

extension PortalKeys {
    convenience init(
        _ account: OpenedAcquirerAccount, mid: String, aid: String, portalID: String, mode: String
    ) throws(ConnectorError) {
        typealias Setting = PAYONEAccount.Setting
        typealias Secret = PAYONEAccount.Secret
        guard
            let digest = account.settings[Setting.keyDigest].map(PAYONEClient.KeyDigest.init(rawValue:)) ?? .sha384
        else { throw .settingNotAllowed(Setting.keyDigest, must: "md5 or sha384") }
        let entry = { (name: String, key: Redacted<String>) in
            var credentials = PAYONEClient.Credentials(mid: mid, aid: aid, portalID: portalID, key: key)
            credentials.digest = digest
            credentials.mode = mode
            return Entry(name: name, client: PAYONEClient(credentials))
        }
        let first = entry(Secret.key, try account.secret(Secret.key))
        let second = account.secrets[Secret.secondKey].map { entry(Secret.secondKey, $0) }
        self.init([first] + [second].compactMap { $0 })
    }

    /// A TransactionStatus, read with the key that proves it; `nil` where none does.
    func read(_ notification: ClientNotification) -> Notice? {
        // Both are compared always, so that the time does not show which one it was.
        let notices = self.entries.map { $0.client.read(notification) }
        return notices.first { $0.isGenuine == true }
    }
}
