//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Payments
import StrictJSON

/// Registration at Apple by a platform integrator: "Apple Pay Web Merchant Registration API".
extension AdminEndpoints {
    private static let root = "/merchants/{merchant}/apple-registration"
    private static let domainNames = Schema.list(
        .line(253, "A host name, as it stands among the merchant's domains."),
        max: MerchantRegistration.domainNamesMax)

    static let registrations: [Endpoint] = [
        Endpoint(
            method: .get, path: root, name: "getAppleRegistration",
            summary: "Whether Apple has the merchant registered by the platform integrator, as Apple says now.",
            group: "Apple Pay", scope: .applePayRead, answer: .named("AppleRegistration")
        ) { call in
            Answer(try await call.standing(of: try await call.merchant()).view)
        },
        Endpoint(
            method: .post, path: root, name: "registerAtApple",
            summary: "Register the merchant at Apple, or further domains of it. Apple reads its file on each.",
            group: "Apple Pay", scope: .applePayWrite,
            body: .object(
                .init("merchantName", .line(255, "What Apple is to call it.")), .init("domainNames", domainNames),
                .init("encryptTo", .line(255, "To whose key tokens are encrypted: one of the recipients.")),
                .optional("merchantURL", .line(255, "Its website, where its payment page is the integrator's."))),
            answer: .named("AppleRegistration"), precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            try await call.administration.register(
                merchant, as: call.required("merchantName"), domainNames: call.list("domainNames"),
                encryptTo: call.required("encryptTo"), url: call.text("merchantURL"), by: call.house.registrar)
            return Answer(try await call.standing(of: merchant).view)
        },
        Endpoint(
            method: .post, path: "\(root)/unregister", name: "unregisterAtApple",
            summary: "Take domains off the registration. With the last one the merchant is registered no more.",
            group: "Apple Pay", scope: .applePayWrite,
            body: .object(
                .init("domainNames", domainNames),
                .init("reason", .line(MerchantRegistration.reasonCharactersMax, "For Apple and the audit log."))),
            answer: .named("AppleRegistration"), precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            try await call.administration.unregister(
                call.list("domainNames"), of: merchant, because: call.required("reason"), by: call.house.registrar)
            return Answer(try await call.standing(of: merchant).view)
        },
    ]
}

extension AdminSchemas {
    static let appleRegistration = Schema.object(
        .init("platform", anyText), .init("identifier", anyText),
        .init(
            "registered",
            .nullable(
                .object(
                    .init("merchantName", anyText), .init("domainNames", .list(anyText, max: 10_000)),
                    .init("encryptTo", anyText), .init("merchantURL", .nullable(anyText))))),
        .init("recipients", .list(anyText, max: 1000, "To whose keys tokens may be encrypted.")))
}

extension Call {
    fileprivate func standing(of merchant: Merchant) async throws -> PlatformStanding {
        try await self.administration.platformStanding(of: merchant, by: self.house.registrar)
    }
}

/// Of a gateway that is not connected to Apple.
struct NoRegistrar: MerchantRegistrar {
    func register(
        _: MerchantRegistration, in _: Mode, by _: AppleIdentity
    ) async throws(MerchantRegistrationFailure) { throw MerchantRegistrationFailure(.notConnected) }

    func unregister(
        _: [String], of _: String, because _: String, in _: Mode, by _: AppleIdentity
    ) async throws(MerchantRegistrationFailure) { throw MerchantRegistrationFailure(.notConnected) }

    func registration(
        of _: String, in _: Mode, by _: AppleIdentity
    ) async throws(MerchantRegistrationFailure) -> MerchantRegistration? {
        throw MerchantRegistrationFailure(.notConnected)
    }
}
