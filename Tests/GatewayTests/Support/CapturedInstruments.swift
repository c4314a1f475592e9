//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import Synchronization

/// What an acquirer was handed to authorize with.
final class CapturedInstruments: Sendable {
    private let kept = Mutex<[PaymentInstrument]>([])

    func keep(_ instrument: PaymentInstrument) {
        self.kept.withLock { $0.append(instrument) }
    }

    var all: [PaymentInstrument] { self.kept.withLock { $0 } }

    /// The sealed tokens among them.
    var sealed: [[UInt8]] {
        self.all.compactMap { instrument in
            guard case .sealedApplePayToken(let token) = instrument else { return nil }
            return token.paymentData.reveal()
        }
    }

    /// The opened tokens among them.
    var opened: [NetworkToken] {
        self.all.compactMap { instrument in
            guard case .networkToken(let token) = instrument else { return nil }
            return token
        }
    }
}
