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
struct StandInFront: BookComparison {
    let front: FrontGateway
    let vendor: StandInTapPay
    private let sealed: SealedTokenFront

    var proxy: FaultyProxy { self.sealed.proxy }
    var test: TestGateway { self.front.test }

    static func with(
        secrets: [String: String] = Bench.keys, _ body: (StandInFront, StandInTapPay) async throws -> Void
    ) async throws {
        let deadline = CallDeadline()
        let vendor = StandInTapPay(deadline)
        let port = try await vendor.open()
        let result: Result<Void, any Error>
        do {
            try await SealedTokenFront.with(
                port: port, merchantIdentifier: Bench.appleMerchantID, countryCode: "TW", deadline,
                front: { client, proxy in
                    try await FrontGateway.open(
                        TapPayConnector(client: client), countryCode: "TW", secrets: secrets.mapValues { Redacted($0) }
                    ) { _ in TwoGateways.settings(port: proxy.port) }
                },
                { try await body(StandInFront(front: $0.front, vendor: vendor, sealed: $0), vendor) })
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await vendor.close()
        try result.get()
    }

    // MARK: - Payments

    func pay(_ dollars: Int64, sale: Bool = false) async throws -> OperationOutcome {
        try await self.sealed.authorize(try Self.money(dollars), sale: sale)
    }

    func follow(_ action: FollowUpCommand.Action, of payment: Payment) async throws -> PaymentOperation {
        try await self.front.follow(action, of: payment.id).operation
    }

    func refund(_ dollars: Int64, of payment: Payment) async throws -> PaymentOperation {
        try await self.follow(.refund(try Self.money(dollars)), of: payment)
    }

    /// An authorization whose money has been taken.
    func captured(_ dollars: Int64) async throws -> Payment {
        let payment = try await self.pay(dollars).payment
        #expect(try await self.follow(.capture(nil, isFinal: true), of: payment).state == .succeeded)
        self.vendor.evening()
        return payment
    }

    func state(of operation: PaymentOperation) async throws -> PaymentOperation.State? {
        try await self.front.payment(of: operation)?.operation(operation.id)?.state
    }

    static func money(_ dollars: Int64) throws -> Money { try Bench.money(dollars * 100) }

    // MARK: - Both books

    func differences() async throws -> [String] {
        var differences = try await self.front.bookProblems() + self.openOperations()
        var names: Set<String> = []
        for payment in try await self.test.payments() {
            guard let opening = payment.opening else { continue }
            let name = opening.id.shortName
            names.insert(name)
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

    func receive(_ text: String) async -> NoticeAnswer {
        await self.front.receive(NoticeCall(headers: [:], body: Array(text.utf8)))
    }
}
