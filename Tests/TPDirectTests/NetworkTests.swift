//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@testable import TPDirect

/// The real client against a real server on this machine.
@Suite struct NetworkTests {
    private static func request(_ url: URL?) throws -> PrimeRequest {
        PrimeRequest(
            appID: 1, appKey: "app_key", appName: "shop", appleMerchantIdentifier: "merchant.test",
            isAmountPending: false, paymentData: ["version": "EC_v1"], host: try #require(url))
    }

    private static func loss(_ server: URL?) async throws -> PrimeClient.Loss? {
        do {
            _ = try await PrimeClient.system.prime(try self.request(server))
            return nil
        } catch let loss as PrimeClient.Loss {
            return loss
        }
    }

    @Test func readsAPrime() async throws {
        let server = try LocalServer { _ in
            .answer(status: 200, headers: [], body: JSON.object(PrimeTests.good).text())
        }
        let prime = try await PrimeClient.system.prime(try Self.request(server.url))
        #expect(prime.prime == "test_prime")
        let body = try #require(server.requests.first?.components(separatedBy: "\r\n\r\n").last)
        #expect(try JSON.parse(body) == Self.request(server.url).json)
    }

    @Test func nobodyListeningMeansThatNothingLeft() async throws {
        // Port 1 is given to nobody; one that was given back may be another test's by now.
        let loss = try await Self.loss(URL(string: "http://127.0.0.1:1"))
        #expect(loss == PrimeClient.Loss(failure: TPDFailure(.gatewayTimeout), neverLeft: true))
    }

    @Test func aConnectionThatBreaksOffMayHaveCarriedTheRequest() async throws {
        let server = try LocalServer { _ in .hangUp }
        let loss = try await Self.loss(server.url)
        #expect(loss == PrimeClient.Loss(failure: TPDFailure(.gatewayTimeout), neverLeft: false))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [301, 302, 307, 308])
    func aTokenFollowsNoRedirection(_ status: Int) async throws {
        let other = try LocalServer { _ in .answer(status: 200, headers: [], body: "{}") }
        let location = "Location: http://127.0.0.1:\(other.port)/tpc/applepay/getprime"
        let server = try LocalServer { _ in .answer(status: status, headers: [location], body: "") }
        let loss = try await Self.loss(server.url)
        #expect(loss?.failure.status == 915)
        #expect(loss?.neverLeft == false)
        #expect(other.requests.isEmpty)
    }

    @Test func failuresCarryNothingOfTheRequest() async throws {
        let server = try LocalServer { _ in .answer(status: 500, headers: [], body: "app_key") }
        let loss = try #require(try await Self.loss(server.url))
        #expect(!"\(loss)".contains("app_key"))
        #expect(!"\(loss)".contains("EC_v1"))
    }

    @Test func requestAndPrimePrintNothingOfTheirs() throws {
        let request = try Self.request(URL(string: "https://pay.example.com"))
        let prime = try Prime(answer: PrimeTests.with("x", nil), httpStatus: 200)
        for text in ["\(request)", String(reflecting: request), "\(prime)", String(reflecting: prime)] {
            #expect(!text.contains("app_key"))
            #expect(!text.contains("EC_v1"))
            #expect(!text.contains("test_prime"))
        }
        var dumped = ""
        dump(request, to: &dumped)
        dump(prime, to: &dumped)
        #expect(!dumped.contains("app_key"))
        #expect(!dumped.contains("test_prime"))
    }
}
