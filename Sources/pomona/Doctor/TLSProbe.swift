//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOSSL
import Synchronization
import Time

/// What a TLS handshake has shown of the other side.
final class TLSProbe: Sendable {
    /// When the certificate that the other side showed began and ends.
    struct Validity: Hashable, Sendable {
        let notBefore: Timestamp
        let notAfter: Timestamp
    }

    private let seen = Mutex<Validity?>(nil)

    /// Of the last handshake; `nil` where there was none.
    var validity: Validity? { self.seen.withLock { $0 } }

    func forget() {
        self.seen.withLock { $0 = nil }
    }

    /// Looks at each connection that a client makes, once its handshake is over.
    func look(at configuration: inout HTTPClient.Configuration) {
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.nioSSL_peerCertificate().map { certificate in
                guard let certificate else { return }
                self.seen.withLock {
                    $0 = Validity(
                        notBefore: Timestamp(seconds: Int64(certificate.notValidBefore)),
                        notAfter: Timestamp(seconds: Int64(certificate.notValidAfter)))
                }
            }
        }
    }
}
