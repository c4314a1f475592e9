//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import SwiftASN1
import X509

/// What is to stand in a certificate, apart from who signs it.
struct CertificateProfile {
    /// RFC 5280, 4.2.1.3, as the bits of the first byte.
    struct KeyUsage: OptionSet {
        let rawValue: UInt8

        static let digitalSignature = KeyUsage(rawValue: 0x80)
        static let keyEncipherment = KeyUsage(rawValue: 0x20)
        static let keyAgreement = KeyUsage(rawValue: 0x08)
        static let certificateSigning = KeyUsage(rawValue: 0x04)
        static let revocationListSigning = KeyUsage(rawValue: 0x02)

        static let authority: KeyUsage = [.certificateSigning, .revocationListSigning]
    }

    /// An extension of Apple's own: most hold a NULL.
    struct Marker {
        let oid: ASN1ObjectIdentifier
        var value: [UInt8] = BER.null
        var isCritical = false
    }

    var subject: DistinguishedName
    var publicKey: Certificate.PublicKey
    var validFrom: Date
    var validUntil: Date
    var isAuthority = false
    var keyUsage: KeyUsage
    var isForClientAuthentication = false
    /// Certificates below the root say where their status is to be asked; these addresses lead nowhere.
    var namesStatusService = true
    var namesPolicy = false
    var markers: [Marker] = []

    /// The extensions in the order in which Apple's certificates have them.
    fileprivate func extensions(issuerKeyIdentifier: [UInt8]) throws -> Certificate.Extensions {
        var list: [Certificate.Extension] = []
        func append(_ oid: ASN1ObjectIdentifier, isCritical: Bool = false, _ value: [UInt8]) {
            list.append(Certificate.Extension(oid: oid, critical: isCritical, value: value[...]))
        }
        let host = "wallet-simulator.invalid"
        if self.namesStatusService {
            append(CertificateOID.authorityInformationAccess, try self.statusService("http://ocsp.\(host)/ocsp"))
        }
        let keyIdentifier = CertificateProfile.keyIdentifier(of: self.publicKey)
        append(CertificateOID.subjectKeyIdentifier, BER.octetString(keyIdentifier))
        let constraints = self.isAuthority ? BER.sequence([BER.Tag.boolean, 0x01, 0xFF]) : BER.sequence()
        append(CertificateOID.basicConstraints, isCritical: true, constraints)
        if issuerKeyIdentifier != keyIdentifier {
            let reference = BER.element(BER.Tag.context(0, isConstructed: false), issuerKeyIdentifier)
            append(CertificateOID.authorityKeyIdentifier, BER.sequence(reference))
        }
        if self.namesPolicy { append(CertificateOID.certificatePolicies, try self.policies("http://\(host)/practice")) }
        if self.namesStatusService {
            append(CertificateOID.revocationListDistributionPoints, self.revocationList("http://crl.\(host)/list.crl"))
        }
        if self.isForClientAuthentication {
            let purposes = BER.sequence(try BER.objectIdentifier(CertificateOID.clientAuthentication))
            append(CertificateOID.extendedKeyUsage, purposes)
        }
        append(CertificateOID.keyUsage, isCritical: true, self.keyUsageValue)
        for marker in self.markers { append(marker.oid, isCritical: marker.isCritical, marker.value) }
        return try Certificate.Extensions(list)
    }

    /// A BIT STRING without trailing zero bits (X.690, 11.2.2).
    private var keyUsageValue: [UInt8] {
        let unusedBits = UInt8(self.keyUsage.rawValue.trailingZeroBitCount)
        return BER.element(BER.Tag.bitString, [unusedBits, self.keyUsage.rawValue])
    }

    /// RFC 5280, 4.2.2.1.
    private func statusService(_ address: String) throws -> [UInt8] {
        let location = BER.element(BER.Tag.context(6, isConstructed: false), Array(address.utf8))
        return BER.sequence(BER.sequence(try BER.objectIdentifier(CertificateOID.onlineStatus), location))
    }

    /// RFC 5280, 4.2.1.13.
    private func revocationList(_ address: String) -> [UInt8] {
        let name = BER.element(BER.Tag.context(6, isConstructed: false), Array(address.utf8))
        let point = BER.element(BER.Tag.context(0), BER.element(BER.Tag.context(0), name))
        return BER.sequence(BER.sequence(point))
    }

    /// RFC 5280, 4.2.1.4: a notice and the address of a practice statement.
    private func policies(_ address: String) throws -> [UInt8] {
        let text = Array("Made by the Pomona wallet simulator for tests. It vouches for nothing.".utf8)
        let notice = BER.sequence(
            try BER.objectIdentifier(CertificateOID.userNotice), BER.sequence(BER.element(BER.Tag.utf8String, text)))
        let statement = BER.sequence(
            try BER.objectIdentifier(CertificateOID.practiceStatement),
            BER.element(BER.Tag.ia5String, Array(address.utf8)))
        let policy = BER.sequence(
            try BER.objectIdentifier(AppleOID.certificatePolicy), BER.sequence(notice, statement))
        return BER.sequence(policy)
    }

    /// SHA-1 of the key's bits (RFC 5280, 4.2.1.2, method 1): a name, not a safeguard.
    static func keyIdentifier(of key: Certificate.PublicKey) -> [UInt8] {
        Array(Insecure.SHA1.hash(data: key.subjectPublicKeyInfoBytes))
    }

    /// A subject in the order of Apple's authorities: CN, OU, O, C.
    static func name(commonName: String, organizationalUnit: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationalUnitName(organizationalUnit)
            OrganizationName("Pomona")
            CountryName("US")
        }
    }
}

/// A key with the name under which it signs certificates.
struct CertificateIssuer: Sendable {
    let name: DistinguishedName
    let key: Certificate.PrivateKey
    /// The authority key identifier that goes into what it signs.
    let keyIdentifier: [UInt8]

    init(_ certificate: Certificate, key: Certificate.PrivateKey) {
        self.init(name: certificate.subject, key: key)
    }

    init(name: DistinguishedName, key: Certificate.PrivateKey, keyIdentifier: [UInt8]? = nil) {
        self.name = name
        self.key = key
        self.keyIdentifier = keyIdentifier ?? CertificateProfile.keyIdentifier(of: key.publicKey)
    }

    /// Signs with ecdsa-with-SHA256 unless asked otherwise, as Apple's P-384 root does too.
    func issue(
        _ profile: CertificateProfile, signatureAlgorithm: Certificate.SignatureAlgorithm = .ecdsaWithSHA256
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: CertificateIssuer.randomSerialNumber(), publicKey: profile.publicKey,
            notValidBefore: profile.validFrom, notValidAfter: profile.validUntil, issuer: self.name,
            subject: profile.subject, signatureAlgorithm: signatureAlgorithm,
            extensions: try profile.extensions(issuerKeyIdentifier: self.keyIdentifier), issuerPrivateKey: self.key)
    }

    /// Eight random bytes, positive and without a leading zero, as Apple's are.
    private static func randomSerialNumber() -> Certificate.SerialNumber {
        Certificate.SerialNumber(UInt64.random(in: 1 << 56..<1 << 63))
    }
}
