//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Synchronization
import TestGateway
import Testing

/// What the bank approves a part of is given back, and may be tried once more: shops count what succeeded, and send the
/// same under the same number.
@Suite struct PartialApprovalTests {
    /// Approves half of its first captures and refunds, and all of everything else.
    private final class Halver: Acquirer {
        let name = AcquirerName("simulator")
        let capabilities = AcquirerCapabilities(recovery: .reversal)
        private let halvesCount: Mutex<Int>

        init(halvesCount: Int) {
            self.halvesCount = Mutex(halvesCount)
        }

        func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
            let isHalved = self.halvesCount.withLock { left in
                switch request.action {
                case .capture, .refund: break
                case .authorize, .verify, .adjust, .void, .reverse: return false
                }
                left -= 1
                return left >= 0
            }
            let minorUnits = request.amount.minorUnits / (isHalved ? 2 : 1)
            let amount = Money(minorUnits: minorUnits, currency: request.amount.currency)
            return .approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer(responseCode: "00")))
        }

        func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("not_asked")) }
    }

    private static func shop(halvesCount: Int) async throws -> TestShop {
        try await TestShop.open {
            $0.connectors = [SharedAcquirerConnector(Halver(halvesCount: halvesCount), takesLive: true)]
        }
    }

    @Test func aCaptureMayBeTriedOnceMoreUnderItsNumber() async throws {
        let shop = try await Self.shop(halvesCount: 2)
        let capture = ShopForm.capture(try await shop.preauthorized(), 600, mode: "notcompleted")
        _ = try await shop.sent()
        for _ in 0..<2 { #expect(try await shop.send(capture).errorCode == 21) }
        #expect(try await shop.sent().isEmpty)
        let reply = try await shop.send(capture)
        #expect(reply.status == "APPROVED")
        #expect(try await shop.send(capture) == reply)
        #expect(try await shop.payment().capturedAmount == TestShop.euros(600))
        #expect(try await shop.sent().map { $0["txaction"] } == ["capture", "paid"])
    }

    @Test func aDebitMayBeTriedOnceMoreUnderItsNumber() async throws {
        let shop = try await Self.shop(halvesCount: 1)
        let txid = try await shop.paid()
        let debit = ShopForm.debit(txid, -400, sequenceNumber: 1)
        #expect(try await shop.send(debit).errorCode == 21)
        #expect(try await shop.send(debit).status == "APPROVED")
        #expect(try await shop.payment().refundedAmount == TestShop.euros(400))
    }
}
