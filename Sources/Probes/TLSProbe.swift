//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOSSL
import Synchronization
import Time

/// What the last TLS handshake of a client has shown of the other side.
final class TLSProbe: Sendable {
    /// When the certificate that the other side showed began and ends.
    struct Validity: Hashable, Sendable {
        let notBefore: Timestamp
        let notAfter: Timestamp
    }

    struct Seen: Hashable, Sendable {
        var validity: Validity?
        /// Whether no more than TLS 1.1 is spoken.
        var isOldVersion: Bool
    }

    private let found = Mutex<Seen?>(nil)

    /// `nil` where no handshake came to its end.
    var seen: Seen? { self.found.withLock { $0 } }

    /// Looks at each connection that a client makes, once its handshake is over.
    func look(at configuration: inout HTTPClient.Configuration) {
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.nioSSL_tlsVersion().and(channel.nioSSL_peerCertificate()).map { version, certificate in
                let validity = certificate.map {
                    Validity(
                        notBefore: Timestamp(seconds: Int64($0.notValidBefore)),
                        notAfter: Timestamp(seconds: Int64($0.notValidAfter)))
                }
                let isOldVersion = version == .tlsv1 || version == .tlsv11
                self.found.withLock { $0 = Seen(validity: validity, isOldVersion: isOldVersion) }
            }
        }
    }
}
