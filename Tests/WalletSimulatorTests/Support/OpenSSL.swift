//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestProcesses

/// The openssl command line as a second opinion that shares no code with the simulator's encoder.
struct OpenSSL {
    /// Runs `openssl` with those arguments in a directory of its own that holds those files. It waits on a thread of its
    /// own: the pool that all tests share has few.
    static func run(_ arguments: [String], files: [String: [UInt8]] = [:]) async throws -> Command.Outcome {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "wallet-simulator-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, bytes) in files { try Data(bytes).write(to: directory.appendingPathComponent(name)) }
        return try await Command(["/usr/bin/env", "openssl"] + arguments, in: directory.path).run()
    }

    /// A new RSA private key as PEM (PKCS#8). Blocks the thread.
    static func rsaKey(bits: Int) throws -> String {
        let command = ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"]
        return try Command(["/usr/bin/env"] + command).runBlocking().outputText
    }

    /// Verifies a detached CMS signature against one root at a moment.
    static func verify(
        signature: [UInt8], content: [UInt8], root: String, at time: Date
    ) async throws -> Command.Outcome {
        try await self.run(
            [
                "cms", "-verify", "-inform", "DER", "-in", "signature", "-binary", "-content", "content", "-CAfile",
                "root.pem", "-purpose", "any", "-attime", String(Int(time.timeIntervalSince1970)), "-out", "out",
            ],
            files: ["signature": signature, "content": content, "root.pem": Array(root.utf8)])
    }
}
