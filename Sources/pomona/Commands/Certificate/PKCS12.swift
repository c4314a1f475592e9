//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction

/// PKCS #12 files (.p12, RFC 7292): a certificate with its private key, as Keychain Access and openssl export them.
///
/// The library that reads them ends the process on a file that holds no key, or one that does not fit. The file is
/// input, so it is read in a process of its own: this very program, run as `certificate unpack-pkcs12`.
enum PKCS12 {
    struct Contents: Sendable {
        /// In PEM.
        let certificate: [UInt8]
        let privateKeyPEM: Redacted<String>
    }

    /// Whether the bytes begin as a PFX does: a SEQUENCE, and in it the INTEGER 3. A certificate's begins with another
    /// SEQUENCE.
    static func isLikely(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 8, bytes[0] == 0x30 else { return false }
        // One byte of length (or 80 for indefinite), or 8n and n more.
        let lengthCount = bytes[1] <= 0x80 ? 1 : Int(bytes[1] & 0x7F) + 1
        return bytes.dropFirst(1 + lengthCount).starts(with: [0x02, 0x01, 0x03])
    }

    /// - Throws: ``CommandFailure`` `pkcs12_passphrase_wrong`, `pkcs12_unreadable`.
    static func unpack(_ bytes: [UInt8], passphrase: Redacted<String>) async throws(CommandFailure) -> Contents {
        let answer: Answer
        do {
            answer = try Self.runReader(input: Frame.encode(passphrase: passphrase.reveal(), file: bytes))
        } catch {
            throw CommandFailure(
                .pkcs12Unreadable, stage: .certificate, "The reader of PKCS #12 files could not be started.")
        }
        switch answer.exitCode {
        case ExitCodes.done: break
        case ExitCodes.wrongPassphrase:
            throw CommandFailure(
                .pkcs12PassphraseWrong, stage: .certificate,
                "The passphrase does not open the PKCS #12 file. Put the right one into a file and name it with "
                    + "--passphrase-file."
            )
        default:
            throw CommandFailure(
                .pkcs12Unreadable, stage: .certificate,
                "The PKCS #12 file is damaged, or does not hold a certificate together with its P-256 or RSA "
                    + "private key."
            )
        }
        let parts = answer.output.split(separator: 0, maxSplits: 1)
        guard parts.count == 2, let key = String(validating: parts[1], as: UTF8.self) else {
            throw CommandFailure(.pkcs12Unreadable, stage: .certificate, "The PKCS #12 file could not be read.")
        }
        return Contents(certificate: Array(parts[0]), privateKeyPEM: Redacted(key))
    }

    private struct Answer {
        let exitCode: Int32
        let output: [UInt8]
    }

    /// The input is small (1 MiB at most) and read to its end before anything is written, so the two pipes cannot block
    /// each other.
    private static func runReader(input: [UInt8]) throws -> Answer {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["certificate", "unpack-pkcs12"]
        // A crash of the reader is an answer like any other: no report of it is wanted.
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let stdin = Pipe()
        let stdout = Pipe()
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let hasExited = process.terminationReason == .exit
        return Answer(exitCode: hasExited ? process.terminationStatus : -1, output: Array(output))
    }

    enum ExitCodes {
        static let done: Int32 = 0
        static let wrongPassphrase: Int32 = 3
        static let unreadable: Int32 = 4
    }

    /// What the reader gets on standard input: the passphrase in UTF-8, a zero byte, and the file.
    enum Frame {
        static func encode(passphrase: String, file: [UInt8]) -> [UInt8] {
            Array(passphrase.utf8) + [0] + file
        }

        static func decode(_ bytes: [UInt8]) -> (passphrase: [UInt8], file: [UInt8])? {
            guard let end = bytes.firstIndex(of: 0) else { return nil }
            return (Array(bytes[..<end]), Array(bytes[(end + 1)...]))
        }
    }
}
