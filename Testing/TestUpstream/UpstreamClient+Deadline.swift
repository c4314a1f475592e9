//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit

extension UpstreamClient {
    /// A client whose calls have a deadline that does not pass.
    ///
    /// - Parameter limits: a machine that has much to do is no service that can't be reached, if left out.
    public static func withoutDeadline(
        limits: UpstreamLimits = UpstreamLimits(connectMilliseconds: 60_000)
    ) -> UpstreamClient {
        let deadline = CallDeadline()
        return UpstreamClient(limits: limits) { _ in await deadline.wait() }
    }

    /// Runs a body with such a client, and shuts it down.
    public static func withoutDeadline<Value>(_ body: (UpstreamClient) async throws -> Value) async throws -> Value {
        try await Self.withoutDeadline().closed(after: body)
    }

    /// Runs a body, and shuts the client down whatever it comes to.
    public func closed<Value>(after body: (UpstreamClient) async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        await self.shutdown()
        return try result.get()
    }
}
