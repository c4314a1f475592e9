//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import StrictJSON
import TestShop

/// Authorizations in a wire language for its merchant of a running sandbox, each with a token of its own: made before
/// anything is measured.
struct DialectLoad {
    private let language: ShopLanguage
    private var charges: [ChargeFields]
    /// Whether what comes before a payment is for customers' devices to ask.
    let isPreparedByDevices: Bool

    static let amountMinorUnits: Int64 = 1099

    init(_ dialect: any ShopDialect.Type, _ announcement: JSON, count: Int) throws {
        let language = try ShopLanguage(
            ServicePair(dialect, over: nil), try ShopMerchant(dialect.name, announcement: announcement))
        self.language = language
        self.isPreparedByDevices = dialect.name == TapPayShop.name
        self.charges = try (0..<count).map { _ in
            let order = String(UUID().uuidString.filter { $0 != "-" }.prefix(16))
            return try language.charge(order, minorUnits: Self.amountMinorUnits)
        }
    }

    /// What has to be asked for before the payments: one request a payment, or none at all.
    func preparations() throws -> [ShopCall] {
        try self.charges.compactMap { try self.language.preparation(of: $0) }
    }

    /// Takes over what the answers to the preparations have given.
    mutating func take(_ answers: [LoadGenerator.Answer], to calls: [ShopCall]) throws {
        for answer in answers {
            let reading = Self.read(answer, to: calls)
            // An order waits for its payment, which is no end of it.
            guard reading.isDone || reading.outcome == .pending else {
                throw BenchError("a preparation was refused: \(answer.reply.text.prefix(600))")
            }
            self.charges[answer.index].take(reading)
        }
    }

    func authorizations() throws -> [ShopCall] { try self.charges.map(self.language.authorize) }

    /// Whether all payments were approved is looked at once the clock has stopped.
    static func check(_ answers: [LoadGenerator.Answer], to calls: [ShopCall]) throws {
        for answer in answers {
            guard self.read(answer, to: calls).outcome == .approved else {
                throw BenchError("a payment was not approved: \(answer.reply.text.prefix(600))")
            }
        }
    }

    private static func read(_ answer: LoadGenerator.Answer, to calls: [ShopCall]) -> Reading {
        let call = calls[answer.index]
        return call.client.read(answer.reply, to: call.request)
    }
}
