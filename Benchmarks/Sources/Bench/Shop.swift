//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Clients
import Foundation
import Money
import NIOCore
import NIOHTTP1
import StrictJSON
import TestShop
import Time
import WalletSimulator

/// A shop that speaks AlphaPay to a running sandbox: signs its calls, and mints the tokens that its customers' phones
/// would.
struct Shop: Sendable {
    private let base: String
    private let client: AlphaPayClient
    private let amount: Money
    private let merchant: ShopMerchant

    init(_ server: RunningServer) throws {
        guard let base = server.announcement["http"]?.string, let currency = Currency.alphabetic("CAD") else {
            throw BenchError("the sandbox announces no address")
        }
        self.base = base
        self.merchant = try ShopMerchant(AlphaPayShop.name, announcement: server.announcement)
        var credentials = try AlphaPayClient.Credentials(self.merchant.account)
        // Checking the gateway's signatures is not what is measured.
        credentials.gatewayPublicKeyPEM = nil
        self.client = try AlphaPayClient(
            credentials,
            clock: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
        self.amount = Money(minorUnits: 1099, currency: currency)
    }

    /// Creates that many orders and pays each.
    func pay(_ count: Int) async throws {
        let lanes = 64
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for index in stride(from: lane, to: count, by: lanes) { try await self.payOnce(index) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func payOnce(_ index: Int) async throws {
        let token = try self.merchant.mint(self.amount.minorUnits, self.amount.currency.numericText)
        let order = "bench-\(UUID().uuidString)"
        var charge = ChargeFields(
            order: order, key: order, amount: self.amount,
            instrument: .sealed(SealedToken(token: token.paymentToken)))
        charge.description = "Benchmark order"
        charge.take(try await self.call(try self.client.preOrder(charge)))
        guard try await self.call(try self.client.charge(charge)).outcome == .approved else {
            throw BenchError("an order was not paid")
        }
    }

    private func call(_ request: ClientRequest) async throws -> Reading {
        var message = HTTPClientRequest(url: self.base + request.path)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for (name, value) in request.headers { message.headers.add(name: name, value: value.reveal()) }
        message.body = .bytes(ByteBuffer(bytes: request.body.reveal()))
        let response = try await HTTPClient.shared.execute(message, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        return self.client.read(
            ClientReply(status: Int(response.status.code), body: Array(body.readableBytesView)), to: request)
    }
}
