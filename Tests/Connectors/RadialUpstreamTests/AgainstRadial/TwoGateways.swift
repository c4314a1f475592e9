//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ConnectorKit
import DialectConformance
import DialectKit
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import RadialUpstream

/// A gateway whose acquirer is another one, with what that one reports on its way back.
struct TwoGateways: Sendable {
    /// Where the payments are made.
    let front: FrontGateway
    let other: OtherRadial

    var first: TestGateway { self.front.test }

    /// Runs a body with both.
    ///
    /// - Parameters:
    ///   - through: makes a proxy to the other gateway's port, and gives its own.
    ///   - client: of the connector; one whose deadline does not pass if left out.
    static func with(
        through: ((Int) async throws -> Int)? = nil, client: UpstreamClient? = nil,
        _ body: (TwoGateways) async throws -> Void
    ) async throws {
        let other = try await OtherRadial.open()
        try await (client ?? Bench.client()).closed { client in
            try await other.other.serving { port in
                let reached = try await through?(port) ?? port
                let front = try await FrontGateway.open(
                    RadialConnector(client: client), countryCode: "US",
                    secrets: Bench.secrets.mapValues { Redacted($0) }
                ) { merchantIdentifier in
                    [
                        "host": "http://127.0.0.1:\(reached)", "storeId": Bench.storeID,
                        "webhookUser": Bench.noticeUser, "applePayMerchantIdentifiers": merchantIdentifier,
                    ]
                }
                try await body(TwoGateways(front: front, other: other))
            }
        }
    }

    // MARK: - Payments

    func authorize(_ minorUnits: Int64, sale: Bool = false) async throws -> OperationOutcome {
        let amount = try Bench.money(minorUnits)
        let token = try self.other.test.mint(amount, for: self.other.store)
        return try await self.front.authorize(
            amount, .applePay(json: token.paymentToken), sale: sale,
            details: ChargeDetails(customer: Bench.customer, billing: Bench.billing))
    }

    func follow(_ action: FollowUpCommand.Action, of payment: PaymentID) async throws -> PaymentOperation {
        try await self.front.follow(action, of: payment).operation
    }

    func state(of operation: PaymentOperation) async throws -> PaymentOperation.State? {
        let payment = try await self.front.payment(of: operation)
        return payment.flatMap { $0.operation(operation.id).map($0.currentState) }
    }

    /// Recovery looks after what is open, once an hour.
    func recover(times: Int) async {
        for _ in 0..<times {
            self.first.clock.advance(seconds: 3600)
            _ = await self.first.gateway.recover()
        }
    }

    // MARK: - Notices

    /// What the other gateway has to report, in order, each acknowledged.
    func reports() async throws -> [NoticeCall] {
        try await self.other.test.deliverAll(through: self.other.dialect) { _ in (200, "") }.map(\.notification)
            .map { notification in
                let headers = notification.headers.map { ($0.name.lowercased(), $0.value) }
                return NoticeCall(headers: Dictionary(uniqueKeysWithValues: headers), body: notification.body)
            }
    }

    func receive(_ call: NoticeCall) async -> Int { await self.front.receive(call).status }

    /// Delivers all that there is to report.
    @discardableResult
    func deliver(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int {
        let reports = try await self.reports()
        for report in reports { #expect(await self.receive(report) == 200, sourceLocation: sourceLocation) }
        return reports.count
    }

    // MARK: - Books

    /// Whether both gateways, and the acquirer behind them, have the same sums of a payment.
    func expectAgreement(
        on id: PaymentID, authorized: Int64 = 0, captured: Int64 = 0, refunded: Int64 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await self.front.expectAgreement(
            on: id, with: try await self.other.positions()[id.shortName], authorized: authorized, captured: captured,
            refunded: refunded, sourceLocation: sourceLocation)
        #expect(try await self.front.bookProblems().isEmpty, sourceLocation: sourceLocation)
        #expect(try await self.other.test.bookProblems().isEmpty, sourceLocation: sourceLocation)
    }
}
