//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Time

/// The checks of OpenID Connect Core 1.0, section 3.1.3.7, on the claims of a token whose signature is right.
///
/// at_hash is not looked at: it binds an access token, with which nothing is decided here.
struct IDTokenClaims: Sendable {
    let issuer: String
    let clientID: String
    let nonce: String
    let now: Timestamp
    let skewSeconds: Int64
    /// How long ago a token may have been made: it was made for a code that has just been redeemed.
    let ageSecondsMax: Int64

    /// - Returns: who it is at the issuer.
    func subject(of claims: JSONObject) throws(OpenIDFailure) -> String {
        guard claims["iss"]?.string?.isExactly(self.issuer) == true else { throw OpenIDFailure(.tokenIssuerWrong) }
        try self.checkAudience(claims)
        try self.checkTimes(claims)
        guard let nonce = claims["nonce"]?.string, nonce.isExactly(self.nonce) else {
            throw OpenIDFailure(.tokenNonceWrong)
        }
        // Section 2: at most 255 characters of ASCII, case-sensitive.
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw OpenIDFailure(.tokenSubjectMalformed) }
        return subject
    }

    private func checkAudience(_ claims: JSONObject) throws(OpenIDFailure) {
        let audiences: [String?] =
            switch claims["aud"] {
            case .string(let one): [one]
            case .array(let several): several.map(\.string)
            default: []
            }
        guard audiences.contains(where: { $0?.isExactly(self.clientID) == true }) else {
            throw OpenIDFailure(.tokenAudienceWrong)
        }
        // Steps 3 to 5: no other audience is trusted here, so one beside us takes a word that it was made for us.
        guard audiences.count == 1 || claims["azp"] != nil else { throw OpenIDFailure(.tokenPartyWrong) }
        guard let party = claims["azp"] else { return }
        guard party.string?.isExactly(self.clientID) == true else { throw OpenIDFailure(.tokenPartyWrong) }
    }

    private func checkTimes(_ claims: JSONObject) throws(OpenIDFailure) {
        guard let end = Self.moment(claims["exp"]), let made = Self.moment(claims["iat"]) else {
            throw OpenIDFailure(.tokenMalformed)
        }
        guard self.now < end.adding(seconds: self.skewSeconds),
            self.now.milliseconds(since: made) <= (self.ageSecondsMax + self.skewSeconds) * 1000
        else { throw OpenIDFailure(.tokenExpired) }
        guard made <= self.now.adding(seconds: self.skewSeconds) else { throw OpenIDFailure(.tokenTooEarly) }
        guard claims["nbf"] != nil else { return }
        guard let begin = Self.moment(claims["nbf"]) else { throw OpenIDFailure(.tokenMalformed) }
        guard begin <= self.now.adding(seconds: self.skewSeconds) else { throw OpenIDFailure(.tokenTooEarly) }
    }

    /// Seconds since 1970, which may have decimals (RFC 7519, section 2, NumericDate); those are left out.
    private static func moment(_ json: JSON?) -> Timestamp? {
        guard let text = json?.numberText, !text.contains("e"), !text.contains("E"),
            let seconds = Int64(text.prefix { $0 != "." }), (0...(1 << 40)).contains(seconds)
        else { return nil }
        return Timestamp(seconds: seconds)
    }
}
