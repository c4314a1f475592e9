//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction

/// How the gateway knows the merchant: by one of two passwords, so that one can follow the other, or by a client
/// certificate alone.
typealias MPGSCredentials = RotatingCredentials<CommWebClient>

extension MPGSCredentials {
    convenience init(
        _ account: OpenedAcquirerAccount, _ merchantID: String, version: Int, hasCertificate: Bool
    ) throws(ConnectorError) {
        typealias Secret = MPGSAccount.Secret
        let entry = { (name: String, password: Redacted<String>?) in
            Entry(
                name: name,
                client: CommWebClient(
                    CommWebClient.Credentials(merchantID: merchantID, password: password, version: version)))
        }
        var entries = [
            hasCertificate
                ? entry(Secret.clientCertificate, nil) : entry(Secret.password, try account.secret(Secret.password))
        ]
        if !hasCertificate, let second = account.secrets[Secret.secondPassword] {
            entries.append(entry(Secret.secondPassword, second))
        }
        self.init(entries)
    }
}
