//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AlphaPayUpstream
import ConnectorKit
import CryptoExtras
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

/// A whole gateway, this connector, and AlphaPay's stand-in at the other end of a socket.
struct StandInFront: BookComparison {
    let front: FrontGateway
    let vendor: StandInAlphaPay
    private let sealed: SealedTokenFront

    var proxy: FaultyProxy { self.sealed.proxy }
    var test: TestGateway { self.front.test }

    private static let merchantIdentifier = "merchant.com.example.applepay"

    /// - Parameter nextKey: whether the account has the merchant's next key too.
    static func with(
        nextKey: Bool = false, _ body: (StandInFront, StandInAlphaPay) async throws -> Void
    ) async throws {
        let deadline = CallDeadline()
        let vendor = StandInAlphaPay(deadline)
        let port = try await vendor.open()
        let result: Result<Void, any Error>
        do {
            var secrets = ["privateKey": Redacted(try Keys.merchant.pkcs8PEMRepresentation)]
            if nextKey { secrets["privateKey2"] = Redacted(try Keys.nextMerchant.pkcs8PEMRepresentation) }
            let (all, gatewayKey) = (secrets, try Keys.gateway.publicKey.pemRepresentation)
            try await SealedTokenFront.with(
                port: port, merchantIdentifier: Self.merchantIdentifier, countryCode: "CA", deadline,
                front: { client, proxy in
                    let connector = Bench.connector(
                        client, random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
                    return try await FrontGateway.open(connector, countryCode: "CA", secrets: all) { _ in
                        [
                            "host": proxy.url, "merchantCode": Bench.merchantCode, "gatewayPublicKey": gatewayKey,
                            "notifyUrl": Bench.notifyURL, "applePayMerchantIdentifiers": Self.merchantIdentifier,
                        ]
                    }
                },
                { try await body(StandInFront(front: $0.front, vendor: vendor, sealed: $0), vendor) })
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await vendor.close()
        try result.get()
    }

    // MARK: - Payments

    func pay(_ cents: Int64) async throws -> OperationOutcome {
        try await self.sealed.authorize(try Bench.money(cents), sale: true)
    }

    /// A payment that is there.
    func paid(_ cents: Int64) async throws -> Payment {
        let paid = try await self.pay(cents)
        #expect(paid.operation.state == .succeeded)
        return paid.payment
    }

    func refund(_ cents: Int64, of payment: Payment) async throws -> PaymentOperation {
        try await self.front.follow(.refund(try Bench.money(cents)), of: payment.id).operation
    }

    func state(of operation: PaymentOperation) async throws -> PaymentOperation.State? {
        try await self.front.payment(of: operation)?.operation(operation.id)?.state
    }

    // MARK: - Both books

    func differences() async throws -> [String] {
        var differences = try await self.front.bookProblems() + self.openOperations()
        var names: Set<String> = []
        for payment in try await self.test.payments() {
            guard let opening = payment.opening else { continue }
            names.insert(opening.id.text)
            let orders = self.vendor.orders.filter { $0.requestID == opening.id.text }
            let taken = try Bench.money(orders.reduce(0) { $0 + $1.taken })
            let believed = payment.capturedAmount - payment.refundedAmount
            if believed != taken { differences.append("taken: the gateway says \(believed), AlphaPay \(taken)") }
            if payment.heldAmount.isPositive { differences.append("the gateway says that something is held") }
        }
        for order in self.vendor.orders where !names.contains(order.requestID) && order.taken != 0 {
            differences.append("AlphaPay has a payment that the gateway does not know")
        }
        return differences
    }

    // MARK: - Notices

    /// As AlphaPay posts it.
    ///
    /// - Parameters:
    ///   - path: which the signature covers.
    ///   - key: AlphaPay's, if left out.
    func receive(
        _ body: String, path: String = "/acquirers/acq/notices", key: Keys.Pair? = nil, isSigned: Bool = true
    ) async -> NoticeAnswer {
        let (time, nonce) = ("2019-05-28T12:12:12+08:00", "0123456789abcdef0123456789abcdef")
        var headers = ["merchant-code": Bench.merchantCode, "request-time": time, "nonce": nonce]
        if isSigned {
            headers["signature"] = Signed.signature(
                path: path, time: time, nonce: nonce, Array(body.utf8), key: key)
        }
        return await self.front.receive(NoticeCall(headers: headers, body: Array(body.utf8)))
    }
}
