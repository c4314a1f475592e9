//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments

extension Administration {
    /// Accounts whose acquirer may take longer for an answer than the gateway waits for it: a slow approval is then an
    /// outcome that nobody knows.
    func examineDeadlines(of merchant: Merchant) async throws -> [Finding] {
        let deadlineSeconds = self.gateway.settings.acquirerDeadlineSeconds
        var findings: [Finding] = []
        for account in try await self.read({ try $0.acquirerAccounts(of: merchant.id) }) where account.state == .active
        {
            guard let deadlines = try await self.gateway.capabilities(of: account.id)?.deadlines else { continue }
            let milliseconds = max(deadlines.chargeMilliseconds, deadlines.otherMilliseconds)
            guard milliseconds > deadlineSeconds * 1000 else { continue }
            findings.append(
                Finding(
                    .acquirer, "deadline_short", .warning, merchant: merchant.name, subject: account.name,
                    "\(account.name) (\(account.connector)) may take \(milliseconds / 1000) seconds, and the gateway waits "
                        + "\(deadlineSeconds).",
                    because: "A payment that is approved later is unknown to the shop, and may be taken back.",
                    advice: "Set acquirer.deadlineSeconds of the gateway's configuration to more, or the account's "
                        + "chargeSeconds and otherSeconds to less.",
                    command: ["acquirer", "settings", "--merchant", merchant.name, "--name", account.name]))
        }
        return findings
    }
}
