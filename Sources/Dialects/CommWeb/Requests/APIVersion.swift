//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// The interface's version, from the URL.
struct APIVersion: Hashable, Sendable {
    /// Apple Pay tokens are decrypted by the vendor's gateway from version 46 on.
    static let supported = 46...100
    /// Before it, mobile SDKs updated a session without authentication.
    static let firstWithSessionAuthentication = 50
    /// Before it, PAYMENT_OPTIONS_INQUIRY answered `transactionMode`.
    static let firstWithPaymentOperations = 52

    let number: Int

    init(number: Int) {
        self.number = number
    }

    /// - Throws: what exactly is wrong, since a client and its server that use different versions are hard to debug.
    init(text: String) throws(CommWebError) {
        let range = "\(Self.supported.lowerBound) to \(Self.supported.upperBound)"
        guard ASCII.isDigits(text, 1...4),
            !text.hasPrefix("0"), let number = Int(text)
        else {
            throw CommWebError(
                .versionNotSupported,
                "The API version in the URL must be a number; this gateway supports versions \(range).",
                field: "version", .invalid)
        }
        guard Self.supported.contains(number) else {
            throw CommWebError(
                .versionNotSupported,
                "API version \(number) is not supported; this gateway supports versions \(range).", field: "version",
                .unsupported)
        }
        self.number = number
    }

    var text: String { String(self.number) }
}
