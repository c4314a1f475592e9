//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients

/// What Radial's codes say.
enum RadialCodes {
    static func notes(_ body: ReplyBody) -> [CodeNote] {
        [
            CodeNote("ResponseCode", in: body, Self.responses),
            CodeNote("AuthorizationResponseCode", in: body, Self.authorizations),
            CodeNote("AVSResponseCode", in: body, Self.addresses),
            CodeNote("SettlementStatus", in: body, Self.settlements),
        ].compactMap { $0 }
    }

    static let responses: [String: String] = [
        "APPROVED": "The issuer approved: the amount is reserved.",
        "AcceptOrderWithException": "Take the order, and look at it before it is sent.",
        "AVS": "The billing address does not fit the card.",
        "CSC": "The card security code is wrong.",
        "AVSCSC": "Neither the address nor the card security code fits.",
        "DECL": "The card's issuer declined. Another card may work.",
        "DECLF": "There is not enough money in the card's account.",
        "DECLR": "The issuer declined as a risk, or wants to be called.",
        "TIMEOUT": "No answer came in time. AuthorizationResponseCode says whether anything may have been charged.",
        "Success": "The request was taken. An event says later what became of it.",
        "Fail": "The request was refused.",
        "Timeout": "No answer came in time: the outcome is not known yet.",
    ]

    static let authorizations: [String: String] = [
        "AP01": "Approved.",
        "TO01": "The outcome is not known yet. Sending the same request again asks for it.",
        "NR01": "The issuer cannot be reached. Nothing was charged.",
        "ND01": "Declined.",
        "NC03": "Not acceptable.",
    ]

    static let addresses: [String: String] = [
        "A": "The street fits, the postal code does not.",
        "E": "The address could not be checked.",
        "N": "Neither street nor postal code fits.",
        "R": "The address check is not available for the moment.",
        "S": "The issuer does not check addresses.",
        "U": "The address was not checked.",
        "X": "Street and nine-digit postal code fit.",
        "Y": "Street and postal code fit.",
        "Z": "The postal code fits, the street does not.",
    ]

    static let settlements: [String: String] = [
        "S": "Settled: the money moves.",
        "R": "Refused: DeclineReason says why.",
    ]
}
