//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
public import NIOSSL
import SwiftASN1
import X509

/// An authority of a test's own, and what it certifies.
public struct TestAuthority {
    public struct Identity {
        public let certificatePEM: String
        public let keyPEM: String
        public let certificateDER: [UInt8]
    }

    public let certificatePEM: String
    private let key: P256.Signing.PrivateKey
    private let name: DistinguishedName

    public init(_ name: String) throws {
        self.key = P256.Signing.PrivateKey()
        self.name = try DistinguishedName { CommonName(name) }
        let now = Date()
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(self.key.publicKey), notValidBefore: now.addingTimeInterval(-3600),
            notValidAfter: now.addingTimeInterval(3600), issuer: self.name, subject: self.name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            }, issuerPrivateKey: Certificate.PrivateKey(self.key))
        self.certificatePEM = try certificate.serializeAsPEM().pemString
    }

    /// - Parameter host: a server's name; `nil` for a client.
    public func certify(host: String?) throws -> Identity {
        let key = P256.Signing.PrivateKey()
        let now = Date()
        let usage: ExtendedKeyUsage.Usage = host == nil ? .clientAuth : .serverAuth
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3600), notValidAfter: now.addingTimeInterval(3600),
            issuer: self.name, subject: try DistinguishedName { CommonName(host ?? "merchant") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage([usage])
                if let host { SubjectAlternativeNames([.dnsName(host)]) }
            }, issuerPrivateKey: Certificate.PrivateKey(self.key))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return Identity(
            certificatePEM: try certificate.serializeAsPEM().pemString, keyPEM: key.pemRepresentation,
            certificateDER: serializer.serializedBytes)
    }

    /// What a server shows.
    ///
    /// - Parameters:
    ///   - clients: whose certificates clients must show; `nil` for none.
    ///   - isOld: whether it speaks nothing later than TLS 1.1.
    public static func server(
        _ identity: Identity, clients: TestAuthority? = nil, isOld: Bool = false
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem)))
        if let clients {
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(
                try NIOSSLCertificate.fromPEMBytes(Array(clients.certificatePEM.utf8)))
        }
        if isOld {
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = .tlsv11
        }
        return try NIOSSLContext(configuration: configuration)
    }
}
