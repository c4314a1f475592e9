//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One of the places where an acquirer's process may be found: where it runs, or where its standby waits to take over. A
/// standby takes no connections before it does, so that who answers is the one that is active.
public struct AcquirerLinkEndpoint: Sendable {
    public let host: String
    public let port: Int
    /// What the connection is protected with; `nil` only on a loopback address or inside a tunnel.
    public let tls: AcquirerLinkTLS?

    public init(host: String, port: Int, tls: AcquirerLinkTLS? = nil) {
        self.host = host
        self.port = port
        self.tls = tls
    }

    /// For the log.
    var text: String { "\(self.host):\(self.port)" }
}
