//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@Suite("Commands beside a running gateway", .serialized)
struct CliBesideServerTests {
    @Test func readingAndMintingWorkAndChangingTheStoreIsRefused() async throws {
        let sandbox = try await CliSandbox.copy()
        let server = try await SandboxProcess(data: sandbox.data)
        for arguments in [
            ["ledger", "check"], ["payments", "list"], ["certificate", "list"],
            ["token", "mint", "--merchant", "alphapay", "--amount", "10.99", "--currency", "CAD"],
        ] {
            let result = try await CliTool.pomona(arguments + ["--data", sandbox.data, "--json"])
            #expect(result.exitCode == 0, "\(arguments): \(result.stdout)\(result.stderr)")
        }
        let request = try await CliTool.pomona([
            "certificate", "csr", "--data", sandbox.data, "--merchant", "alphapay", "--purpose",
            "payment-processing",
            "--merchant-identifier", "merchant.test.beside", "--json",
        ])
        #expect(request.exitCode == 0, "\(request.stdout)\(request.stderr)")
        let certificate = try await CliTool.pomona([
            "certificate", "import", "--data", sandbox.data, "--merchant", "alphapay",
            sandbox.processingCertificate,
            "--key", sandbox.processingKey, "--json",
        ])
        #expect(certificate.exitCode == 0, "\(certificate.stdout)\(certificate.stderr)")
        let demo = try await CliTool.pomona(["demo", "--data", sandbox.data])
        #expect(demo.exitCode == 1)
        #expect(demo.stderr.contains("directory_in_use"))
        let rsa = try await CliTool.pomona([
            "token", "mint", "--data", sandbox.data, "--merchant", "alphapay", "--amount", "1", "--version",
            "RSA_v1",
            "--json",
        ])
        #expect(rsa.exitCode == 0, "\(rsa.stdout)\(rsa.stderr)")
        #expect(await server.stop() == 0)
        // The owner has emptied its log: a copy of the one file is a copy of everything.
        let log = sandbox.data + "/pomona.sqlite-wal"
        let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        #expect((size ?? 0) == 0)
        let after = try await CliTool.pomona(["ledger", "check", "--data", sandbox.data, "--json"])
        #expect(after.exitCode == 0)
    }
}
