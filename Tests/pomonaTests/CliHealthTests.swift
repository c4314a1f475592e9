//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestProcesses
import TestUpstream
import Testing

/// `pomona health`, as a program beside another.
@Suite("pomona health")
struct CliHealthTests {
    @Test func asksTheGatewayThatTheConfigurationIsOf() async throws {
        let folder = try CliFolder()
        let port = try FreePort.find()
        let file = folder.file("node.json")
        _ = try folder.write("before.json", #"{"http": {"host": "0.0.0.0", "port": \#(port)}}"#)
        let before = try await CliTool.pomona(["health", "--config", folder.file("before.json")])
        #expect(before.exitCode == 1)
        #expect(before.stderr.contains("gateway_unreachable") && before.stderr.contains("127.0.0.1:\(port)/readyz"))
        let gateway = try await GatewayProcess("node", data: folder.file("data"), port: port, in: folder)
        let ready = try await CliTool.pomona(["health", "--config", file])
        #expect(ready.exitCode == 0, "\(ready.stderr)")
        #expect(ready.stdout == "The gateway at http://127.0.0.1:\(port) is ready.\n")
        let named = try await CliTool.pomona(["health", "--url", "http://localhost:\(port)/"])
        #expect(named.exitCode == 0, "\(named.stderr)")
        #expect(await gateway.stop() == 0)
        #expect(try await CliTool.pomona(["health", "--config", file]).exitCode == 1)
    }

    @Test func saysWhatIsWrongOfAGatewayThatIsNotReady() async throws {
        let failing = try await StubUpstream { request, _ in
            request.path == "/readyz"
                ? StubAnswer(status: 503, body: #"{"status":"not_ready","failures":["draining","store"]}"#)
                : StubAnswer(status: 404, body: "nothing")
        }
        let refused = try await CliTool.pomona(["health", "--url", "http://127.0.0.1:\(failing.port)"])
        #expect(refused.exitCode == 1)
        #expect(refused.stderr.contains("gateway_not_ready") && refused.stderr.contains("draining, store"))
        let other = try await CliTool.pomona(["health", "--url", "http://127.0.0.1:\(failing.port)/elsewhere"])
        #expect(other.exitCode == 1 && other.stderr.contains("status 404"))
        await failing.close()
    }

    @Test func withoutAKnownPortItWantsAnAddress() async throws {
        let folder = try CliFolder()
        for (name, text) in [
            ("free.json", #"{"http": {"port": 0}}"#), ("none.json", #"{"http": {"enabled": false}}"#),
        ] {
            let refused = try await CliTool.pomona(["health", "--config", try folder.write(name, text)])
            #expect(refused.exitCode == 1 && refused.stderr.contains("--url"), "\(refused.stderr)")
        }
    }
}
