//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import SwiftASN1
import X509

/// The parts of a detached CMS signature in DER (RFC 5652, section 5) that say what is signed: one signer, SHA-256,
/// ECDSA. Certificates in it are passed over, because whose key it must be is known.
struct DetachedSignature {
    /// Of the content and of the signed attributes.
    private static let tag0 = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    private let attributes: [Attribute]
    /// The attributes as they are signed: as a SET OF (RFC 5652, section 5.4).
    private let signedBytes: [UInt8]
    private let signature: [UInt8]

    private struct Attribute {
        let type: ASN1ObjectIdentifier
        let values: [[UInt8]]
    }

    /// - Throws: when the bytes are no such signature.
    init(_ bytes: [UInt8]) throws {
        let signerInfo = try Self.signerInfo(in: DER.parse(bytes))
        var children = try Self.children(of: signerInfo, .sequence).makeIterator()
        _ = try Self.next(&children)  // version
        _ = try Self.next(&children)  // sid
        guard try Self.algorithm(Self.next(&children)) == CMSOID.sha256 else { throw Self.malformed }
        let attributes = try Self.next(&children)
        guard try Self.algorithm(Self.next(&children)) == CMSOID.ecdsaWithSHA256 else { throw Self.malformed }
        self.signature = Array(try ASN1OctetString(derEncoded: Self.next(&children)).bytes)
        self.signedBytes = [BER.Tag.set] + attributes.encodedBytes.dropFirst()
        self.attributes = try Self.children(of: attributes, Self.tag0).map { attribute in
            let parts = try Self.children(of: attribute, .sequence)
            guard parts.count == 2 else { throw Self.malformed }
            return Attribute(
                type: try ASN1ObjectIdentifier(derEncoded: parts[0]),
                values: try Self.children(of: parts[1], .set).map { Array($0.encodedBytes) })
        }
    }

    /// Whether the key's owner has signed the message.
    func isValid(for message: [UInt8], by publicKey: Certificate.PublicKey) -> Bool {
        guard let key = P256.Signing.PublicKey(publicKey),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: self.signature),
            let data = try? BER.objectIdentifier(CMSOID.data)
        else { return false }
        let digest = BER.octetString(Array(SHA256.hash(data: message)))
        return self.values(of: CMSOID.contentType) == [data] && self.values(of: CMSOID.messageDigest) == [digest]
            && key.isValidSignature(signature, for: SHA256.hash(data: self.signedBytes))
    }

    /// The values of the one attribute of that type; `nil` if there are none or several.
    private func values(of type: ASN1ObjectIdentifier) -> [[UInt8]]? {
        let found = self.attributes.filter { $0.type == type }
        return found.count == 1 ? found[0].values : nil
    }
}

// MARK: - Reading

extension DetachedSignature {
    private struct Malformed: Error {}

    private static var malformed: Malformed { Malformed() }

    /// ContentInfo, SignedData, and in it the one SignerInfo.
    private static func signerInfo(in contentInfo: ASN1Node) throws -> ASN1Node {
        let outer = try self.children(of: contentInfo, .sequence)
        guard outer.count == 2, try ASN1ObjectIdentifier(derEncoded: outer[0]) == CMSOID.signedData,
            let signedData = try self.children(of: outer[1], self.tag0).first
        else { throw self.malformed }
        let parts = try self.children(of: signedData, .sequence)
        guard parts.count >= 4, let last = parts.last else { throw self.malformed }
        // A detached signature encapsulates the type of the content alone.
        let content = try self.children(of: parts[2], .sequence)
        guard content.count == 1, try ASN1ObjectIdentifier(derEncoded: content[0]) == CMSOID.data else {
            throw self.malformed
        }
        let signers = try self.children(of: last, .set)
        guard signers.count == 1 else { throw self.malformed }
        return signers[0]
    }

    private static func children(of node: ASN1Node, _ identifier: ASN1Identifier) throws -> [ASN1Node] {
        guard node.identifier == identifier, case .constructed(let nodes) = node.content else { throw self.malformed }
        return Array(nodes)
    }

    private static func next(_ nodes: inout some IteratorProtocol<ASN1Node>) throws -> ASN1Node {
        guard let node = nodes.next() else { throw self.malformed }
        return node
    }

    private static func algorithm(_ node: ASN1Node) throws -> ASN1ObjectIdentifier {
        guard let first = try self.children(of: node, .sequence).first else { throw self.malformed }
        return try ASN1ObjectIdentifier(derEncoded: first)
    }
}
