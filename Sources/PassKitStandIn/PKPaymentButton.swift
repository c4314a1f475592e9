//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

public enum PKPaymentButtonType: Int, Sendable {
    case plain = 0
    case buy = 1
    case setUp = 2
}

public enum PKPaymentButtonStyle: Int, Sendable {
    case white = 0
    case whiteOutline = 1
    case black = 2
    case automatic = 3
}

/// The Apple Pay button, with nothing to look at.
@MainActor public final class PKPaymentButton: NSObject {
    public let paymentButtonType: PKPaymentButtonType
    public let paymentButtonStyle: PKPaymentButtonStyle

    public init(paymentButtonType type: PKPaymentButtonType, paymentButtonStyle style: PKPaymentButtonStyle) {
        self.paymentButtonType = type
        self.paymentButtonStyle = style
        super.init()
    }
}

/// The way to the system's screen on which a card is added to the wallet.
@MainActor public final class PKPassLibrary: NSObject {
    public func openPaymentSetup() {
        SimulatedWallet.current?.openSetup()
    }
}
