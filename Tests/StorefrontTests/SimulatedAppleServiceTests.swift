//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import HTTPTypes
import StrictJSON
import Testing
import Time
import WalletSimulator

@testable import Storefront

/// The sandbox's Apple as a service: what it keeps, and what it answers where it can't.
struct SimulatedAppleServiceTests {
    private struct Unusable: Error {}

    private static func apple(
        registrations: @escaping @Sendable () async throws -> SimulatedMerchantValidation.Registrations = { [:] }
    ) throws -> SimulatedApple {
        SimulatedApple(
            authority: try TestAuthority.make(now: .now), registrations: registrations,
            platforms: SimulatedAppleBook(kept: [:]) { _ in throw Unusable() }, clock: { Timestamp(seconds: 0) },
            random: { Array(repeating: 0, count: $0) })
    }

    @Test(
        arguments: [(.overloaded, 503), (.timedOut, 503), (.bodyIncomplete, 400), (.pathUnknown, 404)]
            as [(WireFailure, Int)])
    func failuresHaveApplesShapeToo(failure: WireFailure, status: Int) async throws {
        let answer = try await Self.apple().answer(to: failure, request: .init(method: .post, path: "/"))
        #expect(answer.status.code == status)
        #expect(try JSON.parse(answer.body)["statusCode"]?.string == "\(status)")
    }

    @Test func booksThatCannotBeReadAreAFaultOfTheServer() async throws {
        let answer = try await Self.apple(registrations: { throw Unusable() }).respond(
            to: .init(method: .post, path: "/paymentservices/paymentSession", body: Array("{}".utf8)))
        #expect(answer.status == .internalServerError)
    }

    @Test func whatCannotBeKeptIsNotRegistered() {
        let book = SimulatedAppleBook(kept: [:]) { _ in throw Unusable() }
        #expect(throws: Unusable.self) {
            try book.change { $0 = SimulatedRegistrations(["p": ["m": ["name": "n", "encryptTo": "e"]]]) }
        }
        #expect(book.registrations == SimulatedRegistrations())
    }
}
