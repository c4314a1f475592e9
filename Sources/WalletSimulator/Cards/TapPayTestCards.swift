//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension SimulatedCard {
    /// The cards that TapPay publishes for its sandbox ("Test cards"), as if they were in a wallet: "tappay-approved",
    /// and one for each refusal of the simulated bank, named by the number that TapPay's API answers: "tappay-10003".
    public static let tapPayTestCards: [SimulatedCard] = [
        ("approved", "4242424242424242"), ("10003", "4242421602184242"), ("10005", "4242422204184242"),
        ("10006", "4242424010264242"), ("10008", "4242424612284242"), ("10009", "4242426418294242"),
        ("10013", "4242427622294242"), ("10023", "4242428826394242"),
    ].map { name, number in
        SimulatedCard(
            name: "tappay-\(name)", network: .visa, kind: .credit, dpan: number, fpanSuffix: "4242",
            expirationDate: "311231", eci: "5")
    }
}
