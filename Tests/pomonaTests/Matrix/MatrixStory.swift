//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Money
import Payments
import TestShop
import TestUpstream
import WalletSimulator

@testable import pomona

/// One cell: what a shop does, and what the books must say of it.
struct MatrixStory {
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    /// What follow-ups need, and how many the payment has had.
    struct Taken {
        let handle: [String: String]
        let followUpsCount: Int
    }

    let cell: MatrixCell
    let sandbox: ChainedSandbox
    let shop: ShopLanguage
    let order: String
    /// The latest payments of both books before the cell.
    private let earlier: (front: Payment?, upstream: Payment?)

    static let amount: Int64 = 3000

    static func begin(_ cell: MatrixCell, _ sandbox: ChainedSandbox) async throws -> MatrixStory {
        MatrixStory(
            cell: cell, sandbox: sandbox, shop: try sandbox.language(cell.pair),
            order: "m\(MatrixLaw.allCases.firstIndex(of: cell.law) ?? 0)\(cell.pair.service.rawValue)",
            earlier: try await sandbox.payments(of: cell.pair))
    }

    func play() async throws {
        switch self.cell.law {
        case .sale: _ = try await self.sold()
        case .refundOfSale: try await self.refund(of: try await self.sold())
        case .wholeCapture: _ = try await self.captured()
        case .captureInParts: try await self.captureInParts()
        case .refund: try await self.refund(of: try await self.captured())
        case .void: try await self.void()
        case .decline: try await self.decline(.doNotHonor)
        case .declineForFunds: try await self.decline(.insufficientFunds)
        case .declineOfExpired: try await self.decline(.expiredCard)
        case .lostAnswer: try await self.lostAnswer()
        case .lateResult: try await self.lateResult()
        case .lateFailure: try await self.lateFailure()
        case .lateRefund: try await self.lateRefund()
        case .refundFailsLate: try await self.refundFailsLate()
        case .lateVoid: try await self.lateVoid()
        case .voidFailsLate: try await self.voidFailsLate()
        }
    }

    // MARK: - What the shop does

    var sellsAtOnce: Bool { self.shop.captures == .withAuthorization }

    /// - Returns: what follow-ups need.
    func opened(
        _ minorUnits: Int64 = Self.amount, sells: Bool? = nil, card: SimulatedCard = .visa, loses: Bool = false
    ) async throws -> Reading {
        var charge = try self.shop.charge(self.order, minorUnits: minorUnits, sells: sells, card: card)
        if let preparation = try self.shop.preparation(of: charge) {
            charge.take(try await self.sandbox.send(preparation))
        }
        if loses { self.sandbox.proxy.loseAnswers(1, to: self.cell.pair.service.chargingCall) }
        var reading = try await self.sandbox.send(try self.shop.authorize(charge))
        self.sandbox.proxy.loseAnswers(0)
        reading.handle = charge.handle.merging(reading.handle) { $1 }
        return reading
    }

    func done(_ reading: Reading, _ what: String) throws -> Reading {
        // Radial acknowledges, and reports afterwards what became of it.
        let comesLater = self.cell.pair.service == .radial && reading.outcome == .pending
        guard reading.isDone || comesLater else {
            throw Trouble(description: "\(what) is \(reading.outcome): \(reading.text)")
        }
        return reading
    }

    /// Takes the money by one request.
    private func sold() async throws -> Taken {
        let opening = try self.done(try await self.opened(sells: true), "the sale")
        let front = try await self.settled().front
        if self.cell.pair.sellsInTheEvening { try await self.evening() }
        // TapPay's own sale is an authorization and the plan of its capture.
        guard front.authorization?.isSale == true || self.cell.pair.dialect == TapPayShop.name else {
            throw Trouble(description: "it was no sale")
        }
        try await self.expect(captured: Self.amount)
        return Taken(handle: opening.handle, followUpsCount: 0)
    }

    private func evening() async throws {
        try await self.sandbox.makePlannedCapturesDue()
        try await self.sandbox.waitUntil(self.cell.pair) { front, upstream in
            [front, upstream].allSatisfy { $0.capturedAmount.minorUnits == Self.amount }
        }
    }

    /// Reserves it, and captures all of it; where neither can be done alone, takes it at once.
    private func captured() async throws -> Taken {
        let opening = try self.done(try await self.opened(), "the payment")
        if !self.sellsAtOnce {
            let capture = try self.shop.capture(
                self.order, 1, minorUnits: Self.amount, handle: opening.handle)
            _ = try self.done(try await self.sandbox.send(capture), "the capture")
        }
        try await self.expect(captured: Self.amount)
        return Taken(handle: opening.handle, followUpsCount: self.sellsAtOnce ? 0 : 1)
    }

    private func captureInParts() async throws {
        let opening = try self.done(try await self.opened(), "the authorization")
        try await self.expect(authorized: Self.amount, captured: 0)
        for (number, part) in [(1, 1000 as Int64), (2, 500)] {
            let capture = try self.shop.capture(self.order, number, minorUnits: part, handle: opening.handle)
            _ = try self.done(try await self.sandbox.send(capture), "capture \(number)")
            _ = try await self.settled()
        }
        try await self.expect(captured: 1500)
        for (capture, part) in [(1, 700 as Int64), (2, 400)] {
            let refund = try self.shop.refund(
                self.order, 2 + capture, ofCapture: capture, minorUnits: part, handle: opening.handle)
            _ = try self.done(try await self.sandbox.send(refund), "the refund of \(part)")
            _ = try await self.settled()
        }
        try await self.expect(captured: 1500, refunded: 1100)
    }

    private func refund(of taken: Taken) async throws {
        for (number, part) in [(1, 1000 as Int64), (2, 700)] {
            let refund = try self.shop.refund(
                self.order, taken.followUpsCount + number, ofCapture: taken.followUpsCount, minorUnits: part,
                handle: taken.handle)
            _ = try self.done(try await self.sandbox.send(refund), "refund \(number)")
            _ = try await self.settled()
        }
        try await self.expect(captured: Self.amount, refunded: 1700)
    }

    private func void() async throws {
        let opening = try self.done(try await self.opened(), "the authorization")
        let void = try self.shop.void(self.order, 1, authorized: Self.amount, handle: opening.handle)
        _ = try self.done(try await self.sandbox.send(void), "the void")
        let (front, upstream) = try await self.settled()
        guard front.capturableAmount.isZero, upstream.capturableAmount.isZero, front.capturedAmount.isZero,
            upstream.capturedAmount.isZero
        else { throw self.disagreement(front, upstream) }
    }

    /// Whatever the shop is answered, both gateways come to the same end by themselves.
    private func lostAnswer() async throws {
        let lostCount = self.sandbox.proxy.lostAnswersCount
        _ = try await self.opened(loses: true)
        guard self.sandbox.proxy.lostAnswersCount == lostCount + 1 else {
            throw Trouble(description: "no answer was lost")
        }
        let (front, upstream) = try await self.settled()
        guard upstream.authorization?.approvedAmount?.minorUnits == Self.amount else {
            throw Trouble(description: "the service has not done what the lost answer was about")
        }
        guard front.currentSums == upstream.currentSums else { throw self.disagreement(front, upstream) }
    }

    // MARK: - What the books say

    /// - Returns: the cell's own payment, of which there is one in each book.
    func settled() async throws -> (front: Payment, upstream: Payment) {
        _ = try await self.sandbox.settled(self.cell.pair)
        let (fronts, upstreams) = try await self.sandbox.payments(of: self.cell.pair, after: self.earlier)
        guard let front = fronts.first, let upstream = upstreams.first, fronts.count == 1, upstreams.count == 1 else {
            throw Trouble(description: "the payment is there \(fronts.count) times here, \(upstreams.count) there")
        }
        return (front, upstream)
    }

    func expect(authorized: Int64? = nil, captured: Int64, refunded: Int64 = 0) async throws {
        let (front, upstream) = try await self.settled()
        for payment in [front, upstream] {
            guard payment.capturedAmount.minorUnits == captured, payment.refundedAmount.minorUnits == refunded,
                authorized.map({ payment.authorizedAmount.minorUnits == $0 }) != false
            else { throw self.disagreement(front, upstream) }
        }
        guard front.currentSums == upstream.currentSums else { throw self.disagreement(front, upstream) }
    }

    func disagreement(_ front: Payment, _ upstream: Payment) -> Trouble {
        Trouble(
            description: "here \(front.state) \(front.currentSums), there \(upstream.state) \(upstream.currentSums)")
    }
}

extension Payment {
    /// Authorized, captured, refunded and what can still be captured, in minor units.
    var currentSums: [Int64] {
        [self.capturedAmount, self.refundedAmount, self.capturableAmount].map(\.minorUnits)
    }
}
