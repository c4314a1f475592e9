//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One of the ways in which an account can prove whose it is. An account needs all secrets of one of them.
public struct SecretAlternative: Hashable, Sendable {
    /// "certificate".
    public let name: String
    /// The names of its secrets, in the order of their descriptions: ["clientCertificate", "clientKey"].
    public let secrets: [String]
}

extension Collection<SecretDescription> {
    /// The ways of which an account needs one, in the order of their first secrets; none where every account has the same
    /// secrets.
    public var alternatives: [SecretAlternative] {
        var names: [String] = []
        for case let name? in self.map(\.alternative) where !names.contains(name) { names.append(name) }
        return names.map { name in
            SecretAlternative(name: name, secrets: self.filter { $0.alternative == name }.map(\.name))
        }
    }

    /// What an account with these secrets lacks of the ways of which it needs one: "password, or clientCertificate and
    /// clientKey"; `nil` where one is complete.
    ///
    /// - Parameter names: of the secrets that the account has.
    public func lackingAlternatives(among names: Set<String>) -> String? {
        let ways = self.alternatives
        guard !ways.isEmpty, !ways.contains(where: { names.isSuperset(of: $0.secrets) }) else { return nil }
        // Who has begun one of them means that one.
        let begun = ways.filter { !names.isDisjoint(with: $0.secrets) }
        return (begun.isEmpty ? ways : begun).map { $0.secrets.joined(separator: " and ") }.joined(separator: ", or ")
    }
}
