//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Gateway
public import TestGateway

/// A service's stand-in that answers when a test lets it.
public protocol HoldingStandIn: Sendable {
    /// Returns when a request is held or on its way.
    func heldRequestArrived() async
    /// Nothing will arrive any more.
    func stopWaiting()
    func close() async
}

extension HoldingStandIn {
    /// Runs a body with a client whose calls have a deadline that a test lets pass; then closes all.
    public func serving(_ body: (UpstreamClient, TestDeadline) async throws -> Void) async throws {
        let deadline = TestDeadline()
        let limits = UpstreamLimits(connectMilliseconds: 60_000)
        let client = UpstreamClient(limits: limits) { _ in try await deadline.wait() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(client, deadline)) } catch { result = .failure(error) }
        deadline.pass()
        await self.close()
        await client.shutdown()
        try result.get()
    }

    /// Makes a call whose answer comes after its deadline, or never.
    public func loseAnswer(
        _ deadline: TestDeadline, _ call: @escaping @Sendable () async throws -> OperationOutcome
    ) async throws -> OperationOutcome {
        let running = Task {
            // What is refused before it is sent never arrives.
            defer { self.stopWaiting() }
            return try await call()
        }
        await self.heldRequestArrived()
        deadline.pass()
        let outcome = try await running.value
        deadline.reset()
        return outcome
    }
}
