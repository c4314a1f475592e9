//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// `ResponseCode` of a CreditCardAuthReply: what the client should do.
enum ResponseCode: String, CaseIterable, Hashable, Sendable {
    case approved = "APPROVED"
    /// A rule table of the vendor's. Never sent.
    case acceptOrderWithException = "AcceptOrderWithException"
    case addressNotValidated = "AVS"
    case securityCodeNotValidated = "CSC"
    case neitherValidated = "AVSCSC"
    case declined = "DECL"
    case declinedForFunds = "DECLF"
    /// Asks the client to accept the order although it is not authorized. Never sent.
    case declinedWithReferral = "DECLR"
    case timeout = "TIMEOUT"
}

/// `AuthorizationResponseCode`: how it ended.
enum AuthorizationResponseCode: String, CaseIterable, Hashable, Sendable {
    case approved = "AP01"
    /// Nobody knows yet whether it was approved.
    case timeout = "TO01"
    /// The issuer or the processor did not respond, and nothing was charged.
    case noResponse = "NR01"
    /// Declined by the issuer.
    case declined = "ND01"
    /// The card or the request was not acceptable.
    case notAcceptable = "NC03"
}

/// `CVV2ResponseCode`.
enum CVV2ResponseCode: String, CaseIterable, Hashable, Sendable {
    case match = "M"
    case noMatch = "N"
    case notPerformed = "P"
    case notProvided = "S"
    case issuerNotCertified = "U"
    case noResponse = "X"
    case notAvailable = "0"
    case temporary = "T"
}

/// `AVSResponseCode`.
enum AVSResponseCode: String, CaseIterable, Hashable, Sendable {
    case streetMatches = "A"
    case streetMatchesPostalCodeUnreadable = "B"
    case bothUnreadable = "C"
    case bothMatchInternational = "D"
    /// Also what is answered for a letter that is none of these: "unrecognized authorizer code".
    case error = "E"
    case bothMatchUnitedKingdom = "F"
    case notParticipating = "G"
    case notPerformed = "I"
    case bothMatchAbroad = "M"
    case nothingMatches = "N"
    case postalCodeMatchesStreetUnreadable = "P"
    case retry = "R"
    case notSupported = "S"
    case postalCodeMatchesTruncated = "T"
    case unavailable = "U"
    case longPostalCodeMatches = "W"
    case streetAndLongPostalCodeMatch = "X"
    case streetAndPostalCodeMatch = "Y"
    case postalCodeMatches = "Z"

    // MARK: American Express, whose answers describe the card member's name too

    case amexPostalCodeMatchesWithoutName = "AD"
    case amexBothMatchWithoutName = "AE"
    case amexStreetMatchesWithoutName = "AF"
    case amexNameMatches = "AK"
    case amexNameAndPostalCodeMatch = "AL"
    case amexAllMatch = "AM"
    case amexNameAndStreetMatch = "AO"
    case amexNothingMatches = "AW"
}

/// `PhoneResponseCode`, `NameResponseCode` and `EmailResponseCode`: American Express alone has them.
enum AmexVerificationCode: String, CaseIterable, Hashable, Sendable {
    case match = "Y"
    case noMatch = "N"
    case notVerified = "U"
}
