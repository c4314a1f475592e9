//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Who has signed in at a provider, as it says.
public struct ExternalPerson: Hashable, Sendable {
    public let issuer: String
    /// Unique at the issuer and never given to somebody else (OpenID Connect Core 1.0, section 2).
    public let subject: String
    /// An address that the provider says is verified; `nil` where it says nothing, or not that.
    public let verifiedEmail: String?
    /// Whether the provider has named an address, verified or not.
    public let hasEmail: Bool
}
