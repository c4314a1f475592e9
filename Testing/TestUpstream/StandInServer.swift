//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// The socket of a service's stand-in, once it is open.
public final class StandInServer: Sendable {
    private let stub = Mutex<StubUpstream?>(nil)

    public init() {}

    /// - Returns: the port.
    public func open(_ answer: @escaping @Sendable (StubRequest) -> StubAnswer) async throws -> Int {
        let stub = try await StubUpstream { request, _ in answer(request) }
        self.stub.withLock { $0 = stub }
        return stub.port
    }

    public func close() async { await self.stub.withLock { $0 }?.close() }

    /// All that has been sent.
    public var requests: [StubRequest] { self.stub.withLock { $0 }?.requests ?? [] }
}
