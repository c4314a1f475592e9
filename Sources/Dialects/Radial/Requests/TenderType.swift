//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What the wire calls a card network, in paths and in `TenderType`.
///
/// Public sources name VC, MC, AM and DC; the others are this gateway's choice, so that every card that Apple Pay may
/// bring has a code.
enum TenderType: String, CaseIterable, Hashable, Sendable {
    case visa = "VC"
    case mastercard = "MC"
    case amex = "AM"
    case discover = "DC"
    case jcb = "JC"
    case unionPay = "CU"
    case girocard = "GC"
    case other = "OC"

    /// What a path calls a digital wallet, for the authorization alone.
    static let digitalWallet = "DW"

    init(_ network: CardNetwork) {
        switch network {
        case .visa: self = .visa
        case .mastercard: self = .mastercard
        case .amex: self = .amex
        case .discover: self = .discover
        case .jcb: self = .jcb
        case .unionPay: self = .unionPay
        case .girocard: self = .girocard
        case .other: self = .other
        }
    }
}
