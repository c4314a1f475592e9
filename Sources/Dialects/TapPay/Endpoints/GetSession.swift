//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Redaction
import StrictJSON

extension TapPay {
    /// A merchant session for a page's payment sheet. The vendor's own path for it is not public; this one is the
    /// gateway's. Who asks shows what anybody can read in a page: Apple is asked for the merchant's own domains alone, and
    /// only so often.
    func getSession(_ fields: FrontEndFields, _ call: WireRequest) async throws -> JSONObject {
        let app = try AppCredentials(reading: fields, requiresName: false)
        let appleMerchantID = try GetPrimeRequest.appleMerchantID(fields)
        let merchant = try await self.account(of: app, call)
        if let seconds = self.limits.takeSession(from: call) { throw TapPayFailure.throttled(seconds) }
        try await self.check(merchantIdentifier: appleMerchantID, of: merchant)
        guard
            let domain = try fields.optionalText(
                "merchant_domain", "merchantDomain", max: 253, outOfRange: .getSessionError)
        else { throw TapPayFailure(.getSessionError, "merchant_domain, the page's host name, is missing.") }
        let command = MerchantSessionCommand(
            merchant: merchant, merchantIdentifier: appleMerchantID, domainName: domain,
            displayName: try fields.optionalText(
                "display_name", "displayName", max: 64, outOfRange: .getSessionError),
            validationURL: try fields.optionalText(
                "validation_url", "validationURL", "validationUrl", max: 2048, outOfRange: .getSessionError))
        try await self.gateway.checkRegistration(ofPageAt: domain, for: merchant.merchant)
        if let seconds = self.limits.takeSession(of: merchant) { throw TapPayFailure.throttled(seconds) }
        let session = try await self.gateway.merchantSession(command)
        // Handed on as it came; read only so that it can stand in another object.
        guard let json = try? JSON.parse(session.reveal()), json.object != nil else {
            throw TapPayFailure(.getSessionError, "The answer is no JSON object.")
        }
        var members = TapPayFailure(.success).members
        members["merchant_session"] = json
        return members
    }
}
