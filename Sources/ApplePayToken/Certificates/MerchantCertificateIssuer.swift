//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import SwiftASN1
internal import X509

/// An authority that issues merchants' certificates.
///
/// Apple's files hold the merchant's certificate alone, without those that lead to a root: the authorities are known by
/// their keys.
public struct MerchantCertificateIssuer: Hashable, Sendable, CustomStringConvertible {
    /// "Apple Worldwide Developer Relations G3".
    public let label: String
    let publicKey: Certificate.PublicKey

    public var description: String { self.label }

    /// An authority of one's own, for tests.
    ///
    /// - Parameter certificate: the authority's certificate, DER or PEM.
    /// - Throws: ``TokenError`` of the stage `certificate`.
    public init(certificate: some Collection<UInt8>) throws(TokenError) {
        let der = try CertificateFile.der(Array(certificate))
        let parsed = try TokenCertificate(der, code: .certificateUnreadable, stage: .certificate)
        self.label = parsed.certificate.subject.text(of: .RDNAttributeType.commonName) ?? ""
        self.publicKey = parsed.certificate.publicKey
    }

    private init(_ generation: String, publicKey: String) {
        self.label = "Apple Worldwide Developer Relations \(generation)"
        do {
            let pem = "-----BEGIN PUBLIC KEY-----\n\(publicKey)\n-----END PUBLIC KEY-----\n"
            self.publicKey = try Certificate.PublicKey(pemEncoded: pem)
        } catch {
            // Constants of this file and no input: it cannot fail in a build whose tests passed.
            preconditionFailure("a built-in authority does not parse: \(error)")
        }
    }
}

extension AppleCertificate {
    /// The authority among these whose key has signed the certificate; `nil` if it was none of them.
    public func issuer(among issuers: [MerchantCertificateIssuer]) -> MerchantCertificateIssuer? {
        guard let certificate = try? Certificate(derEncoded: self.der) else { return nil }
        return issuers.first { $0.publicKey.isValidSignature(certificate.signature, for: certificate) }
    }
}

extension MerchantCertificateIssuer {
    /// The authorities with which Apple issues certificates to developers (apple.com/certificateauthority, "Worldwide
    /// Developer Relations"): G2 and G6 have EC keys, the others RSA keys.
    public static let apple: [MerchantCertificateIssuer] = [
        MerchantCertificateIssuer(
            "G2",
            publicKey: """
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3fC3BkvP3XMEE8RDiQOTgPte9nSt
                QmFSWAImUxnIYyIHCVJhysTZV+9tJmiLdJGMxPmAaCj8CWjwENrp0C7JGg==
                """),
        MerchantCertificateIssuer(
            "G3",
            publicKey: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2PWJ/KhZC4fHTJEuLVaQ
                03gdpDDppUjvC0O/LYT7JF1FG+XrWTYSXFRknmxiLbTGl8rMPPbWBpH85QKmHGq0
                edVny6zpPwcR4YS8Rx1mjjmi6LRJ7TrS4RBgeo6TjMrA2gzAg9Dj+ZHWp4zIwXPi
                rkbRYp2SqJBgN31ols2N4Pyb+ni743uvLRfdW/6AWSN1F7gSwe0b5TTO/iK1nkmw
                5VW/j4SiPKi6xYaVFuQAyZ8D0MyzOhZ71gVcnetHrg21LYwOaU1A0EtMOwSejSGx
                rC5DVDDOwYqGlJhL32oNP/77HK6XF8J4CjDgXx9UO0m3JQAaN4LSVpelUkl8YDib
                7wIDAQAB
                """),
        MerchantCertificateIssuer(
            "G4",
            publicKey: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0B94qnonMrBGX+cXdtig
                nQ4pjq09MqXEazfJ5EGRard5cV0MNARgdfeuQ49HxIYeCOi/1jlSLx5n/HHxgm08
                fgZSdp0svNVD6bG0vEA6eFFdUaEl4b5skZ1rIVkYQdUPjW1BKjlKIeCQn04TT9CM
                mjK412qSHiVqpDLOIhmFBWDcAkryWut3eQJ9wJdUbJKOdgHmRo/l5ir7orCtGK1t
                M4U4I4vqipbtn65mT6MMQCdtldBiiNlDKSf97aS/Uy6QFWU82S5iZDMdbGrdjiGq
                pF8VxjDtX+aMNpKUt9w5AgD7ZIzUDIHyP9U0l4d1JsJvrgNjIQx71BuxYsUCnL39
                rwIDAQAB
                """),
        MerchantCertificateIssuer(
            "G5",
            publicKey: """
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAn13aH/v6vNBLIjzH1ib6
                F/f0nx4+ZBFmmu9evqs0vaosIW7WHpQhhSx0wQ4QYao8Y0p+SuPIddbPwpwISHtq
                uSmxyWb9yIoW0bIEPIK6gGzi/wpy66z+O29Ivp6LEU2VfbJ7kC8CHE78Sb7Xb7VP
                vnjG2t6yzcnZZhE7WukJRXOJUNRO4mgFftp1nEsBrtrjz210Td5T0NUaOII60J3j
                XSl7sYHqKScL+2B8hhL78GJPBudM0R/ZbZ7tc9p4IQ2dcNlGV5BfZ4TBc3cKqGJi
                tq5whrt1I4mtefbmpNT9gyYyCjskklsgoZzRL4AYm908C+e1/eyAVw8Xnj8rhye7
                9wIDAQAB
                """),
        MerchantCertificateIssuer(
            "G6",
            publicKey: """
                MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEbsQKC94PrlWmZXnXgtxzdVJL8T0SGYng
                DRGpngn3N6PT8JMEb7FDi4bBmPhCnZ3/sq6PF/cGcKXWsL5vOteRhyJ45x3ASP7c
                OB+aao90fcpxSv/EZFbniAbNgZGhIhpI
                """),
    ]
}
