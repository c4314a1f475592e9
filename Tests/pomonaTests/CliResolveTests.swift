//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

/// `pomona payments resolve`: what a person decides.
struct CliResolveTests {
    private static let unknown = "op_01M7YRCW0HRMMTHEQKHE6Y9WF6"

    @Test(arguments: [
        ["op_1", "--failed", "--reason", "x"], [Self.unknown, "--reason", "x"],
        [Self.unknown, "--approved", "--failed", "--reason", "x"], [Self.unknown, "--failed"],
        [Self.unknown, "--failed", "--reference", "1", "--reason", "x"], [Self.unknown, "--failed", "--reason", ""],
        [Self.unknown, "--failed", "--reason", "two\nlines"],
    ])
    func refusesWhatIsNoDecision(_ arguments: [String]) async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(["payments", "resolve", "--data", folder.file("data")] + arguments)
        #expect(result.exitCode == 64, "\(result.stderr)")
    }

    @Test func decidesOnlyWhatIsOpen() async throws {
        let folder = try CliFolder()
        let sandbox = try await SandboxProcess(
            data: folder.file("data"), arguments: ["--port", "0", "--tls-port", "0", "--no-shop"])
        let resolve = ["payments", "resolve", "--data", folder.file("data"), "--json", "--failed", "--reason", "x"]
        let unknown = try await CliTool.pomona(resolve + [Self.unknown])
        #expect(unknown.exitCode == 1)
        #expect(try unknown.json()["error"]?["code"]?.string == "operation_unknown", "\(unknown.stdout)")
        #expect(await sandbox.stop() == 0)
    }
}
