//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import HTTPTypes
import Payments
import StrictJSON
import SwiftASN1
import TestGateway
import Testing
import Time
import WalletSimulator
import X509

@testable import AdminAPI

/// A signing request that was lost is written again.
@Suite struct SigningRequestTests {
    /// Apple takes RSA-2048 alone for a Merchant Identity Certificate: nobody who asks for another key gets that one.
    @Test func requestForAMerchantIdentityIsOfRSA() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let path = "/merchants/shop/certificates/requests"
        var body: JSON = ["purpose": "merchant-identity", "merchantIdentifier": "merchant.com.example.shop"]
        let made = try await desk.expect(201, .post, path, body, key: "csr")
        #expect(made.json["algorithm"]?.string == "RSA-2048")
        let waiting = try await desk.expect(200, .get, path).json["data"]
        body = [
            "purpose": "merchant-identity", "merchantIdentifier": "merchant.com.example.shop", "algorithm": "P-256",
        ]
        let refused = try await desk.expect(422, .post, path, body, key: "P-256")
        #expect(refused.code == "body_invalid")
        #expect(refused.json["errors"]?.array?.compactMap { $0["pointer"]?.string } == ["/algorithm"])
        #expect(try await desk.expect(200, .get, path).json["data"] == waiting)
    }

    @Test(arguments: ["P-256", "RSA-2048"])
    func signingRequestIsWrittenAgainWhileItWaits(_ algorithm: String) async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let identifier = "merchant.com.example.shop"
        let made = try await desk.expect(
            201, .post, "/merchants/shop/certificates/requests",
            [
                "purpose": "payment-processing", "merchantIdentifier": .string(identifier),
                "algorithm": .string(algorithm),
            ], key: "csr")
        let listed = try await desk.expect(200, .get, "/merchants/shop/certificates/requests")
        let id = try #require(listed.json["data"]?.array?.first?["id"]?.string)
        let path = "/merchants/shop/certificates/\(id)"
        let again = try await desk.expect(200, .get, "\(path)/request")
        let (first, second) = (
            try CertificateSigningRequest(pemEncoded: made.json["signingRequest"]?.string ?? ""),
            try CertificateSigningRequest(pemEncoded: again.json["signingRequest"]?.string ?? "")
        )
        // It has proven itself by being read: the same key and name.
        #expect(second.publicKey == first.publicKey)
        #expect(second.subject == first.subject)
        // Whoever makes another one in its place knows of which kind.
        #expect(made.json["algorithm"]?.string == algorithm)
        #expect(again.json["algorithm"]?.string == algorithm)
        #expect(!again.json.text().contains("PRIVATE KEY"))
        // What Apple gives for it finds the key.
        let certificate = try TestAuthorities.authority(.sandbox).issue(
            .paymentProcessing, merchantIdentifier: identifier,
            signingRequestPEM: again.json["signingRequest"]?.string ?? "",
            now: Date(timeIntervalSince1970: TimeInterval(desk.test.clock.now.seconds)))
        let pem = try certificate.serializeAsPEM().pemString
        if algorithm == "P-256" {
            let imported = try await desk.expect(
                201, .post, "/merchants/shop/certificates", ["certificate": .string(pem)], key: "import")
            #expect(imported.json["id"]?.string == id)
            #expect(try await desk.expect(409, .get, "\(path)/request").code == "certificate_not_waiting")
        }
        let unknown = "/merchants/shop/certificates/0123456789abcdef/request"
        #expect(try await desk.expect(404, .get, unknown).code == "certificate_unknown")
        // Another merchant's is not there.
        _ = try await Till.open(desk)
        try await desk.expect(404, .get, "/merchants/till/certificates/\(id)/request")
        let own = try await desk.administration.merchant(named: "till")
        let token = try await desk.token(Access(.owner, merchants: [own.id]))
        #expect(try await desk.expect(404, .get, "\(path)/request", token: token).code == "not_found")
    }
}
