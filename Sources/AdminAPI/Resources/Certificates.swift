//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import DialectKit
import HTTPTypes
import Payments
import Redaction
import Settings
import StrictJSON

extension AdminEndpoints {
    static let certificates: [Endpoint] = [
        Endpoint(
            method: .get, path: "/merchants/{merchant}/certificates", name: "listCertificates",
            summary: "The merchant's Apple Pay certificates, and signing requests that wait for one.",
            group: "Apple Pay",
            scope: .applePayRead, query: MadePlace.parameters, answer: AdminSchemas.page(of: "Certificate")
        ) { call in
            try await call.certificatesPage { _ in true }
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/certificates/requests", name: "listSigningRequests",
            summary: "Signing requests that wait for Apple's certificate.", group: "Apple Pay", scope: .applePayRead,
            query: MadePlace.parameters, answer: AdminSchemas.page(of: "Certificate")
        ) { call in
            try await call.certificatesPage { $0.state == .requested }
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/certificates/{certificate}", name: "getCertificate",
            summary: "One certificate: whether it is in use and seen to be, and what is to be done with it.",
            group: "Apple Pay", scope: .applePayRead, answer: .named("Certificate")
        ) { call in
            let merchant = try await call.merchant()
            return .resource(try await call.certificate(call.path["certificate"] ?? "", of: merchant))
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/certificates/{certificate}/request", name: "getSigningRequest",
            summary: "The signing request of a key that waits for its certificate, written anew: same key, same name.",
            group: "Apple Pay", scope: .applePayRead, answer: Self.signingRequest
        ) { call in
            let merchant = try await call.merchant()
            let pem = try await call.administration.signingRequest(
                call.path["certificate"] ?? "", of: merchant.id)
            return Self.answer(pem)
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/certificates/requests", name: "createSigningRequest",
            summary: "Make a key pair and the signing request for Apple. The private key stays here, sealed.",
            group: "Apple Pay", scope: .applePayWrite,
            body: .object(
                .init("purpose", .choice(["payment-processing", "merchant-identity"])),
                .init(
                    "merchantIdentifier",
                    .text(
                        Schema.Text(
                            charactersMin: 10, charactersMax: 255,
                            pattern: #"^(merchant|platformintegrator)\.[A-Za-z0-9.-]+$"#,
                            meaning: "As in Apple's developer portal: merchant.com.example.shop.",
                            isValid: { SettingRules.merchantIdentifier($0) == nil }))),
                .optional(
                    "algorithm",
                    .choice(
                        ["P-256", "RSA-2048"],
                        "P-256 if left out, RSA-2048 for China mainland; of a merchant-identity RSA-2048 alone."))),
            status: .created,
            answer: Self.signingRequest, precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            let purpose = AppleCredential.Purpose(named: call.required("purpose")) ?? .paymentProcessing
            guard purpose != .merchantIdentity || call.text("algorithm") != "P-256" else {
                throw Problem.invalid([
                    .init(pointer: "/algorithm", detail: "of a Merchant Identity Certificate is RSA-2048: leave it out")
                ])
            }
            let pem = try await call.administration.createSigningRequest(
                merchant: merchant.id, purpose: purpose, merchantIdentifier: call.required("merchantIdentifier"),
                algorithm: call.text("algorithm") == "RSA-2048" ? .rsa2048 : .p256)
            return Self.answer(pem)
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/certificates", name: "importCertificate",
            summary: "Import what Apple has issued. It finds its key by the public key.", group: "Apple Pay",
            scope: .applePayWrite,
            body: .object(
                .init("certificate", .text(Schema.Text(charactersMin: 1, charactersMax: 16_384, meaning: "PEM."))),
                .optional(
                    "privateKey",
                    .text(
                        Schema.Text(
                            charactersMin: 1, charactersMax: 16_384, meaning: "PEM; only where it was not made here."))),
                .optional("activate", .flag("Whether it is used from now on."))),
            status: .created, answer: .named("Certificate"), precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            let bytes = Array(call.required("certificate").utf8)
            let activates = call.flag("activate")
            let administration = call.administration
            let credential: AppleCredential
            do {
                if let key = call.text("privateKey") {
                    credential = try await administration.importCredential(
                        merchant: merchant.id, certificate: bytes, privateKeyPEM: Redacted(key), activates: activates)
                } else {
                    credential = try await administration.importCertificate(
                        merchant: merchant.id, bytes: bytes, activates: activates)
                }
            } catch let error as TokenError {
                throw Problem(error)
            }
            return .resource(try await call.certificate(credential.id, of: merchant))
        },
        Self.state("activate", "Have it used from now on, beside those that are.") {
            try await $0.activateCredential($1, of: $2)
        },
        Self.state(
            "retire",
            "Have it used no more; withdraw a signing request. The key stays: activating or importing undoes it."
        ) {
            try await $0.retireCredential($1, of: $2)
        },
    ]

    private static let signingRequest = Schema.object(
        .init("signingRequest", .text(Schema.Text(charactersMax: 8192, meaning: "PEM."))),
        .init("algorithm", .choice(["P-256", "RSA-2048"], "Of its key: another request in its place keeps it.")))

    /// - Parameter request: PEM.
    private static func answer(_ request: String) -> Answer {
        let isRSA = CertificateSigningRequests.algorithm(of: request) == .rsa2048
        return Answer(["signingRequest": .string(request), "algorithm": .string(isRSA ? "RSA-2048" : "P-256")])
    }

    private static func state(
        _ verb: String, _ summary: String,
        _ act: @escaping @Sendable (Administration, String, MerchantID) async throws -> AppleCredential
    ) -> Endpoint {
        Endpoint(
            method: .post, path: "/merchants/{merchant}/certificates/{certificate}/\(verb)",
            name: "\(verb)Certificate", summary: summary, group: "Apple Pay", scope: .applePayWrite,
            answer: .named("Certificate"), precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            let administration = call.administration
            let credential = try await act(administration, call.path["certificate"] ?? "", merchant.id)
            return .resource(try await call.certificate(credential.id, of: merchant))
        }
    }
}

extension Call {
    /// Oldest first.
    fileprivate func certificatesPage(of isWanted: (AppleCredential) -> Bool) async throws -> Answer {
        let list = try await self.certificates(of: try await self.merchant())
        let place = { (credential: AppleCredential) in MadePlace(credential.createdAt, credential.id) }
        return .page(
            self.slice(list.credentials.filter(isWanted), after: self.placeAfter, place), limit: self.limit,
            view: { .object(list.view(of: $0)) }, cursor: { place($0).text })
    }

    fileprivate func certificates(of merchant: Merchant) async throws -> CertificateList {
        let now = self.administration.now()
        return try await self.administration.read { try CertificateList(of: merchant, at: now, in: $0) }
    }

    /// - Throws: ``Problem`` 404.
    fileprivate func certificate(_ id: String, of merchant: Merchant) async throws -> JSONObject {
        let list = try await self.certificates(of: merchant)
        guard let credential = list.credentials.first(where: { $0.id == id }) else {
            throw Problem.notFound("such certificate of the merchant's")
        }
        return list.view(of: credential)
    }
}
