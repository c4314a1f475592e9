//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Object identifiers of the CMS as the content octets of their DER (X.690, 8.19), to be compared with the bytes as
/// they stand.
enum ObjectIdentifiers {
    /// 1.2.840.113549.1.7.1 id-data
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    /// 1.2.840.113549.1.7.2 id-signedData
    static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    /// 1.2.840.113549.1.9.3
    static let contentType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03]
    /// 1.2.840.113549.1.9.4
    static let messageDigest: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x04]
    /// 1.2.840.113549.1.9.5
    static let signingTime: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x05]
    /// 1.2.840.113549.1.9.52 id-aa-cmsAlgorithmProtection (RFC 6211)
    static let algorithmProtection: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x34]
    /// 2.16.840.1.101.3.4.2.1
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    /// 1.2.840.10045.4.3.2
    static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    /// 1.2.840.113549.1.1.11
    static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
    /// 1.2.840.113549.1.1.1
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
}

extension BERReader {
    static let integerTag: UInt8 = 0x02
    static let octetStringTag: UInt8 = 0x04
    static let nullTag: UInt8 = 0x05
    static let objectIdentifierTag: UInt8 = 0x06
    static let utcTimeTag: UInt8 = 0x17
    static let generalizedTimeTag: UInt8 = 0x18
    static let sequenceTag: UInt8 = 0x30
    static let setTag: UInt8 = 0x31
    /// [0], constructed
    static let contextTag0: UInt8 = 0xA0
    /// [1], constructed
    static let contextTag1: UInt8 = 0xA1
}
