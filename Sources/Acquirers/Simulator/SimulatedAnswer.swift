//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Payments
import Redaction
import Time

/// What the simulator answers beside yes or no, made from the operation's id alone.
enum SimulatedAnswer {
    /// A retrieval reference number (ISO 8583:1987, field 37): twelve digits.
    ///
    /// - Parameter attempt: 0; counted up where the number is taken.
    static func reference(of id: OperationID, attempt: UInt64) -> String {
        self.digits(self.hash(id.text, seed: attempt) % 1_000_000_000_000, count: 12)
    }

    /// What an acquirer that names operations itself calls one.
    static func name(of id: OperationID) -> String {
        "sim-" + self.digits(self.hash(id.text, seed: 0x6E61_6D65) % 1_000_000_000_000_000, count: 15)
    }

    /// An authorization code (ISO 8583:1987, field 38): six digits.
    static func authorizationCode(of id: OperationID) -> String {
        self.digits(self.hash(id.text, seed: 0x6175_7468) % 1_000_000, count: 6)
    }

    /// A system trace audit number (ISO 8583:1987, field 11): six digits.
    static func stan(of id: OperationID) -> String {
        self.digits(self.hash(id.text, seed: 0x7374_616E) % 1_000_000, count: 6)
    }

    /// Its own code for what comes after an authorization's hold. ``DeclineReason`` has no word for that: it is an
    /// operation that the authorization is in no state for.
    static let authorizationExpiredCode = "authorizationExpired"

    /// An acquirer reference number, by which networks know what was presented: a mark, the acquirer's number, the day as the
    /// year's last digit and the day of the year, eleven digits, and a check digit.
    static func acquirerReferenceNumber(of id: OperationID, at moment: Timestamp) -> String {
        let day = moment.compactDate
        let newYear = Timestamp(rfc3339: "\(day.prefix(4))-01-01T00:00:00Z") ?? moment
        let dayOfYear = UInt64(max(0, moment.milliseconds(since: newYear)) / 86_400_000 + 1)
        let locator = self.hash(id.text, seed: 0x6172_6E31) % 100_000_000_000
        let text =
            "7400000" + day.dropFirst(3).prefix(1) + self.digits(dayOfYear, count: 3) + self.digits(locator, count: 11)
        return text + String(Luhn.checkDigit(of: text.utf8))
    }

    /// A card network's identifier of a transaction: fifteen digits.
    static func networkReference(of id: OperationID) -> String {
        self.digits(self.hash(id.text, seed: 0x6E65_7477) % 1_000_000_000_000_000, count: 15)
    }

    /// The last four digits of the card: its own where it came without a device, those that the wallet simulator shows for
    /// its cards, else made up for the card behind a device account number or a sealed token, always the same for it.
    static func fundingPANSuffix(of instrument: PaymentInstrument) -> String {
        let name: String
        switch instrument {
        case .networkToken(let token):
            name = token.pan.reveal()
            if case .securityCode = token.proof { return String(name.suffix(4)) }
            if let suffix = WalletCards.fundingSuffix(of: name) { return suffix }
        case .sealedApplePayToken(let sealed): name = sealed.transactionIdentifier.lowercased()
        }
        return self.digits(self.hash(name, seed: 0x6670_616E) % 10_000, count: 4)
    }

    /// What the account behind a number is called by its network: 29 capital letters and digits, always the same for it.
    static func paymentAccountReference(of pan: Redacted<String>) -> String {
        let halves = [UInt64(0x7061_7231), 0x7061_7232].map { seed in
            self.digits(self.hash(pan.reveal(), seed: seed) % 1_000_000_000_000, count: 12)
        }
        return "SIM1P" + halves.joined()
    }

    /// Mastercard's merchant advice code for a decline: "01" new account information, "02" try again later, "03" do not
    /// try again.
    static func adviceCode(of reason: DeclineReason) -> String? {
        switch reason {
        case .expiredCard: "01"
        case .insufficientFunds, .exceedsLimit, .issuerUnavailable, .timedOut, .systemError: "02"
        case .invalidCard, .lostOrStolenCard, .suspectedFraud, .notPermitted: "03"
        case .doNotHonor, .invalidOperation, .unspecified: nil
        }
    }

    static let approvedCode = "00"
    static let partiallyApprovedCode = "10"

    /// FNV-1a with a final mix (the finalizer of SplitMix64), so that ids that differ in one bit give unlike numbers.
    private static func hash(_ text: String, seed: UInt64) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }

    private static func digits(_ value: UInt64, count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
