//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Redaction
import TestGateway
import Testing

@testable import Radial

/// What the store says of an authentication of the payer reaches the acquirer: what came of it, its name, and its proof.
@Suite struct PayerAuthenticationTests {
    private static let cryptogram = "AAABBWYSR4AAAAAAAAASAAAAAAA="

    private static func verification(_ elements: String) -> String {
        "<SecureVerificationData>\(elements)</SecureVerificationData>"
    }

    private static func charge(_ verification: String) async throws -> Charge {
        let acquirer = NotingAcquirer()
        let shop = try await RadialShop.open { parts in
            parts.connectors = [SharedAcquirerConnector(acquirer, takesLive: true)]
        }
        let reply = try await shop.send(
            "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", verification: verification))
        #expect(reply["ResponseCode"] == "APPROVED", "\(reply.text)")
        #expect(acquirer.charges.count == 1)
        return try #require(acquirer.charges.first)
    }

    @Test func proofAndItsNameReachTheAcquirer() async throws {
        let charge = try await Self.charge(Sample.verification(Self.cryptogram))
        #expect(charge.details.authentication == PayerAuthentication(status: .authenticated, transactionID: "1"))
        guard case .networkToken(let card) = charge.instrument, case .cryptogram(let proof) = card.proof else {
            Issue.record("the card has no proof")
            return
        }
        #expect(proof.reveal() == [0, 0, 1, 5, 0x66, 0x12, 0x47, 0x80, 0, 0, 0, 0, 0, 0, 0x12, 0, 0, 0, 0, 0])
        #expect(card.eci == "07" || card.eci == "7")
    }

    @Test(arguments: [
        ("A", PayerAuthentication.Status.attempted), ("U", .unavailable), ("N", .failed),
    ])
    func everyEndReachesTheAcquirer(_ word: String, _ status: PayerAuthentication.Status) async throws {
        let charge = try await Self.charge(
            Self.verification(
                "<AuthenticationAvailable>Y</AuthenticationAvailable><AuthenticationStatus>\(word)</AuthenticationStatus>"
                    + "<TransactionId>c2f1a9</TransactionId>"))
        #expect(charge.details.authentication == PayerAuthentication(status: status, transactionID: "c2f1a9"))
    }

    /// The card takes part in none, which is not the same as nothing said.
    @Test func authenticationThatWasNotAvailableIsUnavailable() async throws {
        let charge = try await Self.charge(
            Self.verification("<AuthenticationAvailable>N</AuthenticationAvailable>"))
        #expect(charge.details.authentication == PayerAuthentication(status: .unavailable))
        #expect(try await Self.charge("").details.authentication == nil)
    }
}
