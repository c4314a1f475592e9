//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
import Redaction
import Synchronization

/// How the gateway knows the merchant: by one of two passwords, so that one can follow the other, or by a client
/// certificate alone.
final class MPGSCredentials: Sendable {
    /// One of them. A client certificate needs no header field.
    struct Entry: Sendable {
        /// The name of the secret.
        let name: String
        let authorization: Redacted<String>?
    }

    let entries: [Entry]
    /// The passwords, as they are and as they are sent.
    let secrets: [Redacted<String>]
    /// Which was taken last: the other one is not tried at every call.
    private let latest = Mutex(0)

    init(
        _ account: OpenedAcquirerAccount, _ merchantID: String, hasCertificate: Bool
    ) throws(ConnectorError) {
        guard !hasCertificate else {
            self.entries = [Entry(name: MPGSAccount.Secret.clientCertificate, authorization: nil)]
            self.secrets = []
            return
        }
        // RFC 7617, with "merchant." before the id (API reference, "Authentication").
        let basic = { (password: Redacted<String>) in
            password.map { "Basic " + Base64.encode(Array("merchant.\(merchantID):\($0)".utf8)) }
        }
        var entries = [
            Entry(
                name: MPGSAccount.Secret.password,
                authorization: basic(try account.secret(MPGSAccount.Secret.password)))
        ]
        if let second = account.secrets[MPGSAccount.Secret.secondPassword] {
            entries.append(Entry(name: MPGSAccount.Secret.secondPassword, authorization: basic(second)))
        }
        self.entries = entries
        let passwords = [MPGSAccount.Secret.password, MPGSAccount.Secret.secondPassword]
            .compactMap { account.secrets[$0] }
        self.secrets =
            passwords + entries.compactMap { $0.authorization?.map { String($0.dropFirst("Basic ".count)) } }
    }

    /// All, the one that was taken last before the others.
    var inOrder: [(index: Int, entry: Entry)] {
        let first = self.latest.withLock { $0 }
        let indices = [first] + self.entries.indices.filter { $0 != first }
        return indices.map { ($0, self.entries[$0]) }
    }

    func noteTaken(_ index: Int) { self.latest.withLock { $0 = index } }
}
