//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Payments
public import Time

/// A use of a credential by which a caller has proved to be the merchant. Nothing of the credential is in it.
public struct CredentialUse: Hashable, Sendable {
    static let fromMax = 64
    static let clientMax = 200

    public let at: Timestamp
    /// The caller's address: "192.0.2.7"; `nil` where it is not known, or is a customer's.
    public let from: String?
    /// What the caller says that it is: "curl/8.5.0".
    public let client: String?

    /// - Parameters:
    ///   - from: cut where it is too long, as is `client`; neither has anything in it that a terminal or a page obeys.
    public init(at: Timestamp, from: String? = nil, client: String? = nil) {
        self.at = at
        self.from = Self.line(from, Self.fromMax)
        self.client = Self.line(client, Self.clientMax)
    }

    private static func line(_ text: String?, _ max: Int) -> String? {
        text.map { ForeignText.line($0, scalarsMax: max) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// How uses of credentials are kept: one observation for each place in which a credential stands, the last use there.
/// When the place is given another credential, what was seen moves with the old one.
extension CredentialUse {
    private static let fromName = "from"
    private static let clientName = "client"
    private static let unusedName = "unused"

    /// - Parameter place: the name of the account's secret, or of its setting, that holds the credential.
    @_spi(Administration)
    public static func subject(_ dialect: DialectName, _ place: String) -> String { "\(dialect)/\(place)" }

    /// - Returns: `nil` for an observation that says that what stands in its place has not been seen in use.
    @_spi(Administration)
    public init?(_ observation: Observation) {
        guard observation.kind == .credentialUse, observation.facts[Self.unusedName] == nil else { return nil }
        self.init(
            at: observation.at, from: observation.facts[Self.fromName], client: observation.facts[Self.clientName])
    }

    @_spi(Administration)
    public func observation(of merchant: MerchantID, _ subject: String) -> Observation {
        var facts: [String: String] = [:]
        facts[Self.fromName] = self.from
        facts[Self.clientName] = self.client
        return Observation(
            kind: .credentialUse, merchantID: merchant, subject: subject, number: 0, at: self.at, facts: facts)
    }

    /// That another credential stands there since then, which has not been seen in use.
    @_spi(Administration)
    public static func none(of merchant: MerchantID, _ subject: String, since: Timestamp) -> Observation {
        Observation(
            kind: .credentialUse, merchantID: merchant, subject: subject, number: 0, at: since,
            facts: [Self.unusedName: "yes"])
    }
}
