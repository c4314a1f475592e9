//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// The calls of `pay` that are not answered yet. Before a call begins its payment nothing in the store shows that there
/// is one, and its token may take a while to be read.
///
/// It knows the calls of this process alone. Another node's is found with its order once it has begun its payment.
final class Attempts: Sendable {
    /// An id is counted for whoever names it, so that nobody learns of another merchant's orders.
    private struct Name: Hashable {
        let merchantID: MerchantID
        let orderID: OrderID
    }

    private let counts = Mutex<[Name: Int]>([:])

    func begin(_ orderID: OrderID, of merchantID: MerchantID) {
        self.counts.withLock { $0[Name(merchantID: merchantID, orderID: orderID), default: 0] += 1 }
    }

    func end(_ orderID: OrderID, of merchantID: MerchantID) {
        let name = Name(merchantID: merchantID, orderID: orderID)
        self.counts.withLock { counts in
            let left = (counts[name] ?? 0) - 1
            counts[name] = left > 0 ? left : nil
        }
    }

    func areUnderWay(_ orderID: OrderID, of merchantID: MerchantID) -> Bool {
        self.counts.withLock { $0[Name(merchantID: merchantID, orderID: orderID)] != nil }
    }
}
