//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation
public import WalletSimulator

/// The pretend iPhone that sheets are presented on: its cards, its owner's contact, and the device that mints tokens.
///
/// ```swift
/// let wallet = SimulatedWallet(
///     device: SimulatedDevice(authority: authority), recipients: ["merchant.com.example": key], now: { Date() })
/// try await wallet.inHand {
///     applePay.startPayment()
///     try wallet.sheet?.authorize()
/// }
/// ```
@MainActor public final class SimulatedWallet {
    /// The wallet of the task. Without one there is no Apple Pay.
    public static var current: SimulatedWallet? { TaskWallet.current }

    public let cards: [SimulatedCard]
    /// What the sheet hands over as far as the request asks for it.
    public var contact = PKContact()
    /// Whether the device knows Apple Pay at all.
    public var canMakePayments = true
    /// Tokens without data, as Apple's own simulator makes them.
    public var mintsEmptyTokens = false
    /// The sheet that was presented last.
    public private(set) var sheet: SimulatedSheet?
    /// How often the app sent the customer to add a card.
    public private(set) var setupsCount = 0

    let device: SimulatedDevice
    let recipients: [String: ProcessingPublicKey]
    let now: @Sendable () -> Date

    /// - Parameter recipients: the processing key of each merchant identifier.
    public init(
        device: SimulatedDevice, recipients: [String: ProcessingPublicKey],
        cards: [SimulatedCard] = SimulatedCard.allCases, now: @escaping @Sendable () -> Date
    ) {
        self.device = device
        self.recipients = recipients
        self.cards = cards
        self.now = now
    }

    /// Runs the body with this wallet as the task's, so that tests beside each other have one each.
    public func inHand<Value>(_ body: @MainActor () async throws -> Value) async rethrows -> Value {
        try await TaskWallet.$current.withValue(self, operation: body)
    }

    func holdsCard(of networks: [PKPaymentNetwork]) -> Bool {
        self.cards.contains { networks.contains($0.network.passKit) }
    }

    func show(_ sheet: SimulatedSheet) {
        self.sheet = sheet
    }

    func openSetup() {
        self.setupsCount += 1
    }
}

private enum TaskWallet {
    @TaskLocal static var current: SimulatedWallet?
}

extension SimulatedCard.Network {
    /// The same words on both sides.
    var passKit: PKPaymentNetwork { PKPaymentNetwork(self.rawValue) }
}

extension SimulatedCard {
    var passKit: PKPaymentMethod {
        PKPaymentMethod(
            displayName: self.displayName, network: self.network.passKit,
            type: self.kind == .debit ? .debit : .credit)
    }
}
