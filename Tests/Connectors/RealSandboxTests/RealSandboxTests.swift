//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Foundation
import Testing
import Time

/// Against the vendors' own sandboxes, with an account of the operator's. It never runs without one;
/// docs/connectors/real-sandboxes.md says how it is given.
@Suite(.serialized) struct RealSandboxTests {
    private static func given(_ service: RealService) -> ConditionTrait {
        .enabled(
            if: ProcessInfo.processInfo.environment[service.variable] != nil,
            "extra is absent: \(service.variable)=FILE names no account at the sandbox (docs/connectors/real-sandboxes.md)"
        )
    }

    @Test(Self.given(.mpgs)) func mpgs() async throws { try await Self.run(.mpgs) }
    @Test(Self.given(.payone)) func payone() async throws { try await Self.run(.payone) }
    @Test(Self.given(.radial)) func radial() async throws { try await Self.run(.radial) }
    @Test(Self.given(.tappay)) func tappay() async throws { try await Self.run(.tappay) }
    @Test(Self.given(.alphapay)) func alphapay() async throws { try await Self.run(.alphapay) }

    private static let surroundings = Surroundings(
        clock: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })

    private static func run(_ service: RealService) async throws {
        let path = try #require(ProcessInfo.processInfo.environment[service.variable])
        let file = try SandboxFile(path: path)
        let client = UpstreamClient()
        let report = await SandboxRun(service: service, file: file, client: client, surroundings: Self.surroundings)
            .report()
        await client.shutdown()
        for line in report.lines { print(line) }
        #expect(report.problems.isEmpty)
    }
}
