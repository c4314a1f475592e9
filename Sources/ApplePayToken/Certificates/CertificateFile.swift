//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import SwiftASN1

/// A certificate file as Apple and openssl write it: DER (`.cer`) or PEM.
enum CertificateFile {
    /// The DER of the one certificate in the file. Of several in a PEM, the first.
    static func der(_ bytes: [UInt8]) throws(TokenError) -> [UInt8] {
        // A certificate's DER begins with a SEQUENCE of two length bytes; no text does.
        if bytes.starts(with: [0x30, 0x82]) || bytes.starts(with: [0x30, 0x81]) { return bytes }
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw TokenError(.certificateUnreadable, .certificate, "The file is neither DER nor PEM.")
        }
        guard let certificate = documents.first(where: { $0.discriminator == "CERTIFICATE" }) else {
            throw TokenError(.certificateUnreadable, .certificate, "The PEM file holds no CERTIFICATE.")
        }
        return certificate.derBytes
    }
}
