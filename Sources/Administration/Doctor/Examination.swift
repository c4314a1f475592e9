//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments

extension Administration {
    /// Looks for what keeps payments from being taken, and for what soon will: of all merchants that are not closed,
    /// or of one, and what is open in the store. It changes nothing.
    ///
    /// - Parameters:
    ///   - merchant: the only one that is looked at; all for `nil`.
    ///   - asksAcquirers: whether acquirers are asked if they can be reached and take the credentials. No money
    /// moves.
    /// - Throws: `StoreError`.
    public func examine(_ merchant: Merchant? = nil, asksAcquirers: Bool = true) async throws -> [Finding] {
        let merchants = try await self.read { reader in
            try merchant.map { [$0] } ?? reader.merchants().filter { $0.state != .closed }
        }
        var findings: [Finding] = []
        if merchants.isEmpty {
            findings.append(
                Finding(
                    .merchant, "no_merchant", .failure, "There is no merchant.",
                    because: "Nobody can be paid.", advice: "Make one.", command: ["setup"]))
        }
        for merchant in merchants {
            findings += try await self.examineCertificates(of: merchant)
            findings += try await self.examineRoutes(of: merchant)
            findings += try await self.examineDeadlines(of: merchant)
            if asksAcquirers { findings += try await self.examineAcquirers(of: merchant) }
        }
        findings += try await self.examineRefusedTokens(of: merchant)
        findings += try await self.examineWork(of: merchant)
        findings += try await self.examineStoreClock()
        if merchant == nil { findings += try await self.examineAuditLog() }
        return findings
    }

    func examineAuditLog() async throws -> [Finding] {
        let reason = "What operators have done can only be proven from a log that nobody has changed."
        guard let found = try await self.checkAuditLog().firstBreak else {
            return [Finding(.audit, "audit_sound", .good, "The audit log is as it was written.", because: reason)]
        }
        return [
            Finding(
                .audit, "audit_broken", .failure,
                "The audit log is not as it was written, from entry \(found.number) on (\(found.reason.rawValue)).",
                because: reason, advice: "Find out who has written to the database past the gateway.",
                command: ["audit", "verify"])
        ]
    }
}
