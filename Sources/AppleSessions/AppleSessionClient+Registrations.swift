//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Gateway
public import Payments
import StrictJSON

/// "Apple Pay Web Merchant Registration API": a platform integrator registers merchants with its own identity, at the
/// hosts that also give sessions.
extension AppleSessionClient: MerchantRegistrar {
    /// "Register Merchant".
    public func register(
        _ registration: MerchantRegistration, in mode: Mode, by platform: AppleIdentity
    ) async throws(MerchantRegistrationFailure) {
        var body = JSONObject()
        body["domainNames"] = .array(registration.domainNames.map { .string($0) })
        body["partnerMerchantName"] = .string(registration.merchantName)
        body["partnerInternalMerchantIdentifier"] = .string(registration.identifier)
        body["encryptTo"] = .string(registration.encryptTo)
        body["merchantUrl"] = registration.merchantURL.map { .string($0) }
        try await self.change("registerMerchant", body, in: mode, by: platform)
    }

    /// "Unregister Merchant".
    public func unregister(
        _ domainNames: [String], of identifier: String, because reason: String, in mode: Mode,
        by platform: AppleIdentity
    ) async throws(MerchantRegistrationFailure) {
        var body = JSONObject()
        body["domainNames"] = .array(domainNames.map { .string($0) })
        body["partnerInternalMerchantIdentifier"] = .string(identifier)
        body["reason"] = .string(reason)
        try await self.change("unregisterMerchant", body, in: mode, by: platform)
    }

    /// "Get Merchant Details". An identifier that is not registered is answered with 404, or with 400: Apple documents
    /// neither.
    public func registration(
        of identifier: String, in mode: Mode, by platform: AppleIdentity
    ) async throws(MerchantRegistrationFailure) -> MerchantRegistration? {
        let answer: [UInt8]
        do throws(AppleCallFailure) {
            let call = try self.call("merchant/\(identifier)", body: nil, in: mode)
            answer = try await self.send(call, by: platform)
        } catch {
            if error.status == 404 || error.status == 400 { return nil }
            throw MerchantRegistrationFailure(error)
        }
        guard let json = try? JSON.parse(answer), json.object != nil else {
            throw MerchantRegistrationFailure(.answerUnreadable)
        }
        return MerchantRegistration(
            identifier: json["partnerInternalMerchantIdentifier"]?.string ?? identifier,
            merchantName: json["partnerMerchantName"]?.string ?? "",
            domainNames: (json["domainNames"]?.array ?? []).compactMap(\.string),
            encryptTo: json["encryptTo"]?.string ?? "", merchantURL: json["merchantUrl"]?.string)
    }

    private func change(
        _ name: String, _ body: JSONObject, in mode: Mode, by platform: AppleIdentity
    ) async throws(MerchantRegistrationFailure) {
        do throws(AppleCallFailure) {
            let call = try self.call(name, body: JSON.object(body).serialized(), in: mode)
            // There is nothing in the answer.
            _ = try await self.send(call, by: platform)
        } catch {
            throw MerchantRegistrationFailure(error)
        }
    }

    private func call(_ name: String, body: [UInt8]?, in mode: Mode) throws(AppleCallFailure) -> AppleCall {
        do throws(MerchantSessionFailure) {
            let target = try AppleSessionTarget(validationURL: nil, mode: mode, settings: self.settings)
            return AppleCall(endpoint: target.endpoint, path: "/paymentservices/\(name)", body: body)
        } catch {
            throw AppleCallFailure(error)
        }
    }
}

extension MerchantRegistrationFailure {
    private static let messageCharactersMax = 300

    fileprivate init(_ failure: AppleCallFailure) {
        self.init(
            failure.reason,
            message: failure.message.map { ForeignText.line($0, scalarsMax: Self.messageCharactersMax) })
    }
}
