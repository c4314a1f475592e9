//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One payment, as TapPay keeps it. Amounts are whole dollars of TWD.
struct StandInTrade: Sendable {
    enum Standing: Int64, Sendable {
        case declined = -1
        case alive = 0
        case pending = 4
        case takenBack = 5
    }

    /// When the money is asked for: a trade that is captured "today" is captured in the evening (TapPay, "Cap Today API").
    enum Capture: Sendable {
        case none
        case planned
        case done
    }

    struct Refund: Sendable {
        enum Standing: Sendable {
            case pending
            case done
            case failed
            case canceled
        }

        let id: String
        let name: String?
        let amount: Int64
        var standing: Standing
        let isOfACapture: Bool
    }

    let id: String
    let name: String
    let order: String
    let amount: Int64
    var standing: Standing
    var capture: Capture
    var refunds: [Refund] = []

    // MARK: - The book

    private var isOn: Bool { self.standing == .alive }

    /// What the customer's bank holds and has not been asked for.
    var held: Int64 { self.isOn && self.capture == .none ? self.amount - self.refunded : 0 }

    var refunded: Int64 {
        self.refunds.reduce(0) { $1.standing == .done || $1.standing == .pending ? $0 + $1.amount : $0 }
    }

    /// What the customer has paid, or pays in the evening, less what was given back.
    var taken: Int64 { self.isOn && self.capture != .none ? self.amount - self.refunded : 0 }

    var left: Int64 { self.amount - self.refunded }

    /// `record_status`, as TapPay/tappay-java lists it.
    var recordStatus: Int64 {
        guard self.isOn else { return self.standing.rawValue }
        if self.refunded == self.amount { return 3 }
        if self.refunded > 0 { return 2 }
        return self.capture == .done ? 1 : 0
    }
}
