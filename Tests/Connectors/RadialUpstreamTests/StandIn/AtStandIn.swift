//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import ConnectorKit
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import RadialUpstream

/// A gateway whose acquirer is the stand-in, with what the stand-in reports on its way back.
struct AtStandIn: Sendable {
    let standIn: RadialStandIn
    let front: FrontGateway
    /// Holds the key that the tokens are sealed for, in Radial's place.
    private let holder: (gateway: TestGateway, merchant: TestMerchant)

    static func with(
        settings: [String: String] = [:], _ body: (AtStandIn) async throws -> Void
    ) async throws {
        let deadline = CallDeadline()
        let client = UpstreamClient(limits: UpstreamLimits(connectMilliseconds: 60_000)) { _ in await deadline.wait() }
        let standIn = try await RadialStandIn(deadline)
        let result: Result<Void, any Error>
        do {
            let holder = try await TestGateway.open()
            let merchant = try await holder.addMerchant(
                dialect: DialectName("holder"), key: "radial", countryCode: "US")
            let front = try await FrontGateway.open(
                RadialConnector(client: client), countryCode: "US", secrets: Bench.secrets.mapValues { Redacted($0) }
            ) { merchantIdentifier in
                let all = [
                    "host": standIn.url, "storeId": Bench.storeID, "webhookUser": Bench.noticeUser,
                    "applePayMerchantIdentifiers": merchantIdentifier,
                ]
                return all.merging(settings) { $1 }
            }
            try await body(AtStandIn(standIn: standIn, front: front, holder: (holder, merchant)))
            #expect(standIn.problems == [])
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await standIn.close()
        await client.shutdown()
        try result.get()
    }

    // MARK: - Payments

    func authorize(_ cents: Int64 = 5000, sale: Bool = false) async throws -> OperationOutcome {
        let amount = try Bench.money(cents)
        let token = try self.holder.gateway.mint(amount, for: self.holder.merchant)
        return try await self.front.authorize(
            amount, .applePay(json: token.paymentToken), sale: sale,
            details: ChargeDetails(customer: Bench.customer, billing: Bench.billing))
    }

    func follow(_ action: FollowUpCommand.Action, of id: PaymentID) async throws -> PaymentOperation {
        try await self.front.follow(action, of: id).operation
    }

    func capture(_ cents: Int64, isFinal: Bool = false, of id: PaymentID) async throws -> PaymentOperation {
        try await self.follow(.capture(try Bench.money(cents), isFinal: isFinal), of: id)
    }

    func state(of operation: PaymentOperation) async throws -> PaymentOperation.State? {
        let payment = try await self.front.payment(of: operation)
        return payment.flatMap { $0.operation(operation.id).map($0.currentState) }
    }

    /// Recovery looks after what is open, once an hour.
    func recover(times: Int = 6) async {
        for _ in 0..<times {
            self.front.test.clock.advance(seconds: 3600)
            _ = await self.front.test.gateway.recover()
        }
    }

    // MARK: - Events

    private static func call(_ body: String, password: String = Bench.noticePassword) -> NoticeCall {
        let credentials = Base64.encode(Array("\(Bench.noticeUser):\(password)".utf8))
        return NoticeCall(
            headers: ["authorization": "Basic \(credentials)", "content-type": "application/xml"],
            body: Array(body.utf8))
    }

    /// - Returns: the HTTP status that the webhook is answered with.
    @discardableResult
    func receive(
        _ events: [String], _ style: StandInTexts.Style = .page, password: String = Bench.noticePassword
    ) async -> Int {
        await self.front.receive(Self.call(StandInTexts.list(events, style), password: password)).status
    }

    /// Delivers events, each by itself, and each has to be acknowledged.
    func deliver(
        _ events: [String], _ style: StandInTexts.Style = .page, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for event in events {
            #expect(await self.receive([event], style) == 200, sourceLocation: sourceLocation)
        }
    }

    // MARK: - Books

    /// In what the gateway's books are not the stand-in's; what is open is a difference too.
    func disagreements() async throws -> [String] {
        var found = try await self.front.bookProblems()
        let orders = self.standIn.orders
        let payments = try await self.front.test.payments()
        for payment in payments {
            let of = orders.filter { $0.id == payment.id.shortName }
            if of.count > 1 { found.append("\(of.count) orders of one payment") }
            for operation in payment.operations where !operation.state.isResolved {
                found.append("\(operation.kind) is open: \(operation.state)")
            }
            for (what, believed, booked) in [
                ("captured", payment.capturedAmount, of.reduce(0) { $0 + $1.captured }),
                ("refunded", payment.refundedAmount, of.reduce(0) { $0 + $1.refunded }),
                ("held", payment.heldAmount, of.reduce(0) { $0 + $1.held }),
            ] where believed.minorUnits != booked {
                found.append("\(what): \(believed.minorUnits) in the gateway, \(booked) in the stand-in")
            }
        }
        let known = Set(payments.map(\.id.shortName))
        for order in orders where !known.contains(order.id) { found.append("an order that the gateway does not know") }
        return found
    }

    func expectAgreement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await self.disagreements() == [], sourceLocation: sourceLocation)
    }
}
