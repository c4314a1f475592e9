//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the merchant's payment request said, to be compared with what the device signed.
public struct TokenExpectations: Hashable, Sendable {
    /// The bytes of the request's applicationData. Their SHA-256 must be the token's; a token without any is then
    /// refused.
    ///
    /// Nil means that the caller does not know or care, and a hash in the token is not compared (it is covered by the
    /// signature all the same, and ``TokenHeader/applicationDataHash`` has it). On the web the property itself is
    /// base64 text, and Apple does not say whether the hash is over the text or over the bytes that it stands for; a
    /// caller who is in doubt compares the hash with both.
    public var applicationData: [UInt8]?

    public init(applicationData: [UInt8]? = nil) {
        self.applicationData = applicationData
    }

    /// Nothing is expected.
    public static let none = TokenExpectations()
}
