//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ConnectorKit
import Gateway
import Money
import Payments
import Redaction
import TestGateway
import TestUpstream
import Testing

@testable import MPGS

/// A gateway whose acquirer is the stand-in, with what the stand-in reports on its way back.
struct AtStandIn: Sendable {
    let standIn: MPGSStandIn
    let front: FrontGateway
    /// Of the connector's calls.
    private let deadline: TestDeadline

    static let notificationSecret = "n0tification-s3cret-0f-a-test"

    static func with(
        settings: [String: String] = [:], secrets: [String: String] = [:], _ body: (AtStandIn) async throws -> Void
    ) async throws {
        let standIn = try await MPGSStandIn()
        try await standIn.serving { client, deadline in
            let all = ["password": Bench.password, "notificationSecret": Self.notificationSecret].merging(secrets) {
                $1
            }
            let front = try await FrontGateway.open(
                MPGSConnector(client: client), countryCode: "AU", secrets: all.mapValues { Redacted($0) }
            ) { _ in ["host": standIn.url, "merchantId": Bench.merchantID].merging(settings) { $1 } }
            try await body(AtStandIn(standIn: standIn, front: front, deadline: deadline))
        }
    }

    // MARK: - Payments

    /// - Parameter card: which one pays; each has a cryptogram of its own, which pays once.
    @discardableResult
    func authorize(_ minorUnits: Int64, sale: Bool = false, card: UInt8 = 1) async throws -> OperationOutcome {
        let token = NetworkToken(
            pan: Redacted(Bench.numbers[.visa] ?? ""), expiryYearMonth: "3901",
            proof: .cryptogram(Redacted(Bench.cryptogram.dropLast() + [card])), eci: "05")
        return try await self.front.authorize(Bench.money(minorUnits), .opened(token), sale: sale)
    }

    @discardableResult
    func capture(_ minorUnits: Int64, isFinal: Bool = false, of id: PaymentID) async throws -> OperationOutcome {
        try await self.front.follow(.capture(Bench.money(minorUnits), isFinal: isFinal), of: id)
    }

    @discardableResult
    func refund(_ minorUnits: Int64, of id: PaymentID) async throws -> OperationOutcome {
        try await self.front.follow(.refund(Bench.money(minorUnits)), of: id)
    }

    /// Makes a call whose answer comes after its deadline, or never.
    func loseAnswer(
        _ ending: MPGSStandIn.Ending = .held, _ call: @escaping @Sendable () async throws -> OperationOutcome
    ) async throws -> OperationOutcome {
        self.standIn.next(ending)
        return try await self.standIn.loseAnswer(self.deadline, call)
    }

    /// One round of recovery, a minute later.
    func recoverOnce() async {
        self.front.test.clock.advance(seconds: 61)
        _ = await self.front.test.gateway.recover()
    }

    // MARK: - Notices

    func receive(_ body: [UInt8], secret: String? = Self.notificationSecret) async -> NoticeAnswer {
        await self.front.receive(
            NoticeCall(
                headers: ["content-type": "application/json"]
                    .merging(secret.map { ["x-notification-secret": $0] } ?? [:]) { $1 }, body: body))
    }

    func deliver(
        _ notices: [(transaction: String, body: [UInt8])], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for notice in notices {
            #expect(await self.receive(notice.body).status == 200, sourceLocation: sourceLocation)
        }
    }

    // MARK: - Books

    /// In what the gateway's books are not the stand-in's, or the gateway's ledger not its own payments'.
    func disagreements() async throws -> [String] {
        var found = try await self.front.bookProblems()
        let orders = self.standIn.orders
        let payments = try await self.front.test.payments()
        for payment in payments {
            if !payment.operations.allSatisfy(\.state.isResolved) { found.append("an operation is open") }
            let order = orders.first { $0.id == payment.id.text }
            var sums = [
                ("captured", payment.capturedAmount, order?.captured ?? 0),
                ("refunded", payment.refundedAmount, order?.refunded ?? 0),
            ]
            if payment.state != .voided {
                sums.append(("authorized", payment.authorizedAmount, order?.opened ?? 0))
            } else if order?.status != "CANCELLED" {
                found.append("voided in the gateway alone")
            }
            for (what, believed, booked) in sums where believed.minorUnits != booked {
                found.append("\(what): \(believed.minorUnits) in the gateway, \(booked) in the stand-in")
            }
        }
        for order in orders where !payments.contains(where: { $0.id.text == order.id }) {
            found.append("an order that the gateway does not know")
        }
        return found
    }

    func expectAgreement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await self.disagreements() == [], sourceLocation: sourceLocation)
    }
}

extension AtStandIn: StandInShop {
    @discardableResult
    func void(_ id: PaymentID) async throws -> OperationOutcome { try await self.front.follow(.void(nil), of: id) }

    @discardableResult
    func authorize(_ minorUnits: Int64, sale: Bool) async throws -> OperationOutcome {
        try await self.authorize(minorUnits, sale: sale, card: 1)
    }

    @discardableResult
    func capture(_ minorUnits: Int64, of id: PaymentID) async throws -> OperationOutcome {
        try await self.capture(minorUnits, isFinal: false, of: id)
    }
}
