//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Synchronization
import TestGateway
import Testing

/// What the customer's statement is to say of a capture reaches the acquirer, and is the same whenever it is sent.
@Suite struct NarrativeTextTests {
    /// Approves everything, notes what it is asked for, and loses the answers to so many captures.
    private final class Witness: Acquirer {
        private struct State {
            var texts: [String?] = []
            var lossesCount: Int
        }

        let name = AcquirerName("simulator")
        let capabilities = AcquirerCapabilities(recovery: .reports(repeats: true))
        private let state: Mutex<State>

        init(lossesCount: Int = 0) {
            self.state = Mutex(State(lossesCount: lossesCount))
        }

        /// Of every request, in the order in which they came.
        var texts: [String?] { self.state.withLock { $0.texts } }

        func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
            let isLost = self.state.withLock { state in
                state.texts.append(request.statementDescriptor)
                guard case .capture = request.action, state.lossesCount > 0 else { return false }
                state.lossesCount -= 1
                return true
            }
            if isLost { return .timedOut("lost") }
            return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer(responseCode: "00")))
        }

        func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("not_asked")) }
    }

    private static func shop(_ acquirer: Witness) async throws -> TestShop {
        try await TestShop.open { parts in
            parts.connectors = [SharedAcquirerConnector(acquirer, takesLive: true)]
        }
    }

    @Test func reachesTheAcquirerWithItsCaptureAlone() async throws {
        let acquirer = Witness()
        let shop = try await Self.shop(acquirer)
        let txid = try await shop.preauthorized()
        let part = ShopForm.capture(txid, 400, mode: "notcompleted").with("narrative_text", "APPLES, PART 1")
        #expect(try await shop.send(part).status == "APPROVED")
        #expect(try await shop.send(ShopForm.capture(txid, 600, sequenceNumber: 2)).status == "APPROVED")
        let refund = ShopForm.debit(txid, -100, sequenceNumber: 3).with("narrative_text", "BRUISED")
        #expect(try await shop.send(refund).status == "APPROVED")
        #expect(acquirer.texts == [nil, "APPLES, PART 1", nil, nil])
        #expect(try await shop.payment().operations.map(\.labels.memo).contains("BRUISED"))
    }

    @Test func isTheSameWhenTheCaptureIsSentAgain() async throws {
        let acquirer = Witness(lossesCount: 2)
        let shop = try await Self.shop(acquirer)
        let capture = ShopForm.capture(try await shop.preauthorized(), 1000).with("narrative_text", "APPLES")
        #expect(try await shop.send(capture).status == "PENDING")
        await shop.test.recover()
        #expect(try await shop.payment().state == .captured)
        #expect(acquirer.texts == [nil, "APPLES", "APPLES", "APPLES"])
    }
}
