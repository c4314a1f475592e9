//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ConnectorKit
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import TapPayUpstream

/// A whole gateway, this connector, and TapPay's stand-in at the other end of a socket.
struct StandInFront: Sendable {
    let front: FrontGateway
    let vendor: StandInTapPay
    let proxy: FaultyProxy
    /// Whoever has the key of the merchant identifier: its tokens nobody here can open.
    private let wallet: TestGateway
    private let merchant: TestMerchant

    var test: TestGateway { self.front.test }

    static func with(
        secrets: [String: String] = Bench.keys, _ body: (StandInFront, StandInTapPay) async throws -> Void
    ) async throws {
        let deadline = CallDeadline()
        // A machine that has much to do is no service that can't be reached.
        let client = UpstreamClient(limits: UpstreamLimits(connectMilliseconds: 60_000)) { _ in await deadline.wait() }
        let vendor = StandInTapPay(deadline)
        let proxy = try await FaultyProxy(to: try await vendor.open())
        let result: Result<Void, any Error>
        do {
            let front = try await FrontGateway.open(
                TapPayConnector(client: client), countryCode: "TW", secrets: secrets.mapValues { Redacted($0) }
            ) { _ in
                [
                    "host": "http://127.0.0.1:\(proxy.port)", "appId": "12345", "merchantId": Bench.merchantID,
                    "appleMerchantId": Bench.appleMerchantID, "notificationUrl": TwoGateways.notificationURL,
                    "applePayMerchantIdentifiers": Bench.appleMerchantID,
                ]
            }
            let wallet = try await TestGateway.open(seed: 3)
            let merchant = try await wallet.addMerchant(
                dialect: DialectName("none"), key: "vendor", merchantIdentifier: Bench.appleMerchantID,
                countryCode: "TW")
            try await body(
                StandInFront(front: front, vendor: vendor, proxy: proxy, wallet: wallet, merchant: merchant), vendor)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        await proxy.close()
        await vendor.close()
        try result.get()
    }

    // MARK: - Payments

    func pay(_ dollars: Int64, sale: Bool = false) async throws -> OperationOutcome {
        let amount = try Self.money(dollars)
        let token = try self.wallet.mint(amount, for: self.merchant, signedAt: self.test.clock.now)
        return try await self.front.authorize(amount, .applePay(json: token.paymentToken), sale: sale)
    }

    func follow(_ action: FollowUpCommand.Action, of payment: Payment) async throws -> Payments.Operation {
        try await self.front.follow(action, of: payment.id).operation
    }

    func refund(_ dollars: Int64, of payment: Payment) async throws -> Payments.Operation {
        try await self.follow(.refund(try Self.money(dollars)), of: payment)
    }

    /// An authorization whose money has been taken.
    func captured(_ dollars: Int64) async throws -> Payment {
        let payment = try await self.pay(dollars).payment
        #expect(try await self.follow(.capture(nil, isFinal: true), of: payment).state == .succeeded)
        self.vendor.evening()
        return payment
    }

    func state(of operation: Payments.Operation) async throws -> Payments.Operation.State? {
        try await self.front.payment(of: operation)?.operation(operation.id)?.state
    }

    static func money(_ dollars: Int64) throws -> Money { try Bench.money(dollars * 100) }

    // MARK: - Both books

    /// What the gateway believes and TapPay has not, or the other way round: a sentence for each. It is asked when
    /// nothing is open any more; what is open is a difference too.
    func differences() async throws -> [String] {
        var differences = try await self.front.bookProblems()
        var names: Set<String> = []
        for payment in try await self.test.payments() {
            guard let opening = payment.opening else { continue }
            let name = opening.id.shortName
            names.insert(name)
            for operation in payment.operations where !operation.state.isResolved {
                differences.append("\(operation.kind) is open: \(operation.state)")
            }
            let trades = self.vendor.trades.filter { $0.name == name }
            let pairs = [
                ("taken", payment.capturedAmount - payment.refundedAmount, trades.reduce(0) { $0 + $1.taken }),
                ("held", payment.heldAmount, trades.reduce(0) { $0 + $1.held }),
            ]
            for (what, believed, dollars) in pairs where believed != (try Self.money(dollars)) {
                differences.append("\(what): the gateway says \(believed), TapPay \(dollars)")
            }
        }
        for trade in self.vendor.trades where !names.contains(trade.name) && (trade.taken > 0 || trade.held > 0) {
            differences.append("TapPay has a payment that the gateway does not know")
        }
        return differences
    }

    func expectAgreement(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await self.differences().isEmpty, sourceLocation: sourceLocation)
    }

    /// Recovers, and everything that was open has ended as both books say.
    func recoverToAgreement(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await self.test.recover()
        try await self.expectAgreement(sourceLocation)
    }

    func receive(_ text: String) async -> NoticeAnswer {
        await self.front.receive(NoticeCall(headers: [:], body: Array(text.utf8)))
    }
}
