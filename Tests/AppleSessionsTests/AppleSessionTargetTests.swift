//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Testing

@testable import AppleSessions

/// Where sessions are asked for, and where never.
struct AppleSessionTargetTests {
    private static let simulator = AppleSessionEndpoint(host: "127.0.0.1", port: 4711, authoritiesPEM: "CA")

    private static func target(
        _ url: String?, _ mode: Mode, simulator: AppleSessionEndpoint?? = .none
    ) throws(MerchantSessionFailure) -> AppleSessionTarget {
        var settings = AppleSessionSettings()
        if let simulator { settings.simulator = { simulator } }
        return try AppleSessionTarget(validationURL: url, mode: mode, settings: settings)
    }

    private static func reason(
        _ url: String?, _ mode: Mode, simulator: AppleSessionEndpoint?? = .none
    ) -> String? {
        do throws(MerchantSessionFailure) {
            _ = try self.target(url, mode, simulator: simulator)
            return nil
        } catch {
            return error.rawValue
        }
    }

    @Test func asksWhereAppleRecommendsWhenThePageSaysNothing() throws {
        #expect(
            try Self.target(nil, .live).url == "https://apple-pay-gateway.apple.com:443/paymentservices/paymentSession")
        #expect(
            try Self.target(nil, .sandbox).url
                == "https://apple-pay-gateway-cert.apple.com:443/paymentservices/paymentSession")
        let simulated = try Self.target(nil, .sandbox, simulator: Self.simulator)
        #expect(simulated.url == "https://127.0.0.1:4711/paymentservices/paymentSession")
        #expect(simulated.endpoint.authoritiesPEM == "CA")
        #expect(try Self.target(nil, .live, simulator: Self.simulator).endpoint == .live)
    }

    @Test func simulatedAppleThatDoesNotListenIsNoReasonToAskTheOther() {
        #expect(Self.reason(nil, .sandbox, simulator: .some(nil)) == "not_connected")
        #expect(
            Self.reason("https://127.0.0.1:4711/paymentservices/startSession", .sandbox, simulator: .some(nil))
                == "validation_url_not_apple")
    }

    @Test(arguments: Mode.allCases) func asksEveryHostOfItsOwnEnvironmentAndNoneOfTheOther(mode: Mode) throws {
        let other = Mode.allCases.first { $0 != mode }
        for call in AppleSessionTarget.Call.allCases {
            for host in AppleHosts.hosts(of: mode) {
                for port in ["", ":443"] {
                    let target = try Self.target("https://\(host)\(port)\(call.path)", mode)
                    #expect(target.endpoint == AppleSessionEndpoint(host: host) && target.call == call)
                    #expect(target.endpoint.authoritiesPEM == nil, "the system's authorities")
                }
            }
            for host in AppleHosts.hosts(of: try #require(other)) {
                let url = "https://\(host)\(call.path)"
                #expect(Self.reason(url, mode) == "validation_url_of_other_environment")
                #expect(Self.reason(url, mode, simulator: Self.simulator) == "validation_url_of_other_environment")
            }
        }
    }

    @Test func listsAreApplesAlone() {
        #expect(AppleHosts.live.count == 34 && AppleHosts.sandbox.count == 2)
        #expect(AppleHosts.live.isDisjoint(with: AppleHosts.sandbox))
        for host in AppleHosts.live.union(AppleHosts.sandbox) {
            #expect(host.hasSuffix(".apple.com") && host.split(separator: ".").count == 3)
            #expect(host.hasPrefix("apple-pay-gateway") || host.hasPrefix("cn-apple-pay-gateway"))
        }
    }

    @Test func simulatedAppleIsAskedForSandboxMerchantsAlone() throws {
        let url = "https://127.0.0.1:4711/paymentservices/startSession"
        let target = try Self.target(url, .sandbox, simulator: Self.simulator)
        #expect(target.endpoint == Self.simulator && target.call == .startSession)
        #expect(Self.reason(url, .live, simulator: Self.simulator) == "validation_url_not_apple")
        #expect(Self.reason(url, .sandbox) == "validation_url_not_apple")
        for wrong in ["https://127.0.0.1:4712", "https://127.0.0.1", "https://localhost:4711"] {
            #expect(
                Self.reason("\(wrong)/paymentservices/startSession", .sandbox, simulator: Self.simulator)
                    == "validation_url_not_apple")
        }
    }

    @Test(
        arguments: [
            "https://apple-pay-gatewayXapple.com/paymentservices/startSession",
            "https://apple-pay-gateway-xapple.com/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com.example/paymentservices/startSession",
            "https://evil.apple.com/paymentservices/startSession",
            "https://apple.com/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:8443/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:80/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com./paymentservices/startSession",
            "https://apple-pay-gateway-nc-pod6.apple.com/paymentservices/startSession",
            "https://127.0.0.1/paymentservices/startSession", "https://localhost/paymentservices/startSession",
            "https://169.254.169.254/paymentservices/startSession",
        ])
    func refusesHostsThatAreNotOnTheList(url: String) {
        // A capital letter is no host of the list's either: Apple writes none.
        #expect(["validation_url_not_apple", "validation_url_malformed"].contains(Self.reason(url, .live)))
    }

    @Test(
        arguments: [
            "", "apple-pay-gateway.apple.com", "https://", "https:///paymentservices/startSession",
            "http://apple-pay-gateway.apple.com/paymentservices/startSession",
            "HTTPS://apple-pay-gateway.apple.com/paymentservices/startSession",
            " https://apple-pay-gateway.apple.com/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com/paymentservices/startSession ",
            "https://apple-pay-gateway.apple.com/paymentservices/startSession\n",
            "https://apple-pay-gateway.apple.com", "https://apple-pay-gateway.apple.com/",
            "https://apple-pay-gateway.apple.com/paymentservices/startSession/",
            "https://apple-pay-gateway.apple.com/paymentservices/startSession?x=1",
            "https://apple-pay-gateway.apple.com/paymentservices/startSession#x",
            "https://apple-pay-gateway.apple.com/paymentservices/../paymentservices/startSession",
            "https://apple-pay-gateway.apple.com//paymentservices/startSession",
            "https://apple-pay-gateway.apple.com/paymentservices/%73tartSession",
            "https://apple-pay-gateway.apple.com/paymentservices/registerMerchant",
            "https://apple-pay-gateway.apple.com/paymentservices/startsession",
            "https://user@apple-pay-gateway.apple.com/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com@evil.example/paymentservices/startSession",
            "https://evil.example\\@apple-pay-gateway.apple.com/paymentservices/startSession",
            "https://evil.example?@apple-pay-gateway.apple.com/paymentservices/startSession",
            "https://evil.example#@apple-pay-gateway.apple.com/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:443:443/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:+443/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:000443/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:65536/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com:0/paymentservices/startSession",
            "https://[::1]/paymentservices/startSession", "https://apple%2Dpay.apple.com/paymentservices/startSession",
            "https://аpple-pay-gateway.apple.com/paymentservices/startSession",
            "https://APPLE-PAY-GATEWAY.apple.com/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com\t/paymentservices/startSession",
            "https://" + String(repeating: "a", count: 300) + "/paymentservices/startSession",
        ])
    func refusesEveryTrickWithAURL(url: String) {
        for mode in Mode.allCases {
            #expect(Self.reason(url, mode, simulator: Self.simulator) == "validation_url_malformed")
        }
    }
}
