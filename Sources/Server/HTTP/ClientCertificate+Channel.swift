//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import DialectKit
import Foundation
import NIOCore
import NIOSSL

extension ClientCertificate {
    /// The certificate that the other side of a TLS connection has shown; `nil` if it has shown none.
    init?(of channel: any Channel) async {
        guard let certificate = try? await channel.nioSSL_peerCertificate().get(),
            let bytes = try? certificate.toDERBytes()
        else { return nil }
        self.init(sha256: Hex.encode(SHA256.hash(data: Data(bytes))), der: bytes)
    }
}
