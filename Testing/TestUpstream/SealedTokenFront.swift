//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Gateway
public import Money
import Payments
import TestGateway
import WalletSimulator

/// A gateway in front of a service that alone opens its tokens, with a proxy between them, and the customers' wallet.
public struct SealedTokenFront: Sendable {
    public let front: FrontGateway
    public let proxy: FaultyProxy
    /// Whoever has the key of the merchant identifier: its tokens nobody here can open.
    private let wallet: TestGateway
    private let merchant: TestMerchant

    /// Runs a body.
    ///
    /// - Parameters:
    ///   - port: the service's.
    ///   - merchantIdentifier: whose tokens it opens.
    ///   - deadline: of the connector's calls.
    ///   - front: opens the gateway, whose connector calls the proxy.
    public static func with(
        port: Int, merchantIdentifier: String, countryCode: String, _ deadline: CallDeadline,
        front: (UpstreamClient, FaultyProxy) async throws -> FrontGateway,
        _ body: (SealedTokenFront) async throws -> Void
    ) async throws {
        // A machine that has much to do is no service that can't be reached.
        let limits = UpstreamLimits(connectMilliseconds: 60_000)
        let proxy = try await FaultyProxy(to: port)
        let result: Result<Void, any Error>
        do {
            try await UpstreamClient(limits: limits) { _ in await deadline.wait() }.closed { client in
                let front = try await front(client, proxy)
                let wallet = try await TestGateway.open(seed: 3)
                let merchant = try await wallet.addMerchant(
                    dialect: DialectName("none"), key: "vendor", merchantIdentifier: merchantIdentifier,
                    countryCode: countryCode)
                try await body(SealedTokenFront(front: front, proxy: proxy, wallet: wallet, merchant: merchant))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await proxy.close()
        try result.get()
    }

    public func authorize(_ amount: Money, sale: Bool) async throws -> OperationOutcome {
        let token = try self.wallet.mint(amount, for: self.merchant, signedAt: self.front.test.clock.now)
        return try await self.front.authorize(amount, .applePay(json: token.paymentToken), sale: sale)
    }
}
