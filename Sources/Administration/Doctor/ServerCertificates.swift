//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
public import Time

/// A certificate that this program shows: on a listener, or to the acquirer at the other end of the link.
public struct ServerCertificate: Hashable, Sendable {
    /// Of a chain the first counts.
    public let pem: String
    /// The setting that names its file: "tls.certificateFile".
    public let setting: String

    public init(pem: String, setting: String) {
        self.pem = pem
        self.setting = setting
    }
}

extension Finding {
    /// The step at which a web server's certificate is spoken of, by its own life.
    public static func endStep(notBefore: Timestamp, notAfter: Timestamp, at now: Timestamp) -> EndStep? {
        EndStep(
            secondsLeft: notAfter.milliseconds(since: now) / 1000,
            lifeSeconds: notAfter.milliseconds(since: notBefore) / 1000)
    }

    /// How long the certificates that this program shows still run, and which nobody can say that of. Those far from
    /// their end are left out.
    public static func ofServerCertificates(_ certificates: [ServerCertificate], at now: Timestamp) -> [Finding] {
        certificates.compactMap { shown in
            guard let certificate = try? AppleCertificate(Array(shown.pem.utf8)) else {
                return self.unreadableServerCertificate(shown)
            }
            let notBefore = Timestamp(seconds: Int64(certificate.notBefore.timeIntervalSince1970))
            let notAfter = Timestamp(seconds: Int64(certificate.notAfter.timeIntervalSince1970))
            guard let step = self.endStep(notBefore: notBefore, notAfter: notAfter, at: now) else { return nil }
            let name = "The gateway's own certificate (serial number \(certificate.serialNumber.prefix(16)))"
            return Finding(
                .certificate, step.days == 0 ? "server_certificate_ended" : "server_certificate_ends", step.severity,
                subject: String(certificate.serialNumber.prefix(16)),
                step.days == 0
                    ? "\(name) has ended."
                    : "\(name) ends in \(self.timeLeft(until: notAfter, at: now)).",
                because:
                    "Nobody speaks to a server whose certificate has ended: neither shops and devices nor, over the link, "
                    + "the acquirer's process.",
                advice: "Renew \(shown.setting), and start the gateway again.", step: step.days)
        }
    }

    /// TLS may still work with it: the listeners' reader takes keys that clients refuse, such as RSA of 1024 bits.
    private static func unreadableServerCertificate(_ shown: ServerCertificate) -> Finding {
        Finding(
            .certificate, "server_certificate_unreadable", .warning, subject: shown.setting,
            "The first certificate in the file of \(shown.setting) cannot be read, or its key is of a kind or length that "
                + "is not supported.",
            because: "Nobody will be warned before it ends, and clients refuse keys that are too short.",
            advice: "Put a certificate for an RSA key of 2048 bits or more, or for P-256, P-384 or P-521, into "
                + "\(shown.setting), and start the gateway again.")
    }

    /// "12 days", or "30 hours" where that is less than three days.
    public static func timeLeft(until end: Timestamp, at now: Timestamp) -> String {
        let seconds = max(0, end.milliseconds(since: now) / 1000)
        return seconds < 3 * 86_400 ? "\(seconds / 3600) hours" : "\(seconds / 86_400) days"
    }
}
