//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
import Gateway
import Payments
import Redaction
import Time

/// The six layers of a token, as the exchange opens them one after the other, each with its checks and their facts.
enum TokenStages {
    static let signature = "Signature"
    static let chain = "Certificate chain"
    static let markers = "Apple's markers"
    static let time = "Signing time"
    static let key = "Merchant's key"
    static let amount = "Amount"
    static let all = [
        TokenStages.signature, TokenStages.chain, TokenStages.markers, TokenStages.time, TokenStages.key,
        TokenStages.amount,
    ]

    private static let hashCharacters = 8

    /// The layers that need no key.
    static func outside(_ inspection: TokenInspection) -> [ExchangeEntry] {
        var markers = self.entry(self.markers, inspection, [.certificateSet])
        markers.checks += inspection.certificates.compactMap(self.marker)
        return [
            self.entry(
                self.signature, inspection,
                [
                    .tokenFormat, .cmsStructure, .signerIdentifier, .signatureAlgorithm, .messageDigest, .signature,
                    .applicationData,
                ]),
            self.entry(
                self.chain, inspection, [.leafCertificate, .intermediateCertificate, .leafIssuer, .trustAnchor]),
            markers,
            self.entry(self.time, inspection, [.certificateValidity, .signingTimeWindow]),
        ]
    }

    /// The two layers behind the merchant's key, opened.
    static func inside(_ opened: OpenedToken, keyHash: String) -> [ExchangeEntry] {
        [
            self.entry(
                self.key,
                [.init(.passed, "The merchant's key with the token's hash opened it.", fact: self.short(keyHash))]),
            self.entry(
                self.amount,
                [
                    .init(
                        .passed, "The amount is \(opened.amount), as the payment sheet showed it.",
                        fact: "\(opened.amount)"),
                    .init(
                        .passed, "The device account is \(self.instrument(opened.summary)).",
                        fact: "••\(opened.summary.maskedPAN.suffix)"),
                    .init(
                        .passed, "It holds a \(opened.paymentDataType) cryptogram, for the bank alone.",
                        fact: opened.paymentDataType),
                ]),
        ]
    }

    /// The two layers behind the merchant's key, which stay closed.
    ///
    /// - Parameter key: why the key did not open them.
    static func closed(_ key: ExchangeEntry.Check) -> [ExchangeEntry] {
        [
            self.entry(self.key, [key]),
            self.entry(self.amount, [.init(.skipped, "Not read: the token stayed closed.")]),
        ]
    }

    /// The key opened the token, and what was inside is not what may be paid.
    static func unreadable(_ reason: String, keyHash: String) -> [ExchangeEntry] {
        [
            self.entry(
                self.key,
                [.init(.passed, "The merchant's key with the token's hash opened it.", fact: self.short(keyHash))]),
            self.entry(self.amount, [.init(.failed, reason)]),
        ]
    }

    /// What is known of a token that the shop has never seen: TapPay gives a prime for none that fails, and the payment
    /// knows the device account that was in it.
    static func behindPrime(_ instrument: String) -> [ExchangeEntry] {
        [
            (self.signature, "The signature covers this token's key, data and header."),
            (self.chain, "The signer's certificates lead to a root that is trusted here."),
            (self.markers, "The leaf and the intermediate carry Apple's markers."),
            (self.time, "The certificates were valid at the signing time, and the token was young enough."),
            (self.key, "The merchant's key opened it."),
            (self.amount, "The device account is \(instrument). The server's amount is at most the sheet's."),
        ].map { title, sentence in
            var entry = self.entry(title, [ExchangeEntry.Check(.passed, sentence)])
            entry.remark = "Checked before the SDK got its prime."
            return entry
        }
    }

    static func instrument(_ summary: InstrumentSummary) -> String {
        let expiry = "\(summary.expiryYearMonth.suffix(2))/\(summary.expiryYearMonth.prefix(2))"
        let eci = summary.eci.map { ", ECI \($0)" } ?? ""
        return "\(summary.maskedPAN) (\(summary.network.rawValue)), expires \(expiry)\(eci)"
    }

    // MARK: - Checks

    private static func entry(_ title: String, _ checks: [ExchangeEntry.Check]) -> ExchangeEntry {
        var entry = ExchangeEntry(.token, title, isOK: checks.allSatisfy { $0.result == .passed })
        entry.checks = checks
        return entry
    }

    private static func entry(
        _ title: String, _ inspection: TokenInspection, _ checks: [TokenCheck]
    ) -> ExchangeEntry {
        let findings = inspection.findings.filter { checks.contains($0.check) }
        return self.entry(
            title,
            findings.map { finding in
                let result: ExchangeEntry.Check.Result =
                    switch finding.outcome {
                    case .passed: .passed
                    case .failed: .failed
                    case .skipped: .skipped
                    }
                let fact = result == .passed ? self.fact(finding.check, inspection) : ""
                return ExchangeEntry.Check(result, finding.sentence, fact: fact)
            })
    }

    /// What the token itself says where a check has looked; a moment as RFC 3339 writes it.
    private static func fact(_ check: TokenCheck, _ inspection: TokenInspection) -> String {
        func part(_ name: String) -> String { inspection.parts.first { $0.name == name }?.value ?? "" }
        func certificate(_ role: TokenInspection.CertificateSummary.Role) -> TokenInspection.CertificateSummary? {
            inspection.certificates.first { $0.role == role }
        }
        return switch check {
        case .tokenFormat: part("version")
        case .cmsStructure: part("signature")
        case .signerIdentifier: certificate(.leaf).map { self.short($0.serialNumber) } ?? ""
        case .signatureAlgorithm: part("signature.algorithm")
        case .signature: certificate(.leaf)?.keyAlgorithm ?? ""
        case .leafCertificate: self.commonName(certificate(.leaf)?.subject)
        case .intermediateCertificate: self.commonName(certificate(.intermediate)?.subject)
        case .trustAnchor: inspection.anchor?.label ?? ""
        case .certificateSet: "\(inspection.certificates.count)"
        case .certificateValidity:
            inspection.certificates.map(\.notAfter).min().map(self.moment) ?? ""
        case .signingTimeWindow: inspection.signingTime.map(self.moment) ?? ""
        case .messageDigest, .leafIssuer, .applicationData: ""
        }
    }

    private static func marker(_ certificate: TokenInspection.CertificateSummary) -> ExchangeEntry.Check? {
        guard !certificate.markers.isEmpty else { return nil }
        return ExchangeEntry.Check(
            .passed, "The \(certificate.role.rawValue) carries its marker.",
            fact: certificate.markers.joined(separator: " "))
    }

    private static func moment(_ date: Date) -> String {
        Timestamp(seconds: Int64(date.timeIntervalSince1970)).rfc3339Seconds
    }

    /// "C=US,O=Pomona,CN=Name" gives "Name".
    private static func commonName(_ subject: String?) -> String {
        guard let subject, let range = subject.range(of: "CN=") else { return "" }
        return String(subject[range.upperBound...].prefix { $0 != "," })
    }

    private static func short(_ text: String) -> String {
        text.count > self.hashCharacters ? "\(text.prefix(self.hashCharacters))…" : text
    }
}
