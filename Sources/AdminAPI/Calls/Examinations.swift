//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Time

/// Examinations for which others are asked: acquirers, under a merchant's credentials, Apple, name servers, providers. Whoever
/// may look may have them asked; how often he looks must not be how often they are.
actor Examinations {
    static let secondsBetween: Int64 = 10

    private struct Examination {
        let begunAt: Timestamp
        let findings: Task<[Finding], any Error>
    }

    /// What is looked at, and by whom: findings name what he sees.
    struct Subject: Hashable {
        /// The whole house for `nil`.
        let merchant: MerchantID?
        /// All for `nil`.
        let seen: Set<MerchantID>?
    }

    private var last: [Subject: Examination] = [:]

    /// What was found within the last seconds, or is found now.
    func findings(
        of subject: Subject, at now: Timestamp, _ examine: @escaping @Sendable () async throws -> [Finding]
    ) async throws -> [Finding] {
        self.last = self.last.filter { $1.begunAt <= now && now < $1.begunAt.adding(seconds: Self.secondsBetween) }
        if let last = self.last[subject] { return try await last.findings.value }
        let examination = Examination(begunAt: now, findings: Task { try await examine() })
        self.last[subject] = examination
        return try await examination.findings.value
    }
}
