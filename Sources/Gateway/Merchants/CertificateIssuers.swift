//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
public import Payments

/// Whose certificates merchants may have: Apple's authorities', and sandbox merchants also the wallet simulator's.
@_spi(Administration)
public struct CertificateIssuers: Sendable {
    private let live: [MerchantCertificateIssuer]
    private let sandbox: [MerchantCertificateIssuer]
    /// `nil` once the simulator's are there.
    private let late: LateSandboxTrust<[MerchantCertificateIssuer]>?

    init(_ parts: GatewayParts) {
        self.live = parts.liveCertificateIssuers
        self.sandbox = parts.sandboxCertificateIssuers
        let late = parts.findSandboxCertificateIssuers.map { find in
            LateSandboxTrust(now: parts.steadyClock) { () -> [MerchantCertificateIssuer]? in
                let issuers = find()
                return issuers.isEmpty ? nil : issuers
            }
        }
        self.late = parts.sandboxCertificateIssuers.isEmpty ? late : nil
    }

    /// Whether one of them has issued a certificate for a merchant of a mode.
    public func haveIssued(_ certificate: AppleCertificate, for mode: Mode) -> Bool {
        if certificate.issuer(among: self.live) != nil { return true }
        guard mode == .sandbox else { return false }
        let sandbox = self.late.map { $0.found ?? $0.look() ?? [] } ?? self.sandbox
        return certificate.issuer(among: sandbox) != nil
    }
}
