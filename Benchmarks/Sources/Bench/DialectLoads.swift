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

    static let amountMinorUnits: Int64 = 1099

    init(_ dialect: any ShopDialect.Type, _ announcement: JSON, count: Int) throws {
        let language = try ShopLanguage(
            ServicePair(dialect, over: nil), try ShopMerchant(dialect.name, announcement: announcement))
        self.language = language
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
            self.charges[answer.index].take(try Self.read(answer, to: calls))
        }
    }

    func authorizations() throws -> [ShopCall] { try self.charges.map(self.language.authorize) }

    /// Whether all payments were approved is looked at once the clock has stopped.
    static func check(_ answers: [LoadGenerator.Answer], to calls: [ShopCall]) throws {
        for answer in answers {
            guard try self.read(answer, to: calls).outcome == .approved else {
                throw BenchError("a payment was not approved: \(answer.reply.text.prefix(600))")
            }
        }
    }

    private static func read(_ answer: LoadGenerator.Answer, to calls: [ShopCall]) throws -> Reading {
        let call = calls[answer.index]
        let reading = call.client.read(answer.reply, to: call.request)
        guard reading.isDone else { throw BenchError("a request was refused: \(answer.reply.text.prefix(600))") }
        return reading
    }
}
