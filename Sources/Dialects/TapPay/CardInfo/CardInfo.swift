//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import StrictJSON

/// What a card's first digits say of it: the vendor's card_info.
///
/// The digits are those of the device account number, which is all that an Apple Pay token has.
struct CardInfo: Hashable, Sendable {
    /// Six digits, or "".
    let bin: String
    /// Four digits, or "".
    let lastFour: String
    let issuer: String
    let issuerZhTw: String
    let bankID: String
    /// -1 unknown, 0 credit, 1 debit, 2 prepaid.
    let funding: Int
    /// -1 unknown, 1 VISA, 2 MasterCard, 3 JCB, 4 Union Pay, 5 AMEX.
    let type: Int
    let level: String
    let country: String
    let countryCode: String

    init(of instrument: InstrumentSummary, in table: BINTable) {
        let row = table.row(of: instrument.maskedPAN.prefix)
        self.bin = instrument.maskedPAN.prefix
        self.lastFour = instrument.maskedPAN.suffix
        self.issuer = row?.issuer ?? ""
        self.issuerZhTw = row?.issuerZhTw ?? ""
        self.bankID = row?.bankID ?? ""
        self.funding = (row?.funding ?? .unknown).number
        let network = row?.network ?? .unknown
        self.type = (network == .unknown ? Self.network(of: instrument.network) : network).number
        self.level = row?.level ?? ""
        self.country = row?.country ?? ""
        self.countryCode = row?.countryCode ?? ""
    }

    private static func network(of network: CardNetwork) -> BINTable.Network {
        switch network {
        case .visa: .visa
        case .mastercard: .mastercard
        case .jcb: .jcb
        case .unionPay: .unionpay
        case .amex: .amex
        case .discover, .girocard, .other: .unknown
        }
    }

    /// As the front end spells it (getPrime); the back end puts underscores into three of the names.
    var frontEndJSON: JSON {
        [
            "bincode": .string(self.bin), "lastfour": .string(self.lastFour), "issuer": .string(self.issuer),
            "issuer_zh_tw": .string(self.issuerZhTw), "bank_id": .string(self.bankID), "funding": JSON(self.funding),
            "type": JSON(self.type), "level": .string(self.level), "country": .string(self.country),
            "countrycode": .string(self.countryCode),
        ]
    }

    /// The older `card` of getPrime's result.
    var frontEndCardJSON: JSON {
        ["lastfour": .string(self.lastFour), "funding": JSON(self.funding), "type": JSON(self.type)]
    }
}
