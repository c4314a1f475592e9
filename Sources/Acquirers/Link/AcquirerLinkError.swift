//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a link can't be made as it was asked for. Carries no data of the link.
public struct AcquirerLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. More may be added.
    public struct Code: Hashable, Sendable {
        public let text: String

        /// The shared secret is shorter than ``AcquirerLinkSecret/bytesMin``.
        public static let secretTooShort = Code(text: "secret_too_short")
        /// The address can't be listened on.
        public static let cannotListen = Code(text: "cannot_listen")
        /// The certificates or the key for TLS can't be used.
        public static let unusableCertificates = Code(text: "unusable_certificates")
        /// Nobody answers at the address.
        public static let unreachable = Code(text: "unreachable")
        /// Somebody answers, but not as an acquirer that has the same secret and speaks the same version.
        public static let refused = Code(text: "refused")
    }

    public let code: Code
    /// A sentence: what was wrong, and what to do.
    public let reason: String

    public var description: String { "\(self.code.text): \(self.reason)" }
}
