//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction

/// Makes and checks verifiers of passwords, a few at a time.
final class Passwords: Sendable {
    private let cost: ScryptCost
    let gate: DerivationGate
    /// Stands for the password of whoever has none, or does not exist: no password matches it, and to find that out takes
    /// as long as for anybody else.
    private let decoy: PasswordVerifier

    /// - Parameter salt: of the decoy; random.
    init(cost: ScryptCost, gate: DerivationGate, salt: [UInt8]) {
        self.cost = cost
        self.gate = gate
        self.decoy = PasswordVerifier(
            cost: cost, salt: salt, hash: Array(repeating: 0, count: PasswordVerifier.hashBytesCount))
    }

    /// - Parameter salt: random.
    /// - Throws: `DerivationGate.Busy`.
    func verifier(of password: Redacted<[UInt8]>, salt: [UInt8]) async throws -> Redacted<String> {
        let cost = self.cost
        return try await self.gate.run {
            let hash = try PasswordVerifier.derive(password, salt: salt, cost)
            return PasswordVerifier(cost: cost, salt: salt, hash: hash).text
        }
    }

    /// Whether a password is the one of a verifier. One derivation, whatever the verifier.
    ///
    /// - Parameter password: `nil` for one that nobody can have.
    /// - Throws: `DerivationGate.Busy`.
    func matches(_ password: Redacted<[UInt8]>?, _ verifier: Redacted<String>?) async throws -> Bool {
        let known = verifier.flatMap(PasswordVerifier.init)
        let asked = known ?? self.decoy
        let isRight = try await self.gate.run { try asked.matches(password ?? Redacted([0])) }
        return isRight && known != nil && password != nil
    }

    /// Whether a verifier takes less work than new ones do, so that it should be replaced when the password is there.
    func isOutdated(_ verifier: Redacted<String>) -> Bool { PasswordVerifier(verifier)?.cost != self.cost }
}
