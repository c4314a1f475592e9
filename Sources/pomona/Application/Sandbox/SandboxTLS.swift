//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Hosts
import Server
import SwiftASN1
import Time
import X509

/// The certificates of the sandbox's HTTPS: an authority that clients are configured to trust, a server certificate for
/// this machine's names, and certificates for clients. All are made once and kept in the data directory; the server's
/// is made anew before it ends.
struct SandboxTLS {
    let directory: DataDirectory
    /// The host that the server listens on, beside the names of the loopback interface.
    let host: String
    /// Further names and addresses by which clients reach it.
    var otherNames: [String] = []
    let now: Timestamp

    /// Ten years: the authority stands in people's trust stores.
    static let authorityValiditySeconds: Int64 = 3650 * 86_400
    /// Apple's systems refuse server certificates of private authorities beyond 825 days (Apple, HT210176).
    static let serverValiditySeconds: Int64 = 800 * 86_400
    /// A certificate that ends sooner than this is made anew at the next start.
    static let renewalSeconds: Int64 = 30 * 86_400

    /// The server's key and certificate; made, with the authority, when they are not there or about to end.
    func identity() throws -> ServerIdentity {
        if let existing = try self.existingIdentity() { return existing }
        try FileSystem.makePrivateDirectory(self.directory.tlsPath)
        let authority = try self.authority()
        let key = P256.Signing.PrivateKey()
        let certificate = try self.certificate(
            for: key.publicKey, issuer: authority, subject: try DistinguishedName { CommonName("localhost") },
            usage: .serverAuth, names: self.names)
        let pem =
            try certificate.serializeAsPEM().pemString + "\n" + authority.certificate.serializeAsPEM().pemString + "\n"
        // The certificate comes last: where it is, its key is.
        try FileSystem.writePrivate(key.pemRepresentation + "\n", to: self.directory.serverKeyPath)
        try FileSystem.write(pem, to: self.directory.serverCertificatePath)
        return try ServerIdentity(
            certificatePEM: pem, privateKeyPEM: key.pemRepresentation,
            clientAuthoritiesPEM: try FileSystem.readText(self.directory.caCertificatePath))
    }

    /// A key and a certificate for a TLS client, by the same authority.
    func clientIdentity(named name: String) throws -> (certificatePEM: String, privateKeyPEM: String) {
        try FileSystem.makePrivateDirectory(self.directory.tlsPath)
        let authority = try self.authority()
        let key = P256.Signing.PrivateKey()
        let certificate = try self.certificate(
            for: key.publicKey, issuer: authority, subject: try DistinguishedName { CommonName(name) },
            usage: .clientAuth, names: nil)
        return (try certificate.serializeAsPEM().pemString + "\n", key.pemRepresentation + "\n")
    }

    private func existingIdentity() throws -> ServerIdentity? {
        guard FileSystem.exists(self.directory.serverCertificatePath),
            FileSystem.exists(self.directory.caCertificatePath)
        else { return nil }
        let pem = try FileSystem.readText(self.directory.serverCertificatePath)
        guard let document = try? PEMDocument.parseMultiple(pemString: pem).first,
            let certificate = try? Certificate(pemDocument: document),
            self.lasts(certificate), Self.names(of: certificate) == self.names
        else { return nil }
        let key = try FileSystem.readPrivateText(self.directory.serverKeyPath)
        return try? ServerIdentity(
            certificatePEM: pem, privateKeyPEM: key,
            clientAuthoritiesPEM: try FileSystem.readText(self.directory.caCertificatePath))
    }

    private func lasts(_ certificate: Certificate) -> Bool {
        certificate.notValidAfter > self.now.adding(seconds: Self.renewalSeconds).date
    }
}

// MARK: - The authority

extension SandboxTLS {
    private struct Authority {
        let certificate: Certificate
        let key: P256.Signing.PrivateKey
    }

    private func authority() throws -> Authority {
        if FileSystem.exists(self.directory.caCertificatePath), FileSystem.exists(self.directory.caKeyPath),
            let certificate = try? Certificate(pemEncoded: try FileSystem.readText(self.directory.caCertificatePath)),
            let key = try? P256.Signing.PrivateKey(
                pemRepresentation: try FileSystem.readPrivateText(self.directory.caKeyPath)),
            certificate.publicKey == Certificate.PublicKey(key.publicKey), self.lasts(certificate)
        {
            return Authority(certificate: certificate, key: key)
        }
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName {
            CommonName("Pomona Sandbox CA")
            OrganizationName("Pomona")
        }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: self.now.adding(seconds: -86_400).date,
            notValidAfter: self.now.adding(seconds: Self.authorityValiditySeconds).date, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
            }, issuerPrivateKey: Certificate.PrivateKey(key))
        try FileSystem.writePrivate(key.pemRepresentation + "\n", to: self.directory.caKeyPath)
        try FileSystem.write(try certificate.serializeAsPEM().pemString + "\n", to: self.directory.caCertificatePath)
        return Authority(certificate: certificate, key: key)
    }
}

// MARK: - What it certifies

extension SandboxTLS {
    private var names: [GeneralName] {
        var names: [GeneralName] = [.dnsName("localhost"), Self.generalName("127.0.0.1"), Self.generalName("::1")]
        for host in [self.host] + self.otherNames where !["0.0.0.0", "::"].contains(host) {
            let name = Self.generalName(host)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Whether a text can stand in a certificate as a name or an address: labels of letters, digits and hyphens
    /// (RFC 1123, section 2.1), the first perhaps "*" (RFC 6125, section 6.4.3).
    static func isName(_ text: String) -> Bool {
        if IPAddress(text) != nil || HostName.isName(text) { return true }
        let wildcard = "*."
        guard text.hasPrefix(wildcard) else { return false }
        let parent = text.dropFirst(wildcard.count)
        // A letter in the place of "*", which counts for the length of the whole.
        return parent.contains(".") && HostName.isName("a." + parent)
    }

    private static func names(of certificate: Certificate) -> [GeneralName]? {
        (try? certificate.extensions.subjectAlternativeNames).map { Array($0) }
    }

    /// An address in its network form (RFC 5280, section 4.2.1.6), or a name.
    private static func generalName(_ host: String) -> GeneralName {
        guard let address = IPAddress(host) else { return .dnsName(host) }
        return .ipAddress(ASN1OctetString(contentBytes: address.bytes[...]))
    }

    private func certificate(
        for key: P256.Signing.PublicKey, issuer: Authority, subject: DistinguishedName, usage: ExtendedKeyUsage.Usage,
        names: [GeneralName]?
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key),
            notValidBefore: self.now.adding(seconds: -3600).date,
            notValidAfter: self.now.adding(seconds: Self.serverValiditySeconds).date,
            issuer: issuer.certificate.subject, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([usage])
                if let names { SubjectAlternativeNames(names) }
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key))
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: issuer.certificate.publicKey).keyIdentifier)
            }, issuerPrivateKey: Certificate.PrivateKey(issuer.key))
    }
}
