//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Hosts
import NIOCore

/// Why a listener cannot be opened.
public struct ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { self.rawValue }

        public static let addressInUse = Code("address_in_use")
        public static let addressNotAvailable = Code("address_not_available")
        public static let notPermitted = Code("address_not_permitted")
        public static let tlsUnusable = Code("tls_unusable")
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { self.message }

    /// What a failed bind means.
    init(_ error: any Error, host: String, port: Int) {
        let address = "\(HostAndPort.urlHost(host)):\(port)"
        switch (error as? IOError)?.errnoCode {
        case .some(EADDRINUSE):
            self.init(
                .addressInUse,
                "Another program listens on \(address). Stop it, or choose another port (0 takes a free one).")
        case .some(EACCES), .some(EPERM):
            self.init(
                .notPermitted, "This user may not listen on \(address). Choose a port of 1024 or above.")
        default:
            self.init(
                .addressNotAvailable, "The address \(address) cannot be listened on. Name an address of this machine.")
        }
    }
}
