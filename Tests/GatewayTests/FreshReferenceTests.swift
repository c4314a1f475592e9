//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import TestGateway
import Testing

/// References that dialects draw, and that must be free.
struct FreshReferenceTests {
    @Test func drawsAnotherWhileOneIsTaken() async throws {
        let shop = try await Shop.open()
        var drawn: [[UInt8]] = []
        let outcome = try await shop.gateway.fresh("name", bytesCount: 12) { random throws(GatewayRefusal) in
            drawn.append(random)
            guard drawn.count == 4 else { throw .referenceTaken(kind: "name") }
            return drawn.count
        }
        #expect(outcome == 4 && drawn.allSatisfy { $0.count == 12 } && Set(drawn).count == 4)
    }

    /// What is refused for another reason is refused at once, and so is a reference of another kind: the merchant's own.
    @Test(arguments: [GatewayRefusal.referenceTaken(kind: "other"), .tokenReplayed, .storeUnavailable])
    func doesNotTryAgainForAnythingElse(_ refusal: GatewayRefusal) async throws {
        let shop = try await Shop.open()
        var attempts = 0
        await #expect(throws: refusal) {
            try await shop.gateway.fresh("name", bytesCount: 1) { _ throws(GatewayRefusal) in
                attempts += 1
                throw refusal
            }
        }
        #expect(attempts == 1)
    }

    @Test func givesUpWhereEverythingIsTaken() async throws {
        let shop = try await Shop.open()
        var attempts = 0
        await #expect(throws: GatewayRefusal.referenceTaken(kind: "name")) {
            try await shop.gateway.fresh("name", bytesCount: 1) { _ throws(GatewayRefusal) in
                attempts += 1
                throw .referenceTaken(kind: "name")
            }
        }
        #expect(attempts == 8)
    }
}
