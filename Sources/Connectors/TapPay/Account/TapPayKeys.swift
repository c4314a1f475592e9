//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction

/// A key and the one that follows it or went before it.
typealias TapPayKeys = RotatingCredentials<TapPayClient>

extension TapPayKeys {
    /// - Throws: ``ConnectorError`` where the first is not there.
    convenience init(
        _ names: [String], of account: OpenedAcquirerAccount,
        _ client: (Redacted<String>) -> TapPayClient
    ) throws(ConnectorError) {
        var entries: [Entry] = []
        for name in names {
            guard let key = account.secrets[name] else {
                guard entries.isEmpty else { continue }
                throw .secretMissing(name)
            }
            entries.append(Entry(name: name, client: client(key)))
        }
        self.init(entries)
    }
}
