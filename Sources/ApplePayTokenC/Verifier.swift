//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import StrictJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What `apple_pay_token_verifier` stands for.
final class Verifier: Sendable {
    private let verifier: TokenVerifier
    private let keyring: TokenKeyring

    init(_ options: VerifierOptions) {
        self.verifier = TokenVerifier(
            trustRoots: (options.trustsApple ? [.appleRootCAG3] : []) + options.trustRoots,
            policy: VerificationPolicy(
                window: .live(
                    ageMaxSeconds: options.ageMaxSeconds, futureMaxSeconds: options.futureMaxSeconds)))
        self.keyring = TokenKeyring(options.keys)
    }

    func verify(_ question: Question) throws(Refusal) -> JSON {
        do throws(TokenError) {
            return try self.verified(question).json
        } catch {
            throw Refusal(error)
        }
    }

    func open(_ question: Question) throws(Refusal) -> JSON {
        do throws(TokenError) {
            let verified = try self.verified(question)
            var answer = verified.json.object ?? JSONObject()
            answer["payload"] = try verified.decrypt(with: self.keyring).payload.json(reveals: true)
            return .object(answer)
        } catch {
            throw Refusal(error)
        }
    }

    private func verified(_ question: Question) throws(TokenError) -> VerifiedToken {
        try self.verifier.verify(
            try UnverifiedToken(parsing: question.token), at: question.now,
            expecting: TokenExpectations(applicationData: question.applicationData))
    }
}

/// A token, and what it is to be held against.
struct Question {
    let token: [UInt8]
    let now: Date
    let applicationData: [UInt8]?
}
