//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Redaction

/// The card networks of the five dialects.
public enum CardNetwork: String, Hashable, Sendable, CaseIterable {
    case visa, mastercard, amex, jcb, discover, unionPay, girocard, other

    /// The network by the issuer identification number (ISO/IEC 7812-1). What no range claims is ``other``.
    ///
    /// girocard has no range of its own on the international list; its DPANs are known by the token's payment method.
    public init(pan: Redacted<String>) {
        let digits = pan.reveal().utf8.prefix(6)
        guard digits.count == 6, digits.allSatisfy(ASCII.isDigit) else {
            self = .other
            return
        }
        let iin = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        switch iin {
        case 400_000...499_999: self = .visa
        case 510_000...559_999, 222_100...272_099: self = .mastercard
        case 340_000...349_999, 370_000...379_999: self = .amex
        case 352_800...358_999: self = .jcb
        case 620_000...629_999, 810_000...817_199: self = .unionPay
        case 601_100...601_199, 644_000...659_999, 300_000...305_999, 360_000...369_999, 380_000...399_999:
            self = .discover
        default: self = .other
        }
    }

    /// The network by the name that PassKit gives it in `paymentMethod.network`.
    public init?(passKitName: String) {
        switch passKitName.lowercased() {
        case "visa", "vpay", "electron": self = .visa
        case "mastercard", "maestro": self = .mastercard
        case "amex": self = .amex
        case "jcb": self = .jcb
        case "discover": self = .discover
        case "chinaunionpay": self = .unionPay
        case "girocard": self = .girocard
        default: return nil
        }
    }
}
