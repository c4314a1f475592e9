//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// What the gateways and the service behind them have booked of the same payments.
enum ServiceBooks {
    /// What was found.
    struct Findings {
        var violations: [String] = []
        var doubledCount = 0
        /// Authorizations that stand at the service alone, because nobody could be asked for them, and an operator has
        /// decided that they are given up. No money was taken, and none can be.
        var leftoversCount = 0
    }

    /// - Parameter givenUp: operations that an operator has decided to have failed.
    static func compare(
        gateways: any PaymentStore, service: any PaymentStore, givenUp: Set<OperationID>
    ) async throws -> Findings {
        var findings = Findings()
        let all = PaymentQuery(order: .oldestFirst, limit: .max)
        let ours = try await gateways.read { try $0.payments(all) }
        var byName: [String: [Payment]] = [:]
        let theirs = try await service.read { reader in
            try reader.payments(all).map { payment in (payment, try Self.names(ofTheirs: payment, in: reader)) }
        }
        for (payment, names) in theirs { for name in names { byName[name, default: []].append(payment) } }
        var known: Set<PaymentID> = []
        for payment in ours {
            var found: [Payment] = []
            for other in Self.names(ofOurs: payment).flatMap({ byName[$0] ?? [] }) where known.insert(other.id).inserted
            {
                found.append(other)
            }
            Self.compare(payment, found, givenUp, &findings)
        }
        for (payment, _) in theirs where !known.contains(payment.id) && Self.moves(payment) {
            findings.violations.append("the service has \(payment.id), which no gateway has asked for")
        }
        return findings
    }

    private static func compare(
        _ payment: Payment, _ found: [Payment], _ givenUp: Set<OperationID>, _ findings: inout Findings
    ) {
        let standing = found.filter(Self.moves)
        if standing.count > 1 {
            findings.doubledCount += 1
            findings.violations.append("the service has \(payment.id) \(standing.count) times")
        }
        var here = Sums(payment)
        let there = standing.map(Sums.init).reduce(Sums(), +)
        if here != there, payment.operations.contains(where: { $0.kind == .authorization && givenUp.contains($0.id) }),
            there.capturesCount == 0, there.refundsCount == 0
        {
            findings.leftoversCount += 1
            here = there
        }
        // A service that gives nothing back but by refunds has a refund where a gateway has taken back.
        let hasTakenBack = payment.operations.contains { $0.kind == .reversal && $0.state == .succeeded }
        let agree = hasTakenBack ? here.net == there.net : here == there
        if !agree {
            findings.violations.append(
                "\(payment.id) (\(payment.dialect), \(payment.state)) is \(here) here and \(there) at the service ("
                    + standing.map { "\($0.id) \($0.state)" }.joined(separator: ", ") + ")")
        }
    }

    private static func moves(_ payment: Payment) -> Bool { payment.operations.contains { $0.state == .succeeded } }

    /// In minor units.
    private struct Sums: Equatable, CustomStringConvertible {
        var capturable: Int64 = 0
        var captured: Int64 = 0
        var refunded: Int64 = 0
        var capturesCount = 0
        var refundsCount = 0

        /// What can still be taken, and what is kept.
        var net: [Int64] { [self.capturable, self.captured - self.refunded] }

        init() {}

        init(_ payment: Payment) {
            self.capturable = payment.capturableAmount.minorUnits
            self.captured = payment.capturedAmount.minorUnits
            self.refunded = payment.refundedAmount.minorUnits
            let standing = payment.operations.filter { $0.state == .succeeded && !payment.isUndone($0.id) }
            self.capturesCount = standing.count { $0.kind == .capture }
            self.refundsCount = standing.count { $0.kind == .refund }
        }

        static func + (left: Sums, right: Sums) -> Sums {
            var sums = left
            sums.capturable += right.capturable
            sums.captured += right.captured
            sums.refunded += right.refunded
            sums.capturesCount += right.capturesCount
            sums.refundsCount += right.refundsCount
            return sums
        }

        var description: String {
            "capturable \(self.capturable), captured \(self.captured) in \(self.capturesCount), refunded \(self.refunded) in "
                + "\(self.refundsCount)"
        }
    }

    // MARK: - Names

    /// By what connectors name a payment to its service: ids of ours, or their short names.
    static func names(ofOurs payment: Payment) -> [String] {
        [payment.id.text, payment.id.shortName]
            + (payment.opening.map { [$0.id.text, $0.id.shortName] } ?? [])
    }

    private static func names(ofTheirs payment: Payment, in reader: any StoreReader) throws -> Set<String> {
        let order = try payment.orderID.flatMap { try reader.order($0)?.reference }
        let labels = payment.opening?.labels
        return Set([order, labels?.reference].compactMap { $0 } + (labels.map { Array($0.fields.values) } ?? []))
    }
}
