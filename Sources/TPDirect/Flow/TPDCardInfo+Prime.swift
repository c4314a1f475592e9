//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension TPDCardInfo {
    convenience init(_ card: Prime.Card) {
        self.init()
        self.bincode = card.bincode
        self.lastFour = card.lastFour
        self.issuer = card.issuer
        self.issuerZhTw = card.issuerZhTw
        self.bankId = card.bankID
        self.funding = card.funding
        self.cardType = card.cardType
        self.level = card.level
        self.country = card.country
        self.countryCode = card.countryCode
    }
}
