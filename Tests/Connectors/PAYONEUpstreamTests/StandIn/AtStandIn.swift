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
import WalletSimulator

@testable import PAYONEUpstream

/// A gateway whose acquirer is the stand-in, with what the stand-in reports on its way back.
struct AtStandIn: Sendable {
    let standIn: PAYONEStandIn
    let front: FrontGateway
    /// Of the connector's calls.
    private let deadline: TestDeadline
    /// Holds the key that the tokens are sealed for, in PAYONE's place.
    private let holder: (gateway: TestGateway, merchant: TestMerchant)

    static func with(
        secrets: [String: String] = ["key": Bench.key], _ body: (AtStandIn) async throws -> Void
    ) async throws {
        let standIn = try await PAYONEStandIn()
        try await standIn.serving { client, deadline in
            let holder = try await TestGateway.open()
            let merchant = try await holder.addMerchant(
                dialect: DialectName("holder"), key: "payone", countryCode: "DE")
            let front = try await FrontGateway.open(
                PAYONEConnector(client: client), countryCode: "DE", secrets: secrets.mapValues { Redacted($0) }
            ) { merchantIdentifier in
                Bench.settings(["host": standIn.url, "applePayMerchantIdentifiers": merchantIdentifier])
            }
            try await body(
                AtStandIn(standIn: standIn, front: front, deadline: deadline, holder: (holder, merchant)))
        }
    }

    // MARK: - Payments

    @discardableResult
    func authorize(_ minorUnits: Int64, sale: Bool = false) async throws -> OperationOutcome {
        let amount = try Bench.money(minorUnits)
        let token = try self.holder.gateway.mint(amount, for: self.holder.merchant)
        return try await self.front.authorize(amount, .applePay(json: token.paymentToken), sale: sale)
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
    func loseAnswer(_ call: @escaping @Sendable () async throws -> OperationOutcome) async throws -> OperationOutcome {
        self.standIn.next(.held)
        return try await self.standIn.loseAnswer(self.deadline, call)
    }

    // MARK: - Messages

    func receive(_ message: StandInMessage) async -> NoticeAnswer {
        await self.front.receive(
            NoticeCall(headers: ["content-type": "application/x-www-form-urlencoded"], body: message.body))
    }

    /// Sends messages, each of which must be acknowledged as PAYONE wants it.
    func deliver(_ messages: [StandInMessage], sourceLocation: SourceLocation = #_sourceLocation) async {
        for message in messages {
            let answer = await self.receive(message)
            #expect(answer.status == 200 && answer.body == "TSOK", sourceLocation: sourceLocation)
        }
    }

    // MARK: - Books

    /// In what the gateway's books are not the stand-in's, or the gateway's ledger not its own payments'.
    func disagreements() async throws -> [String] {
        var found = try await self.front.bookProblems()
        let processes = self.standIn.processes
        let payments = try await self.front.test.payments()
        for payment in payments {
            guard let reference = payment.operations.first?.id.shortName else { continue }
            if !payment.operations.allSatisfy(\.state.isResolved) { found.append("an operation is open") }
            let of = processes.filter { $0.reference == reference }
            if of.count > 1 { found.append("\(of.count) payment processes of one reference") }
            for (what, believed, booked) in [
                ("authorized", payment.authorizedAmount, of.reduce(0) { $0 + $1.authorized }),
                ("captured", payment.capturedAmount, of.reduce(0) { $0 + $1.captured }),
                ("refunded", payment.refundedAmount, of.reduce(0) { $0 + $1.refunded }),
                ("charged back", payment.chargedBackAmount, of.reduce(0) { $0 + $1.chargedBack }),
            ] where believed.minorUnits != booked {
                found.append("\(what): \(believed.minorUnits) in the gateway, \(booked) in the stand-in")
            }
            if payment.state == .voided, !of.contains(where: \.isReleased) {
                found.append("voided in the gateway alone")
            }
        }
        let known = Set(payments.compactMap { $0.operations.first?.id.shortName })
        for process in processes where !known.contains(process.reference) {
            found.append("a payment process that the gateway does not know")
        }
        return found
    }

    func expectAgreement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await self.disagreements() == [], sourceLocation: sourceLocation)
    }
}

extension OperationOutcome {
    var reference: String { self.payment.operations.first?.id.shortName ?? "" }
}

extension AtStandIn: StandInShop {
    @discardableResult
    func void(_ id: PaymentID) async throws -> OperationOutcome { try await self.front.follow(.void(nil), of: id) }

    @discardableResult
    func capture(_ minorUnits: Int64, of id: PaymentID) async throws -> OperationOutcome {
        try await self.capture(minorUnits, isFinal: false, of: id)
    }
}
