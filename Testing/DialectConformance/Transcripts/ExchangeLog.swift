//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Synchronization
import TestGateway
import WalletSimulator

/// What went over the wire once.
public enum Exchange: Sendable {
    case call(WireRequest, WireResponse)
    /// A notification to that target, and what the merchant answered.
    case notification(OutgoingNotification, target: String, status: Int, body: [UInt8])
}

/// Everything that went over the wire at a shop, in order.
public final class ExchangeLog: Sendable {
    private struct State {
        var exchanges: [Exchange] = []
        var tokens: [MintedToken] = []
        var merchants: [TestMerchant] = []
    }

    private let state = Mutex(State())

    init() {}

    public var all: [Exchange] { self.state.withLock { $0.exchanges } }
    var tokens: [MintedToken] { self.state.withLock { $0.tokens } }
    var merchants: [TestMerchant] { self.state.withLock { $0.merchants } }

    func keep(_ request: WireRequest, _ response: WireResponse) {
        self.state.withLock { $0.exchanges.append(.call(request, response)) }
    }

    func keep(_ exchange: Exchange) {
        self.state.withLock { $0.exchanges.append(exchange) }
    }

    func keep(_ merchant: TestMerchant) {
        self.state.withLock { $0.merchants.append(merchant) }
    }

    func keep(_ token: MintedToken) {
        self.state.withLock { $0.tokens.append(token) }
    }
}
