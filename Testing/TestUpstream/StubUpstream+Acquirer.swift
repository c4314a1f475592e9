//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit

extension StubUpstream {
    /// For what sends nothing, or waits for no answer.
    public static let noAnswer: Script = { _, _ in StubAnswer(status: 500, body: "") }

    /// Runs a body with a stub, and a client whose calls have no deadline.
    public static func with<Value>(
        _ script: @escaping Script, _ body: (StubUpstream, UpstreamClient) async throws -> Value
    ) async throws -> Value {
        let stub = try await StubUpstream(script: script)
        let result: Result<Value, any Error>
        do {
            result = .success(try await UpstreamClient.withoutDeadline { client in try await body(stub, client) })
        } catch {
            result = .failure(error)
        }
        await stub.close()
        return try result.get()
    }

    /// Where nothing listens. Not a port that was just given back: another test's server may be the next to get that.
    public static let closedURL = "http://127.0.0.1:1"

    public var url: String { "http://127.0.0.1:\(self.port)" }
}
