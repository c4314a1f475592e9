//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments

/// The requests of the Server API that there are (`request`).
///
/// The vendor's Apple Pay page prints `creditcardcheck` as the fixed value for capture and debit; that is a misprint,
/// and another request of the Server API, which this gateway does not offer.
enum RequestName: String, CaseIterable, Sendable {
    case preauthorization
    case authorization
    case capture
    case debit
    case refund
    case genericpayment
}

extension PAYONE {
    func handle(_ request: WireRequest) async -> WireResponse {
        let format = ReplyFormat(of: request)
        var language = CustomerLanguage.fallback
        var name: RequestName?
        do throws(PAYONEError) {
            let form = try ReceivedForm(request)
            language = CustomerLanguage(of: form) ?? .fallback
            return try await self.perform(form, request, &name).response(format)
        } catch {
            var response = Answer(error, error.language ?? language, of: name).response(format)
            if let seconds = error.retryAfterSeconds { response.headers[.retryAfter] = String(seconds) }
            if !error.isOutcome { response.refusal = WireRefusal(error.code, of: name) }
            return response
        }
    }

    /// First who calls, and only then what is asked: nobody else learns which parameters are the account's. That the request
    /// has a name and its account parameters their formats is no secret, and is said before.
    ///
    /// - Parameter read: what is asked for, as soon as that is known.
    private func perform(
        _ form: ReceivedForm, _ request: WireRequest, _ read: inout RequestName?
    ) async throws(PAYONEError) -> Answer {
        let name = try form.requestName()
        read = name
        let merchant = try await self.authenticate(form, for: name, from: request)
        do throws(PAYONEError) {
            return try await self.perform(name, form, merchant)
        } catch {
            var error = error
            error.language = await self.language(of: form, merchant)
            throw error
        }
    }

    /// The customer's language, of a follow-up that does not name it: the one of the authorization.
    private func language(of form: ReceivedForm, _ merchant: MerchantContext) async -> CustomerLanguage? {
        if let language = CustomerLanguage(of: form) { return language }
        guard let txid = form.readableText("txid"), let payment = try? await self.payment(txid, merchant) else {
            return nil
        }
        return payment.label(LabelField.language).flatMap(CustomerLanguage.init(rawValue:))
    }

    private func perform(
        _ name: RequestName, _ form: ReceivedForm, _ merchant: MerchantContext
    ) async throws(PAYONEError) -> Answer {
        switch name {
        case .preauthorization, .authorization:
            return try await self.authorize(AuthorizationRequest(name, reading: form), merchant, form)
        case .capture:
            let captureModeDefault = AccountSettings(merchant).captureModeDefault
            return try await self.capture(
                CaptureRequest(reading: form, captureModeDefault: captureModeDefault), merchant)
        case .debit, .refund: return try await self.refund(RefundRequest(name, reading: form), merchant)
        case .genericpayment: return try await self.beginSession(SessionRequest(reading: form), merchant)
        }
    }
}

extension ReceivedForm {
    func requestName() throws(PAYONEError) -> RequestName {
        let text = try self.text("request")
        if text == "creditcardcheck" {
            throw PAYONEError(faulty: "request", "is not creditcardcheck here; send capture or debit")
        }
        guard let name = text.flatMap(RequestName.init(rawValue:)) else {
            let names = RequestName.allCases.map(\.rawValue).joined(separator: ", ")
            throw PAYONEError(faulty: "request", "must be one of \(names)")
        }
        return name
    }
}
