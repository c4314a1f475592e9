//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The cards behind the wallet simulator's device account numbers, as a bank knows them that has issued both.
///
/// A table of its own, since the simulated bank shares no code with the simulated wallet; a test keeps both alike.
enum WalletCards {
    /// The last four digits of the card, by the device account number.
    private static let suffixes: [String: String] = [
        "4895370012345671": "1234", "4895381100200306": "5678", "5204240012345679": "2345",
        "5204251100200304": "6789", "379999001234562": "1005", "6510990012345676": "4321",
        "3569990012345673": "3456", "6258990012345672": "7890", "6725990000123456780": "9012",
        // Co-badged cards have a number for each network.
        "6725990000223344555": "3012", "5204251100200403": "3012",
        "6725990000334455662": "3013", "4895381100200504": "3013",
        "5817901100200600": "3014", "4895381100200611": "3014",
        "5602791100200703": "3015", "5204251100200718": "3015",
        "5888451100200808": "3016", "4895381100200819": "3016",
        // The browser's wallet: of the cards that are declined nothing is said.
        "4895370000000684": "0068",
    ]

    /// - Returns: `nil` for a number of which the wallet simulator knows no card.
    static func fundingSuffix(of number: String) -> String? {
        // The numbers that TapPay publishes are those of cards.
        number.hasPrefix("424242") ? String(number.suffix(4)) : self.suffixes[number]
    }
}
