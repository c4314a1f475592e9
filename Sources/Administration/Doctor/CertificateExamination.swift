//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Administration {
    /// The Apple certificates that a merchant has in use.
    func examineCertificates(of merchant: Merchant) async throws -> [Finding] {
        let now = self.now()
        let (credentials, accounts) = try await self.read { reader in
            (try reader.appleCredentials(of: merchant.id), try reader.acquirerAccounts(of: merchant.id))
        }
        var findings: [Finding] = []
        for credential in credentials {
            guard credential.isInUse, let notAfter = credential.notAfter else {
                if credential.state == .imported { findings.append(Self.idle(credential, of: merchant)) }
                continue
            }
            let isFollowed = credentials.contains { other in
                other.id != credential.id && other.isInUse && other.purpose == credential.purpose
                    && other.merchantIdentifier == credential.merchantIdentifier
                    && (other.notAfter ?? now) > notAfter
            }
            findings.append(
                Self.finding(credential, endsAt: notAfter, now: now, isFollowed: isFollowed, of: merchant))
        }
        let holders = accounts.filter { $0.state == .active && !KeyCustody($0.settings).merchantIdentifiers.isEmpty }
        findings += holders.map { account in
            Finding(
                .certificate, "key_at_acquirer", .good, merchant: merchant.name, subject: account.name,
                "The acquirer behind \(account.name) opens the tokens of "
                    + KeyCustody(account.settings).merchantIdentifiers.sorted().joined(separator: ", ") + ".",
                because: "Its certificate has to be renewed there; nobody here can see its end.")
        }
        return findings
    }

    private static func name(_ credential: AppleCredential) -> String {
        let purpose =
            switch credential.purpose {
            case .paymentProcessing: "Payment Processing Certificate"
            case .merchantIdentity: "Merchant Identity Certificate"
            }
        return "The \(purpose) for \(credential.merchantIdentifier)"
    }

    private static func reason(_ purpose: AppleCredential.Purpose) -> String {
        switch purpose {
        case .paymentProcessing: "Wallets seal tokens for its key; when it ends, Apple Pay ends with it."
        case .merchantIdentity: "Apple opens no payment sheet on the merchant's pages without it."
        }
    }

    private static func idle(_ credential: AppleCredential, of merchant: Merchant) -> Finding {
        Finding(
            .certificate, "certificate_not_in_use", .notice, merchant: merchant.name, subject: credential.id,
            "\(self.name(credential)) is imported and not in use.", because: self.reason(credential.purpose),
            advice: "Activate it before the present one ends.",
            command: ["certificate", "activate", "--merchant", merchant.name, String(credential.id.prefix(8))])
    }

    private static func finding(
        _ credential: AppleCredential, endsAt notAfter: Timestamp, now: Timestamp, isFollowed: Bool,
        of merchant: Merchant
    ) -> Finding {
        let days = notAfter.milliseconds(since: now) / 86_400_000
        let hasEnded = notAfter <= now
        let name = self.name(credential)
        let step = EndStep(secondsLeft: hasEnded ? 0 : max(1, notAfter.milliseconds(since: now) / 1000))
        guard let step, !isFollowed else {
            return Finding(
                .certificate, "certificate_runs", .good, merchant: merchant.name, subject: credential.id,
                hasEnded ? "\(name) has ended, and another one is in use." : "\(name) runs for \(days) more days.",
                because: self.reason(credential.purpose))
        }
        let purpose =
            switch credential.purpose {
            case .paymentProcessing: "payment-processing"
            case .merchantIdentity: "merchant-identity"
            }
        return Finding(
            .certificate, hasEnded ? "certificate_ended" : "certificate_ends", step.severity,
            merchant: merchant.name, subject: credential.id,
            hasEnded ? "\(name) has ended." : "\(name) ends in \(days) days.",
            because: self.reason(credential.purpose),
            advice: "Make a signing request, hand it in at Apple's developer portal, and import what comes back.",
            command: [
                "certificate", "csr", "--merchant", merchant.name, "--purpose", purpose, "--merchant-identifier",
                credential.merchantIdentifier,
            ], step: step.days)
    }
}
