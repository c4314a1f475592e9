//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction

/// What the simulated issuer says of a card beside yes or no.
///
/// | billing address | address check |
/// |---|---|
/// | none, or without postal code | none |
/// | postal code 00000 | "N": neither matches |
/// | postal code 00001 | "A": street matches, postal code doesn't |
/// | postal code 00002 | "Z": postal code matches, street doesn't |
/// | postal code 00003 | "R": try again |
/// | American Express, postal code 00004 | "W": neither matches, nor does the name |
/// | American Express, postal code 00005 | "E": both match, the name doesn't |
/// | American Express, postal code 00006 | "M": both match, and the name |
/// | any other | "Y": both match |
///
/// | security code | its check |
/// |---|---|
/// | a token with a cryptogram | none |
/// | not given | "P": not performed |
/// | 000 or 0000 | "N": no match |
/// | any other | "M": match |
struct IssuerChecks: Hashable, Sendable {
    var address: String?
    var securityCode: String?
    var fundingPANSuffix: String?
    var fundingExpiryYearMonth: String?
    var paymentAccountReference: String?
    var eci: String?
    var isMastercard = false

    init() {}

    init(_ instrument: PaymentInstrument, _ billing: PostalAddress?) {
        guard case .networkToken(let token) = instrument else {
            self.fundingPANSuffix = SimulatedAnswer.fundingPANSuffix(of: instrument)
            return
        }
        self.address = billing?.postalCode.map {
            Self.addressCheck($0, isAmex: CardNetwork(pan: token.pan) == .amex)
        }
        self.fundingExpiryYearMonth = token.expiryYearMonth
        self.paymentAccountReference = SimulatedAnswer.paymentAccountReference(of: token.pan)
        self.eci = token.eci
        self.isMastercard = CardNetwork(pan: token.pan) == .mastercard
        if case .securityCode(let code) = token.proof {
            self.securityCode = code.map { Self.securityCodeCheck($0.reveal()) } ?? "P"
        }
        self.fundingPANSuffix = SimulatedAnswer.fundingPANSuffix(of: instrument)
    }

    private static func addressCheck(_ postalCode: String, isAmex: Bool) -> String {
        switch postalCode {
        case "00000": "N"
        case "00001": "A"
        case "00002": "Z"
        case "00003": "R"
        case "00004" where isAmex: "W"
        case "00005" where isAmex: "E"
        case "00006" where isAmex: "M"
        default: "Y"
        }
    }

    private static func securityCodeCheck(_ code: String) -> String {
        code == "000" || code == "0000" ? "N" : "M"
    }
}
