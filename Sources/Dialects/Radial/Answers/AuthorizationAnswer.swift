//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What a CreditCardAuthReply says of an authorization.
struct AuthorizationAnswer: Hashable, Sendable {
    let responseCode: ResponseCode
    let authorizationResponseCode: AuthorizationResponseCode
    let securityCode: CVV2ResponseCode
    let address: AVSResponseCode
    /// What American Express says of the card member's name, phone and e-mail; `nil` for other networks.
    let name: AmexVerificationCode?
    let phone: AmexVerificationCode?
    let email: AmexVerificationCode?

    /// - Parameter isWallet: whether it was paid with a digital wallet, where there is no security code to check.
    init(_ authorization: Operation, of network: CardNetwork, isWallet: Bool) {
        let answer = authorization.answer
        let isAmex = network == .amex
        switch authorization.state {
        case .succeeded:
            self.responseCode = .approved
            self.authorizationResponseCode = .approved
            self.securityCode = CVV2ResponseCode(answer.securityCodeCheck, isWallet: isWallet, ifNone: .notPerformed)
            self.address = AVSResponseCode(answer.addressCheck, isAmex: isAmex, ifNone: .unavailable)
        case .pending, .unknown, .accepted:
            self.responseCode = .timeout
            self.authorizationResponseCode = .timeout
            self.securityCode = CVV2ResponseCode(nil, isWallet: isWallet, ifNone: .noResponse)
            self.address = .retry
        case .failed(let failure):
            let securityCode = CVV2ResponseCode(
                answer.securityCodeCheck, isWallet: isWallet, ifNone: .notPerformed)
            let address = AVSResponseCode(answer.addressCheck, isAmex: isAmex, ifNone: .unavailable)
            self.authorizationResponseCode = AuthorizationResponseCode(failure)
            self.responseCode = ResponseCode(failure, securityCode, address)
            self.securityCode = securityCode
            self.address = address
        }
        self.name = isAmex ? AmexVerificationCode(nameIn: self.address) : nil
        // No acquirer answers for these two.
        self.phone = isAmex ? .notVerified : nil
        self.email = isAmex ? .notVerified : nil
    }
}

extension AuthorizationResponseCode {
    init(_ failure: OperationFailure) {
        switch failure {
        case .declined(let reason): self.init(reason)
        // It was approved for less than was asked, or nobody could say, and it has been taken back.
        case .reversed: self = .notAcceptable
        // A Fault says it (``Radial/authorize(_:tender:_:)``): the same token would not be taken later either.
        case .notProcessed(.tokenRefused): self = .notAcceptable
        // Nobody has declined it: a client may accept the order, and authorize it again later.
        case .notProcessed: self = .noResponse
        }
    }

    private init(_ reason: DeclineReason) {
        switch reason {
        case .issuerUnavailable, .timedOut: self = .noResponse
        case .doNotHonor, .insufficientFunds, .expiredCard, .lostOrStolenCard, .suspectedFraud, .exceedsLimit:
            self = .declined
        case .invalidCard, .notPermitted, .systemError, .invalidOperation, .unspecified: self = .notAcceptable
        }
    }
}

extension ResponseCode {
    /// What the client should do after a decline.
    ///
    /// A decline with a failed check asks the customer to correct what he typed. NR01 is TIMEOUT (the code table),
    /// which lets a client accept the order and authorize it again later.
    init(_ failure: OperationFailure, _ securityCode: CVV2ResponseCode, _ address: AVSResponseCode) {
        switch AuthorizationResponseCode(failure) {
        case .noResponse, .timeout: self = .timeout
        case .approved: self = .approved
        case .declined, .notAcceptable:
            switch (securityCode.isFailure, address.isFailure, failure) {
            case (_, _, .declined(.insufficientFunds)): self = .declinedForFunds
            case (true, true, _): self = .neitherValidated
            case (true, false, _): self = .securityCodeNotValidated
            case (false, true, _): self = .addressNotValidated
            case (false, false, _): self = .declined
            }
        }
    }
}

extension CVV2ResponseCode {
    /// - Parameters:
    ///   - letter: the network's, as the acquirer returned it.
    ///   - isWallet: a wallet has no security code; the seed's sample says "0".
    init(_ letter: String?, isWallet: Bool, ifNone: CVV2ResponseCode) {
        guard !isWallet else {
            self = .notAvailable
            return
        }
        self = letter.flatMap(CVV2ResponseCode.init(rawValue:)) ?? ifNone
    }

    /// "You cannot accept an order" with it (the seed; codes of the table that ask the consumer to fix).
    var isFailure: Bool {
        switch self {
        case .noMatch: true
        case .match, .notPerformed, .notProvided, .issuerNotCertified, .noResponse, .notAvailable, .temporary: false
        }
    }
}

extension AVSResponseCode {
    /// - Parameter isAmex: American Express has letters of its own, which mean something else with other networks; the wire
    ///   marks them by an "A" before them.
    init(_ letter: String?, isAmex: Bool, ifNone: AVSResponseCode) {
        guard let letter else {
            self = ifNone
            return
        }
        self = isAmex ? Self(amex: letter) : letter.utf8.count == 1 ? Self(rawValue: letter) ?? .error : .error
    }

    private init(amex letter: String) {
        switch letter {
        case "D", "E", "F", "K", "L", "M", "O", "W": self = Self(rawValue: "A" + letter) ?? .error
        case "A", "N", "R", "S", "U", "Y", "Z": self = Self(rawValue: letter) ?? .error
        // An acquirer may write them as the wire does.
        default: self = letter.utf8.count == 2 ? Self(rawValue: letter) ?? .error : .error
        }
    }

    var isFailure: Bool {
        switch self {
        case .nothingMatches, .amexNothingMatches: true
        case .streetMatches, .streetMatchesPostalCodeUnreadable, .bothUnreadable, .bothMatchInternational, .error,
            .bothMatchUnitedKingdom, .notParticipating, .notPerformed, .bothMatchAbroad,
            .postalCodeMatchesStreetUnreadable, .retry, .notSupported, .postalCodeMatchesTruncated, .unavailable,
            .longPostalCodeMatches, .streetAndLongPostalCodeMatch, .streetAndPostalCodeMatch, .postalCodeMatches,
            .amexPostalCodeMatchesWithoutName, .amexBothMatchWithoutName, .amexStreetMatchesWithoutName,
            .amexNameMatches, .amexNameAndPostalCodeMatch, .amexAllMatch, .amexNameAndStreetMatch:
            false
        }
    }
}

extension AmexVerificationCode {
    /// What an answer about the address says of the name.
    init(nameIn address: AVSResponseCode) {
        switch address {
        case .amexNameMatches, .amexNameAndPostalCodeMatch, .amexAllMatch, .amexNameAndStreetMatch: self = .match
        case .amexPostalCodeMatchesWithoutName, .amexBothMatchWithoutName, .amexStreetMatchesWithoutName,
            .amexNothingMatches:
            self = .noMatch
        default: self = .notVerified
        }
    }
}
