//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@testable import ApplePayToken

/// The token of the Radial document, signed by Apple on 2015-12-10T17:44:10Z.
@Suite struct GenuineTokenTests {
    @Test func verifiesAtItsTimeAgainstTheBuiltInRoot() throws {
        let genuine = try GenuineToken()
        let verified = try TokenVerifier().verify(genuine.token, at: GenuineToken.now)
        #expect(verified.signingTime == (try Date("2015-12-10T17:44:10Z")))
        #expect(verified.anchor == .appleRootCAG3)
        #expect(verified.version == .ecV1)
        #expect(
            verified.header.transactionIdentifierText
                == "84a7e17570c940f6a268d9121a4c090f1d2e22bab4da0f2054c7ba53035dc79a")
        #expect(verified.header.publicKeyHashText == "i3F+FlIbyhjfYqMqm3M/dpeWRO9tnD+U9BJng3tkkig=")
        #expect(verified.header.applicationDataHash == nil)
    }

    @Test func builtInRootIsAppleRootCAG3() {
        #expect(
            TrustAnchor.appleRootCAG3.id == "9b219d0fbff36a5fb32090571906bceea68617c833a3f61b81e962a8e64db8af")
        #expect(TrustAnchor.appleRootCAG3.label == "Apple Root CA - G3")
    }

    @Test func refusesTodayByTheWindow() throws {
        let genuine = try GenuineToken()
        expectRefusal(.signingTimeTooOld, .window) {
            _ = try TokenVerifier().verify(genuine.token, at: Date(timeIntervalSince1970: 1_790_000_000))
        }
    }

    @Test(
        arguments: [
            (0, true), (300, true), (301, false), (-60, true), (-61, false), (-86_400, false), (10_000_000_000, false),
        ] as [(TimeInterval, Bool)])
    func windowIsFiveMinutesBackAndOneForward(age: TimeInterval, isAccepted: Bool) throws {
        let genuine = try GenuineToken()
        let now = try Date("2015-12-10T17:44:10Z").addingTimeInterval(age)
        if isAccepted {
            let verified = try TokenVerifier().verify(genuine.token, at: now)
            #expect(verified.anchor == .appleRootCAG3)
        } else {
            expectRefusal(age > 0 ? .signingTimeTooOld : .signingTimeInFuture, .window) {
                _ = try TokenVerifier().verify(genuine.token, at: now)
            }
        }
    }

    @Test func archivedPolicyJudgesTheChainOnly() throws {
        let genuine = try GenuineToken()
        let verifier = TokenVerifier(policy: .archived)
        #expect(try verifier.verify(genuine.token, at: .distantFuture).anchor == .appleRootCAG3)
        #expect(try verifier.verify(genuine.token, at: .distantPast).anchor == .appleRootCAG3)
    }

    @Test func refusesWithoutApplesRoot() throws {
        let genuine = try GenuineToken()
        expectRefusal(.rootUntrusted, .chain) {
            _ = try TokenVerifier(trustRoots: []).verify(genuine.token, at: GenuineToken.now)
        }
        let root = try Fixture.get().root
        let error = expectRefusal(.rootUntrusted, .chain) {
            _ = try TokenVerifier(trustRoots: [root]).verify(genuine.token, at: GenuineToken.now)
        }
        #expect(error?.message.contains("simulator") == true)
    }

    @Test func sameBytesWithPaddingVerifyToo() throws {
        let genuine = try GenuineToken()
        let rewritten = try UnverifiedToken(json: genuine.token.paymentDataJSON)
        #expect(rewritten == genuine.token)
        #expect(genuine.token.paymentDataJSON["signature"]?.string?.hasSuffix("=") == true)
        _ = try TokenVerifier().verify(rewritten, at: GenuineToken.now)
    }

    @Test func cannotBeOpenedWithoutItsKey() throws {
        let genuine = try GenuineToken()
        let verified = try TokenVerifier().verify(genuine.token, at: GenuineToken.now)
        let error = expectRefusal(.keyUnknown, .keySelection) {
            _ = try verified.decrypt(with: try Fixture.get().keyring)
        }
        #expect(error?.message.contains("i3F+FlIbyhjfYqMqm3M/dpeWRO9tnD+U9BJng3tkkig=") == true)
    }
}
