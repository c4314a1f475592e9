//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import ConnectorKit
import DialectConformance
import DialectKit
@_spi(Administration) import Gateway
import Money
import PAYONE
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import PAYONEUpstream

/// A gateway whose acquirer is another one, with what that one reports on its way back.
struct TwoGateways: Sendable {
    /// Where the payments are made.
    let front: FrontGateway
    let other: OtherPAYONE

    var first: TestGateway { self.front.test }

    /// Runs a body with both.
    ///
    /// - Parameter losesAnswers: whether no answer of the other one arrives.
    static func with(losesAnswers: Bool = false, _ body: (TwoGateways) async throws -> Void) async throws {
        let other = try await OtherPAYONE.open()
        // The deadline passes when an answer has been lost.
        let (swallowed, continuation) = AsyncStream<Void>.makeStream()
        let client =
            losesAnswers
            ? UpstreamClient(limits: UpstreamLimits(connectMilliseconds: 60_000)) { _ in for await _ in swallowed {} }
            : Bench.client()
        try await client.closed { client in
            try await other.gateway.serving { port in
                let proxy = losesAnswers ? try await FaultyProxy(to: port) : nil
                proxy?.set(.swallowAnswer)
                proxy?.onSwallowed { continuation.finish() }
                let front = try await FrontGateway.open(
                    PAYONEConnector(client: client), countryCode: "DE", secrets: ["key": Redacted(Bench.key)]
                ) { merchantIdentifier in
                    var all = Bench.settings()
                    all["host"] = "http://127.0.0.1:\(proxy?.port ?? port)"
                    all["applePayMerchantIdentifiers"] = merchantIdentifier
                    return all
                }
                try await body(TwoGateways(front: front, other: other))
                await proxy?.close()
            }
        }
    }

    // MARK: - Payments

    func authorize(_ amount: Money, sale: Bool = false) async throws -> OperationOutcome {
        let token = try self.other.test.mint(amount, for: self.other.merchant)
        return try await self.front.authorize(amount, .applePay(json: token.paymentToken), sale: sale)
    }

    func follow(_ action: FollowUpCommand.Action, of payment: PaymentID) async throws -> OperationOutcome {
        try await self.front.follow(action, of: payment)
    }

    func payment(_ id: PaymentID) async throws -> Payment {
        try await self.front.payment(id)
    }

    // MARK: - Notices

    /// What the other gateway has to report, in order, each acknowledged.
    func reports() async throws -> [[UInt8]] {
        try await self.other.test.deliverAll(through: self.other.dialect) { _ in (200, "TSOK") }
            .map(\.notification.body)
    }

    func receive(_ body: [UInt8]) async -> NoticeAnswer {
        await self.front.receive(
            NoticeCall(headers: ["content-type": "application/x-www-form-urlencoded"], body: body))
    }

    /// Delivers all that there is to report: each is acknowledged as the other gateway wants it.
    @discardableResult
    func deliver(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int {
        let reports = try await self.reports()
        for report in reports {
            let answer = await self.receive(report)
            #expect(
                self.other.dialect.isAcknowledged(status: answer.status, body: Array(answer.body.utf8)),
                sourceLocation: sourceLocation)
        }
        return reports.count
    }

    // MARK: - Books

    /// Whether both gateways, and the acquirer behind them, have the same sums of a payment.
    func expectAgreement(
        on id: PaymentID, authorized: Int64 = 0, captured: Int64 = 0, refunded: Int64 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let payment = try await self.payment(id)
        let reference = try #require(payment.operations.first?.id.shortName)
        try await self.front.expectAgreement(
            on: id, with: try await self.other.positions()[reference], authorized: authorized, captured: captured,
            refunded: refunded, sourceLocation: sourceLocation)
        #expect(try await self.problems().isEmpty, sourceLocation: sourceLocation)
    }

    func problems() async throws -> [String] {
        try await self.front.bookProblems() + (try await self.other.test.bookProblems())
    }
}
