//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import SwiftASN1
import X509

extension TestAuthority {
    /// An authority as PEM texts, to be kept in files. It holds private keys: keep the files from others' eyes.
    public struct Archive: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// A text of the archive; the raw value is the name of the file to keep it in.
        public enum Name: String, CaseIterable, Hashable, Sendable {
            case rootCertificate = "root.pem"
            case rootKey = "root-key.pem"
            case intermediateCertificate = "intermediate.pem"
            case intermediateKey = "intermediate-key.pem"
            case leafCertificate = "leaf.pem"
            case leafKey = "leaf-key.pem"
            case merchantIntermediateCertificate = "merchant-intermediate.pem"
            case merchantIntermediateKey = "merchant-intermediate-key.pem"
            /// Only there once an RSA_v1 token has been minted.
            case rsaLeafCertificate = "rsa-leaf.pem"
            case rsaLeafKey = "rsa-leaf-key.pem"

            /// Whether an authority can be made without this text.
            public var isOptional: Bool { self == .rsaLeafCertificate || self == .rsaLeafKey }

            /// Whether the text is a private key.
            public var isSecret: Bool {
                switch self {
                case .rootKey, .intermediateKey, .leafKey, .merchantIntermediateKey, .rsaLeafKey: true
                case .rootCertificate, .intermediateCertificate, .leafCertificate, .merchantIntermediateCertificate,
                    .rsaLeafCertificate:
                    false
                }
            }
        }

        /// PEM texts by name.
        public var texts: [Name: String]

        public init(texts: [Name: String]) {
            self.texts = texts
        }

        public subscript(name: Name) -> String? { self.texts[name] }

        /// Says how much is there and nothing of it.
        public var description: String { "TestAuthority.Archive(\(self.texts.count) texts)" }

        public var customMirror: Mirror { Mirror(self, children: ["count": self.texts.count]) }
    }

    /// The authority as PEM texts; with the RSA leaf if it has been made.
    public func archive() throws -> Archive {
        var texts: [Archive.Name: String] = [
            .rootCertificate: self.rootCertificatePEM,
            .rootKey: self.rootKey.pemRepresentation,
            .intermediateCertificate: try self.intermediateCertificate.serializeAsPEM().pemString,
            .intermediateKey: self.intermediateKey.pemRepresentation,
            .leafCertificate: try self.leafCertificate.serializeAsPEM().pemString,
            .leafKey: self.leafKey.pemRepresentation,
            .merchantIntermediateCertificate: try self.merchantIntermediateCertificate.serializeAsPEM().pemString,
            .merchantIntermediateKey: self.merchantIntermediateKey.pemRepresentation,
        ]
        if let rsaLeaf = self.rsaLeaf.existing {
            texts[.rsaLeafCertificate] = try rsaLeaf.certificate.serializeAsPEM().pemString
            texts[.rsaLeafKey] = rsaLeaf.key.pkcs8PEMRepresentation
        }
        return Archive(texts: texts)
    }

    /// The authority of an archive.
    ///
    /// - Throws: ``SimulatorError`` `archive_incomplete`, `archive_malformed`, or `archive_inconsistent` when a key
    ///   doesn't fit its certificate or a certificate isn't signed by the one above it.
    public convenience init(archive: Archive) throws {
        let reader = ArchiveReader(archive: archive)
        let root = try reader.certificate(.rootCertificate)
        let intermediate = try reader.certificate(.intermediateCertificate)
        let leaf = try reader.certificate(.leafCertificate)
        let merchantIntermediate = try reader.certificate(.merchantIntermediateCertificate)
        let rootKey = try reader.key(.rootKey, for: root, P384.Signing.PrivateKey.init(pemRepresentation:)) {
            Certificate.PublicKey($0.publicKey)
        }
        let intermediateKey = try reader.p256Key(.intermediateKey, for: intermediate)
        let leafKey = try reader.p256Key(.leafKey, for: leaf)
        let merchantKey = try reader.p256Key(.merchantIntermediateKey, for: merchantIntermediate)
        var rsaLeaf: RSALeaf?
        if archive[.rsaLeafCertificate] != nil || archive[.rsaLeafKey] != nil {
            let certificate = try reader.certificate(.rsaLeafCertificate)
            let key = try reader.key(
                .rsaLeafKey, for: certificate, _RSA.Signing.PrivateKey.init(pemRepresentation:)
            ) { Certificate.PublicKey($0.publicKey) }
            try reader.check(certificate, isSignedBy: intermediate, as: .rsaLeafCertificate)
            rsaLeaf = try RSALeaf(certificate: certificate, key: key)
        }
        try reader.check(root, isSignedBy: root, as: .rootCertificate)
        try reader.check(intermediate, isSignedBy: root, as: .intermediateCertificate)
        try reader.check(merchantIntermediate, isSignedBy: root, as: .merchantIntermediateCertificate)
        try reader.check(leaf, isSignedBy: intermediate, as: .leafCertificate)
        try self.init(
            root: (root, rootKey), intermediate: (intermediate, intermediateKey), leaf: (leaf, leafKey),
            merchantIntermediate: (merchantIntermediate, merchantKey), rsaLeaf: rsaLeaf)
    }
}

/// Reads an archive's texts and says which of them is wrong.
private struct ArchiveReader {
    typealias Name = TestAuthority.Archive.Name

    let archive: TestAuthority.Archive

    func text(_ name: Name) throws(SimulatorError) -> String {
        guard let text = self.archive[name] else {
            throw SimulatorError(
                .archiveIncomplete,
                "the authority's archive lacks \(name.rawValue): restore it, or make a new authority")
        }
        return text
    }

    func certificate(_ name: Name) throws -> Certificate {
        let text = try self.text(name)
        do {
            return try Certificate(pemEncoded: text)
        } catch {
            throw SimulatorError(.archiveMalformed, "\(name.rawValue) is not a PEM certificate")
        }
    }

    func p256Key(_ name: Name, for certificate: Certificate) throws -> P256.Signing.PrivateKey {
        try self.key(name, for: certificate, P256.Signing.PrivateKey.init(pemRepresentation:)) {
            Certificate.PublicKey($0.publicKey)
        }
    }

    func key<Key>(
        _ name: Name, for certificate: Certificate, _ read: (String) throws -> Key,
        publicKey: (Key) -> Certificate.PublicKey
    ) throws -> Key {
        let text = try self.text(name)
        let key: Key
        do {
            key = try read(text)
        } catch {
            throw SimulatorError(
                .archiveMalformed, "\(name.rawValue) is not a PEM private key of the kind that belongs there")
        }
        guard publicKey(key) == certificate.publicKey else {
            throw SimulatorError(.archiveInconsistent, "\(name.rawValue) is not the key of its certificate")
        }
        return key
    }

    func check(_ certificate: Certificate, isSignedBy issuer: Certificate, as name: Name) throws(SimulatorError) {
        guard certificate.issuer == issuer.subject,
            issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
        else {
            throw SimulatorError(
                .archiveInconsistent, "\(name.rawValue) is not signed by the certificate above it in this archive")
        }
    }
}
