//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Payments
import Time

extension Administration {
    /// The Apple certificates that a merchant has in use.
    func examineCertificates(of merchant: Merchant) async throws -> [Finding] {
        let now = self.now()
        let (list, accounts, routed) = try await self.read { reader in
            (
                try CertificateList(of: merchant, at: now, in: reader), try reader.acquirerAccounts(of: merchant.id),
                Set(try reader.routes(of: merchant.id).map(\.account))
            )
        }
        let credentials = list.credentials
        var findings: [Finding] = []
        for credential in credentials {
            guard credential.isInUse, let notAfter = credential.notAfter else {
                if credential.state == .imported { findings.append(Self.idle(credential, of: merchant)) }
                if let waiting = Self.waiting(credential, list, at: now) { findings.append(waiting) }
                continue
            }
            findings.append(Self.finding(credential, list, endsAt: notAfter, now: now))
            if let unseen = try await self.neverObserved(credential, list) { findings.append(unseen) }
        }
        let holders = accounts.filter { $0.state == .active && !KeyCustody($0.settings).merchantIdentifiers.isEmpty }
        findings += holders.map { account in
            Finding(
                .certificate, "key_at_acquirer", .good, merchant: merchant.name, subject: account.name,
                "The acquirer behind \(account.name) opens the tokens of "
                    + KeyCustody(account.settings).merchantIdentifiers.sorted().joined(separator: ", ") + ".",
                because: "Its certificate has to be renewed there; nobody here can see its end.")
        }
        for account in accounts where account.state == .active && routed.contains(account.id) {
            if let finding = try await self.keyHeldHereOnly(account, list) { findings.append(finding) }
        }
        return findings
    }

    /// An acquirer that opens every token itself, and is not said to have the key that wallets seal for.
    private func keyHeldHereOnly(_ account: AcquirerAccount, _ list: CertificateList) async throws -> Finding? {
        let held = list.credentials.filter { $0.purpose == .paymentProcessing && $0.isInUse }
        let known = KeyCustody(account.settings).merchantIdentifiers
        let lacking = Set(held.map(\.merchantIdentifier)).subtracting(known).sorted()
        guard !lacking.isEmpty, (try? await self.takesSealedTokensAlone(account)) == true else { return nil }
        return Finding(
            .certificate, "key_held_here_only", .warning, merchant: list.merchant.name, subject: account.name,
            "This gateway opens the tokens of \(lacking.joined(separator: ", ")), and the acquirer behind \(account.name) "
                + "takes sealed tokens alone.",
            because: "Tokens go there as they came; without the same key the acquirer declines every payment.",
            advice: "Give the acquirer a certificate of its own at Apple's developer portal, or the key; then name the "
                + "identifiers that it holds.",
            // Some connectors take one identifier and no other.
            command: known.isEmpty && lacking.count == 1
                ? [
                    "acquirer", "settings", "--merchant", list.merchant.name, "--name", account.name,
                    "\(KeyCustody.identifiersName)=\(lacking[0])",
                ] : nil)
    }

    /// How long a certificate may be in use before a token has to have come for it.
    private static let observedWithinSeconds: Int64 = 86_400

    /// A successor that no wallet seals for, while the one before is still in use: Apple does not know of it yet, and the
    /// one before must not be retired.
    private func neverObserved(_ credential: AppleCredential, _ list: CertificateList) async throws -> Finding? {
        let since = self.now().adding(seconds: -Self.observedWithinSeconds)
        guard credential.purpose == .paymentProcessing, list.lastUse(of: credential) == nil,
            let earlier = list.earlierInUse(than: credential), credential.createdAt <= since
        else { return nil }
        var query = AuditQuery()
        (query.act, query.from) = (AuditAct.certificateActivate.name, since)
        let activations = try await self.auditEntries(query).entries
        guard !activations.contains(where: { $0.details["key"] == credential.id }) else { return nil }
        return Finding(
            .certificate, "certificate_never_observed", .warning, merchant: list.merchant.name, subject: credential.id,
            "\(Self.name(credential)) is in use, and no token has come for it; wallets seal for the one before it, "
                + "\(earlier.id.prefix(16))…",
            because: Self.reason(.paymentProcessing),
            advice:
                "Activate it at Apple's developer portal. Do not retire the one before until a token has come for this.",
            command: ["certificate", "list", "--merchant", list.merchant.name])
    }

    private static func name(_ credential: AppleCredential) -> String {
        let purpose =
            switch credential.purpose {
            case .paymentProcessing: "Payment Processing Certificate"
            case .merchantIdentity: "Merchant Identity Certificate"
            }
        let issuer = credential.appleCertificate?.issuerCommonName.map { ", issued by \($0)," } ?? ""
        return "The \(purpose) for \(credential.merchantIdentifier)\(issuer)"
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

    /// A signing request for an identifier for which nothing works, beside another for which something does: without that,
    /// the merchant lacks a certificate.
    private static func waiting(
        _ credential: AppleCredential, _ list: CertificateList, at now: Timestamp
    ) -> Finding? {
        let working = list.credentials.filter { $0.purpose == credential.purpose && $0.works(at: now) }
        guard credential.state == .requested, !working.isEmpty,
            !working.contains(where: { $0.merchantIdentifier == credential.merchantIdentifier })
        else { return nil }
        return Finding(
            .certificate, "signing_request_waits", .notice, merchant: list.merchant.name, subject: credential.id,
            "A signing request for \(credential.merchantIdentifier) waits for Apple's certificate.",
            because: "Nothing works for this identifier yet. What works for others is not touched.",
            advice: "Hand it in at Apple's developer portal and import what comes back, or withdraw it.",
            command: ["certificate", "retire", "--merchant", list.merchant.name, String(credential.id.prefix(8))])
    }

    /// What goes on after its end; nothing of one that no token is for.
    private static func afterwards(_ credential: AppleCredential) -> String {
        credential.purpose == .paymentProcessing ? " Its key opens tokens until it is retired." : ""
    }

    /// Whether a token has come for it; nothing of one that no token is for.
    private static func observed(_ credential: AppleCredential, _ list: CertificateList) -> String {
        guard credential.purpose == .paymentProcessing else { return "" }
        guard let last = list.lastUse(of: credential) else { return " No token has come for it yet." }
        return " The last token for it came at \(last.rfc3339Seconds)."
    }

    private static func finding(
        _ credential: AppleCredential, _ list: CertificateList, endsAt notAfter: Timestamp, now: Timestamp
    ) -> Finding {
        let merchant = list.merchant
        let observed = self.observed(credential, list)
        let days = notAfter.milliseconds(since: now) / 86_400_000
        let hasEnded = notAfter <= now
        let name = self.name(credential)
        let step = EndStep(secondsLeft: hasEnded ? 0 : max(1, notAfter.milliseconds(since: now) / 1000))
        guard let step, !list.isFollowed(credential) else {
            return Finding(
                .certificate, "certificate_runs", .good, merchant: merchant.name, subject: credential.id,
                hasEnded
                    ? "\(name) has ended, and another one has taken its place.\(self.afterwards(credential))"
                    : "\(name) runs for \(days) more days.\(observed)",
                because: self.reason(credential.purpose))
        }
        let (advice, command) = self.renewal(of: credential, list)
        return Finding(
            .certificate, hasEnded ? "certificate_ended" : "certificate_ends", step.severity,
            merchant: merchant.name, subject: credential.id,
            (hasEnded ? "\(name) has ended.\(self.afterwards(credential))" : "\(name) ends in \(days) days.")
                + observed,
            because: self.reason(credential.purpose), advice: advice, command: command, step: step.days)
    }

    private static func renewal(
        of credential: AppleCredential, _ list: CertificateList
    ) -> (advice: String, command: [String]) {
        let merchant = list.merchant.name
        if let follower = credential.followers(among: list.credentials).first {
            return (
                "\(follower.id.prefix(16))… is in use here after it, and no token has come for it: activate it at Apple's "
                    + "developer portal.", ["certificate", "list", "--merchant", merchant]
            )
        }
        return (
            "Make a signing request, hand it in at Apple's developer portal, and import what comes back.",
            [
                "certificate", "csr", "--merchant", merchant, "--purpose", credential.purpose.name,
                "--merchant-identifier",
                credential.merchantIdentifier,
            ]
        )
    }
}
