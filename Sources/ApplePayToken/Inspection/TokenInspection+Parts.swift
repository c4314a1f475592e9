//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
internal import SwiftASN1
internal import X509

extension TokenInspection.Part {
    /// The parts with their lengths. What is unique to a payment and no secret (its identifier, the hash of the key) is
    /// shown as it is.
    static func list(_ token: UnverifiedToken, _ signedData: SignedData?) -> [TokenInspection.Part] {
        func bytes(_ count: Int) -> String { "\(count) bytes" }
        let header = token.header
        var parts: [TokenInspection.Part] = [
            .init(name: "version", value: token.version.rawValue),
            .init(name: "data", value: "\(bytes(token.data.count)), of them \(TokenCipher.tagLength) of tag"),
            .init(name: "signature", value: bytes(token.signature.count)),
            .init(name: "header.publicKeyHash", value: header.publicKeyHashText),
            .init(name: "header.transactionId", value: header.transactionIdentifierText),
            .init(name: "header.\(header.key)", value: bytes(header.key.bytes.count)),
            .init(name: "header.applicationData", value: header.applicationDataHash.map { Hex.encode($0) } ?? "absent"),
        ]
        if let method = token.paymentMethod {
            parts.append(.init(name: "paymentMethod.network", value: method.network ?? "absent"))
            parts.append(.init(name: "paymentMethod.type", value: method.type ?? "absent"))
        }
        if let signedData {
            parts.append(.init(name: "signature.algorithm", value: signedData.signatureAlgorithm.name))
            parts.append(.init(name: "signature.signingTime", value: signedData.attributes.signingTime.text))
            let protection =
                switch signedData.attributes.protection {
                case .absent: "absent"
                case .names(let algorithm): algorithm.name
                case .unsupported: "an algorithm that no token is signed with"
                }
            parts.append(.init(name: "signature.algorithmProtection", value: protection))
            parts.append(
                .init(
                    name: "signature.signer",
                    value: "serial number \(Hex.encode(signedData.bytes[signedData.serialNumber]))"))
        }
        return parts
    }
}

extension TokenInspection.CertificateSummary {
    /// The certificates that can be read, in the order of the set.
    static func list(_ signedData: SignedData) -> [TokenInspection.CertificateSummary] {
        signedData.certificates.compactMap { range in
            let der = Array(signedData.bytes[range])
            guard let parsed = try? TokenCertificate(der, code: .certificateMalformed, stage: .chain) else {
                return nil
            }
            return TokenInspection.CertificateSummary(parsed)
        }
    }

    private init(_ parsed: TokenCertificate) {
        let certificate = parsed.certificate
        let isLeaf = parsed.has(.appleTokenLeaf)
        let isIntermediate = parsed.has(.appleTokenIntermediate)
        switch (isLeaf, isIntermediate) {
        case (true, false): self.role = .leaf
        case (false, true): self.role = .intermediate
        case (false, false): self.role = parsed.isSelfIssued ? .root : .unknown
        case (true, true): self.role = .unknown
        }
        self.subject = certificate.subject.description
        self.issuer = certificate.issuer.description
        self.serialNumber = Hex.encode(parsed.serialNumber)
        self.notBefore = certificate.notValidBefore
        self.notAfter = certificate.notValidAfter
        let algorithm = KeyAlgorithm(certificate.publicKey)
        self.keyAlgorithm = algorithm == .other ? "\(certificate.publicKey)" : algorithm.description
        self.markers = [
            isLeaf ? ASN1ObjectIdentifier.appleTokenLeaf : nil,
            isIntermediate ? ASN1ObjectIdentifier.appleTokenIntermediate : nil,
        ].compactMap { $0?.description }
        self.bytesCount = parsed.der.count
    }
}
