//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Crypto
import CryptoExtras
import Foundation
import NIOSSL

/// `pomona certificate unpack-pkcs12`: the reader behind ``PKCS12``, not for people. Frame on standard input;
/// certificate and key in PEM, a zero byte between them, on standard output.
struct PKCS12UnpackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unpack-pkcs12", shouldDisplay: false)

    func run() async throws {
        let input = try InputFile.bytes(of: "-", what: "frame", bytesMax: InputFile.pemBytesMax + 4096)
        guard let (passphrase, file) = PKCS12.Frame.decode(input) else {
            throw ExitCode(PKCS12.ExitCodes.unreadable)
        }
        let bundle = try self.bundle(file, passphrase)
        guard let certificate = bundle.certificateChain.first, let der = try? certificate.toDERBytes(),
            let keyDER = try? bundle.privateKey.derBytes, let key = Self.keyPEM(keyDER)
        else { throw ExitCode(PKCS12.ExitCodes.unreadable) }
        try FileHandle.standardOutput.write(contentsOf: Data(Self.certificatePEM(der).utf8) + [0] + Data(key.utf8))
    }

    private func bundle(_ file: [UInt8], _ passphrase: [UInt8]) throws(ExitCode) -> NIOSSLPKCS12Bundle {
        do {
            return try NIOSSLPKCS12Bundle(buffer: file, passphrase: passphrase)
        } catch {
            let isPassphrase = "\(error)".uppercased().contains("INCORRECT_PASSWORD")
            throw ExitCode(isPassphrase ? PKCS12.ExitCodes.wrongPassphrase : PKCS12.ExitCodes.unreadable)
        }
    }

    /// PKCS #8, the form in which this program keeps keys.
    private static func keyPEM(_ der: [UInt8]) -> String? {
        if let key = try? P256.Signing.PrivateKey(derRepresentation: der) { return key.pemRepresentation }
        return try? _RSA.Signing.PrivateKey(derRepresentation: der).pkcs8PEMRepresentation
    }

    /// RFC 7468: base64 in lines of 64 characters.
    private static func certificatePEM(_ der: [UInt8]) -> String {
        let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    }
}
