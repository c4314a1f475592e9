//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import SwiftASN1
import Synchronization
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import AdminAPI

/// Registration at Apple over HTTP. The calls to Apple themselves, over TLS to a simulated Apple, are tested in
/// PlatformRegistrationTests.
@Suite struct RegistrationTests {
    private static let path = "/merchants/shop/apple-registration"

    /// Keeps what it is asked to, or fails as it was prepared to.
    private final class Registrar: MerchantRegistrar {
        private let kept = Mutex<MerchantRegistration?>(nil)
        private let failure = Mutex<MerchantRegistrationFailure?>(nil)

        func fail(_ failure: MerchantRegistrationFailure?) { self.failure.withLock { $0 = failure } }

        private func check() throws(MerchantRegistrationFailure) {
            if let failure = self.failure.withLock({ $0 }) { throw failure }
        }

        func register(
            _ registration: MerchantRegistration, in mode: Mode, by platform: AppleIdentity
        ) async throws(MerchantRegistrationFailure) {
            try self.check()
            self.kept.withLock { kept in
                var registration = registration
                registration.domainNames = (kept?.domainNames ?? []) + registration.domainNames
                kept = registration
            }
        }

        func unregister(
            _ domainNames: [String], of identifier: String, because reason: String, in mode: Mode,
            by platform: AppleIdentity
        ) async throws(MerchantRegistrationFailure) {
            try self.check()
            self.kept.withLock { kept in
                kept?.domainNames.removeAll(where: domainNames.contains)
                if kept?.domainNames.isEmpty == true { kept = nil }
            }
        }

        func registration(
            of identifier: String, in mode: Mode, by platform: AppleIdentity
        ) async throws(MerchantRegistrationFailure) -> MerchantRegistration? {
            try self.check()
            return self.kept.withLock { $0 }
        }
    }

    private static func desk(_ registrar: Registrar?) async throws -> Desk {
        let desk = try await Desk.open(registrar: registrar)
        try await desk.makeShop()
        try await desk.expect(
            201, .post, "/merchants",
            ["name": "platform", "displayName": "P", "mode": "sandbox", "countryCode": "DE"], key: "platform")
        try await desk.expect(201, .post, "/merchants/shop/domains", ["host": "a.example"], key: "domain")
        let administration = desk.administration
        for (name, purpose, kind, identifier) in [
            (
                "shop", AppleCredential.Purpose.paymentProcessing, MerchantCertificateKind.paymentProcessing,
                "merchant.a"
            ),
            ("platform", .merchantIdentity, .merchantIdentity, "platformintegrator.b"),
        ] {
            let merchant = try await administration.merchant(named: name).id
            let request = try await administration.createSigningRequest(
                merchant: merchant, purpose: purpose, merchantIdentifier: identifier)
            let certificate = try TestAuthorities.authority(.sandbox).issue(
                kind, merchantIdentifier: identifier, signingRequestPEM: request,
                now: Date(timeIntervalSince1970: TimeInterval(desk.test.clock.now.seconds)))
            _ = try await administration.importCertificate(
                merchant: merchant, bytes: Array(try certificate.serializeAsPEM().pemString.utf8), activates: true)
        }
        return desk
    }

    private static func body(_ changes: [String: JSON?] = [:]) -> JSON {
        var object = JSONObject()
        object["merchantName"] = "The shop"
        object["domainNames"] = ["a.example"]
        object["encryptTo"] = "merchant.a"
        for (name, value) in changes { object[name] = value }
        return .object(object)
    }

    @Test func merchantIsRegisteredAndUnregistered() async throws {
        let desk = try await Self.desk(Registrar())
        let before = try await desk.expect(200, .get, Self.path)
        #expect(before.json["registered"] == .null && before.json["platform"] == "platformintegrator.b")
        #expect(before.json["recipients"] == ["merchant.a"])
        let made = try await desk.expect(200, .post, Self.path, Self.body(), key: "r")
        #expect(made.json["registered"]?["domainNames"] == ["a.example"])
        let again = try await desk.expect(200, .post, Self.path, Self.body(), key: "r")
        #expect(again.json == made.json, "the same call is answered again, and not done again")
        #expect(try await desk.expect(200, .get, Self.path).json == made.json)
        let gone = try await desk.expect(
            200, .post, Self.path + "/unregister", ["domainNames": ["a.example"], "reason": "It has moved."], key: "u")
        #expect(gone.json["registered"] == .null)
        let log = try await desk.expect(200, .get, "/audit", query: "act=registration.end")
        #expect(log.json["data"]?.array?.first?["details"]?["reason"] == "It has moved.")
    }

    @Test func refusesWhatCannotBeRegistered() async throws {
        let desk = try await Self.desk(Registrar())
        let strange = try await desk.expect(
            422, .post, Self.path, Self.body(["domainNames": ["b.example"]]), key: "s")
        #expect(strange.code == "registration_invalid")
        let closed = try await desk.expect(422, .post, Self.path, Self.body(["encryptTo": "merchant.b"]), key: "c")
        #expect(closed.code == "registration_invalid")
        for name in ["merchantName", "domainNames", "encryptTo"] {
            let reply = try await desk.expect(422, .post, Self.path, Self.body([name: nil]), key: "n-\(name)")
            #expect(reply.code == "body_invalid")
        }
        #expect(
            try await desk.expect(404, .get, "/merchants/nobody/apple-registration").code == "not_found")
        let viewer = try await desk.token(Access(.viewer))
        try await desk.expect(200, .get, Self.path, token: viewer)
        try await desk.expect(403, .post, Self.path, Self.body(), token: viewer, key: "v")
    }

    @Test func whatAppleSaysIsPassedOn() async throws {
        let registrar = Registrar()
        let desk = try await Self.desk(registrar)
        registrar.fail(MerchantRegistrationFailure(.requestRefused, message: "domain not verified"))
        let refused = try await desk.expect(502, .post, Self.path, Self.body(), key: "r")
        #expect(refused.code == "apple_request_refused")
        #expect(refused.json["detail"]?.string?.hasSuffix("Apple says: domain not verified") == true)
        registrar.fail(MerchantRegistrationFailure(.timedOut))
        #expect(try await desk.expect(502, .get, Self.path).code == "apple_timed_out")
        registrar.fail(nil)
        let log = try await desk.expect(200, .get, "/audit", query: "act=registration.make")
        #expect(log.json["data"] == [], "what was not done is in no log")
        try await desk.expect(200, .post, Self.path, Self.body(), key: "r")
    }

    @Test func withoutAppleOrPlatformNobodyIsRegistered() async throws {
        let unconnected = try await Self.desk(nil)
        #expect(try await unconnected.expect(502, .get, Self.path).code == "apple_not_connected")
        let desk = try await Desk.open(registrar: Registrar())
        try await desk.makeShop()
        #expect(try await desk.expect(404, .get, Self.path).code == "platform_unknown")
    }
}
