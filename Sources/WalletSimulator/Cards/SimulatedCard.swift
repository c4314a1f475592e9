//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A card in the simulator's wallet: the device account number (DPAN) that tokens carry, and what PassKit shows of
/// the card itself.
///
/// The numbers are made up within the ranges of their networks, pass the Luhn check, and belong to nobody.
public struct SimulatedCard: Hashable, Sendable {
    /// A payment network as PassKit and Apple Pay JS spell it in `paymentMethod.network`.
    public enum Network: String, Hashable, Sendable, CaseIterable {
        case visa = "Visa"
        case mastercard = "MasterCard"
        case amex = "AmEx"
        case discover = "Discover"
        case jcb = "JCB"
        case unionPay = "ChinaUnionPay"
        case girocard = "girocard"
        case cartesBancaires = "CartesBancaires"
        case eftpos = "Eftpos"
        case mada = "Mada"
    }

    /// A further network of a co-badged card, under which the card has a device account number of its own.
    public struct Badge: Hashable, Sendable {
        public let network: Network
        public let dpan: String
        public let eci: String?

        public init(network: Network, dpan: String, eci: String?) {
            self.network = network
            self.dpan = dpan
            self.eci = eci
        }
    }

    /// `paymentMethod.type`.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case credit
        case debit
    }

    /// The short name to look a card up by, e.g. "visa-debit".
    public let name: String
    public let network: Network
    public let kind: Kind
    /// The device account number: 12 to 19 digits.
    public let dpan: String
    /// The last four digits of the card's own number, which people see.
    public let fpanSuffix: String
    /// "YYMMDD".
    public let expirationDate: String
    /// The electronic commerce indicator of a 3-D Secure payload; Mastercard's and girocard's tokens have none.
    public let eci: String?
    /// The other networks of a co-badged card.
    public let coBadges: [Badge]

    public init(
        name: String, network: Network, kind: Kind, dpan: String, fpanSuffix: String, expirationDate: String,
        eci: String?, coBadges: [Badge] = []
    ) {
        self.name = name
        self.network = network
        self.kind = kind
        self.dpan = dpan
        self.fpanSuffix = fpanSuffix
        self.expirationDate = expirationDate
        self.eci = eci
        self.coBadges = coBadges
    }

    /// `paymentMethod.displayName`, e.g. "Visa 1234".
    public var displayName: String { "\(self.network.rawValue) \(self.fpanSuffix)" }

    /// The networks' cryptograms for remote payments (TAVV, UCAF, AEVV and their kin) are 20 bytes, 28 characters
    /// in base64.
    public var cryptogramByteCount: Int { 20 }

    /// The card of that short name, in whatever case: "visa", "mastercard", "girocard", "girocard-mastercard", "tappay-10003" …
    public static func named(_ name: String) -> SimulatedCard? {
        self.allNamed.first { $0.name == name.lowercased() }
    }

    /// Every card that has a name here.
    public static var allNamed: [SimulatedCard] { self.allCases + self.coBadgedCards + self.tapPayTestCards }
}

extension SimulatedCard: CustomStringConvertible {
    /// Names the card without its number.
    public var description: String { "\(self.displayName) (\(self.name))" }
}

extension SimulatedCard: CaseIterable {
    public static let allCases: [SimulatedCard] = [
        .visa, .visaDebit, .mastercard, .mastercardDebit, .amex, .discover, .jcb, .unionPay, .girocard,
    ]

    public static let visa = SimulatedCard(
        name: "visa", network: .visa, kind: .credit, dpan: "4895370012345671", fpanSuffix: "1234",
        expirationDate: "311231", eci: "7")
    // Debit cards have ranges of their own: who knows a card by its first six digits distinguishes them from credit
    // cards.
    public static let visaDebit = SimulatedCard(
        name: "visa-debit", network: .visa, kind: .debit, dpan: "4895381100200306", fpanSuffix: "5678",
        expirationDate: "320630", eci: "5")
    public static let mastercard = SimulatedCard(
        name: "mastercard", network: .mastercard, kind: .credit, dpan: "5204240012345679", fpanSuffix: "2345",
        expirationDate: "310930", eci: nil)
    public static let mastercardDebit = SimulatedCard(
        name: "mastercard-debit", network: .mastercard, kind: .debit, dpan: "5204251100200304", fpanSuffix: "6789",
        expirationDate: "320331", eci: nil)
    public static let amex = SimulatedCard(
        name: "amex", network: .amex, kind: .credit, dpan: "379999001234562", fpanSuffix: "1005",
        expirationDate: "311130", eci: "5")
    public static let discover = SimulatedCard(
        name: "discover", network: .discover, kind: .credit, dpan: "6510990012345676", fpanSuffix: "4321",
        expirationDate: "320131", eci: "5")
    public static let jcb = SimulatedCard(
        name: "jcb", network: .jcb, kind: .credit, dpan: "3569990012345673", fpanSuffix: "3456",
        expirationDate: "310731", eci: "5")
    public static let unionPay = SimulatedCard(
        name: "unionpay", network: .unionPay, kind: .credit, dpan: "6258990012345672", fpanSuffix: "7890",
        expirationDate: "320831", eci: "5")
    public static let girocard = SimulatedCard(
        name: "girocard", network: .girocard, kind: .debit, dpan: "6725990000123456780", fpanSuffix: "9012",
        expirationDate: "311231", eci: nil)
}
