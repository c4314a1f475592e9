//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Time

extension Finding {
    /// How long the certificates that the listeners show still run. Those far from their end are left out.
    ///
    /// - Parameter certificates: PEM; of a chain the first.
    static func ofServerCertificates(_ certificates: [String], at now: Timestamp) -> [Finding] {
        certificates.compactMap { pem in
            guard let certificate = try? AppleCertificate(Array(pem.utf8)) else { return nil }
            let notAfter = Timestamp(certificate.notAfter)
            guard let step = self.endStep(notBefore: Timestamp(certificate.notBefore), notAfter: notAfter, at: now)
            else { return nil }
            let name = "The gateway's own certificate (serial number \(certificate.serialNumber.prefix(16)))"
            return Finding(
                .certificate, step.days == 0 ? "server_certificate_ended" : "server_certificate_ends", step.severity,
                subject: String(certificate.serialNumber.prefix(16)),
                step.days == 0
                    ? "\(name) has ended."
                    : "\(name) ends in \(notAfter.milliseconds(since: now) / 86_400_000) days.",
                because: "Shops and devices refuse to speak to a server whose certificate has ended.",
                advice: "Renew tls.certificateFile, and start the gateway again.", step: step.days)
        }
    }
}
