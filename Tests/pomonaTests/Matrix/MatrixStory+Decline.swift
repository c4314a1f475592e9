//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments
import TestShop
import WalletSimulator

@testable import pomona

extension MatrixStory {
    /// The issuer declines for a reason, and the shop is answered what its API says for as much of that as the service
    /// hands on.
    func decline(_ reason: DeclineReason) async throws {
        let reading = try await self.opened(card: reason.decliningCard)
        guard reading.outcome == .declined else {
            throw Trouble(description: "the payment is \(reading.outcome): \(reading.text)")
        }
        let (front, upstream) = try await self.settled()
        guard front.state == .declined, upstream.state == .declined else { throw self.disagreement(front, upstream) }
        let kept = self.cell.pair.service.handsOn(reason)
        guard case .failed(.declined(reason))? = upstream.opening?.state,
            case .failed(.declined(kept))? = front.opening?.state
        else {
            throw Trouble(
                description: "here \(String(describing: front.opening?.state)) for \(kept), there "
                    + "\(String(describing: upstream.opening?.state)) for \(reason)")
        }
        let said = [reading.code, reading["bank_result_msg"]].compactMap { $0 }.joined(separator: " ")
        guard said == kept.word(in: self.cell.pair.dialect) else {
            throw Trouble(description: "\(kept) is \"\(said)\" to the shop")
        }
    }
}

extension UpstreamService {
    /// What is left of the issuer's reason when this service's answer has been read (acquirers.md, section 10).
    fileprivate func handsOn(_ reason: DeclineReason) -> DeclineReason {
        switch self {
        case .mpgs, .payone, .tappay, .alphapay: reason
        // It has a word for funds, and one for everything else that an issuer declines.
        case .radial: reason == .insufficientFunds ? reason : .doNotHonor
        }
    }
}

extension DeclineReason {
    /// A card which the service's acquirer declines for this reason.
    fileprivate var decliningCard: SimulatedCard {
        switch self {
        case .insufficientFunds: SimulatedCard(declined: "4895380000000519", expirationDate: "311231")
        case .expiredCard: SimulatedCard(declined: SimulatedCard.visa.dpan, expirationDate: "240131")
        default: SimulatedCard(declined: "4242421602184242", expirationDate: "311231")
        }
    }

    /// What the shop's API says for this reason.
    fileprivate func word(in dialect: String) -> String? {
        switch (dialect, self) {
        case ("alphapay", .doNotHonor): "DO_NOT_HONOR"
        case ("alphapay", .insufficientFunds): "INSUFFICIENT_FUNDS"
        case ("alphapay", .expiredCard): "CARD_EXPIRED"
        case ("commweb", .doNotHonor): "DECLINED"
        case ("commweb", .insufficientFunds): "INSUFFICIENT_FUNDS"
        case ("commweb", .expiredCard): "EXPIRED_CARD"
        case ("payone", .doNotHonor): "5"
        case ("payone", .insufficientFunds): "51"
        case ("payone", .expiredCard): "33"
        case ("radial", .doNotHonor), ("radial", .expiredCard): "DECL"
        case ("radial", .insufficientFunds): "DECLF"
        case ("tappay", .doNotHonor): "10003 Do not honor"
        case ("tappay", .insufficientFunds): "10003 Insufficient funds"
        case ("tappay", .expiredCard): "10003 Expired card"
        default: nil
        }
    }
}

extension SimulatedCard {
    fileprivate init(declined number: String, expirationDate: String) {
        self.init(
            name: "declined", network: .visa, kind: .credit, dpan: number, fpanSuffix: "1234",
            expirationDate: expirationDate, eci: "5")
    }
}
