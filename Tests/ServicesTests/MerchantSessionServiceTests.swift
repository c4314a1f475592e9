//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Synchronization
import TestGateway
import Testing

@testable import Services

/// Who may ask for merchant sessions how often. Whom they are given to, `SandboxSessionTests` shows in a whole sandbox.
struct MerchantSessionServiceTests {
    @Test func oneAddressMayAskSoOftenAndNoMore() async throws {
        let test = try await TestGateway.open()
        let now = AtomicNanoseconds()
        let rates = SessionRates(exempt: try ClientNetworks(parsing: "192.0.2.99"), now: { now.value })
        let service = MerchantSessionService(
            gateway: test.gateway, limits: CallerLimits(throttle: nil, rates: nil, sessions: rates))
        func ask(_ address: String) async -> WireResponse {
            await service.respond(
                to: WireRequest(
                    method: .post, path: MerchantSessionService.path, body: Array("{}".utf8),
                    remoteAddress: address))
        }
        for _ in 0..<SessionRates.ofAddressBurst { #expect(await ask("192.0.2.1").status == .badRequest) }
        let refused = await ask("192.0.2.1")
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headers[.retryAfter] == "1")
        #expect(
            refused.refusal == WireRefusal(SessionRefusal.Code.tooManyRequests, of: TestOperation.merchantSession))
        #expect(await ask("192.0.2.2").status == .badRequest)
        for _ in 0..<(2 * SessionRates.ofAddressBurst) {
            #expect(await ask("192.0.2.99").status == .badRequest)
        }
        now.advance(1_000_000_000)
        for _ in 0..<SessionRates.ofAddressPerSecond {
            #expect(await ask("192.0.2.1").status == .badRequest)
        }
        #expect(await ask("192.0.2.1").status == .tooManyRequests)
    }
}

private enum TestOperation: String, CaseIterable {
    case merchantSession = "merchant-session"
}

/// A clock that a test moves.
private final class AtomicNanoseconds: Sendable {
    private let nanoseconds = Mutex<Int64>(0)

    var value: Int64 { self.nanoseconds.withLock { $0 } }

    func advance(_ by: Int64) { self.nanoseconds.withLock { $0 += by } }
}
