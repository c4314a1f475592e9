//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Gateway
import Payments
import Redaction

extension PAYONE {
    /// A merchant session from Apple, in Base64: the shop's page hands it to the payment sheet.
    ///
    /// Who asks shows the portal's key, and is the shop's server; but it asks whenever somebody opens a page, and plugins hand
    /// on the host that the page has named. So Apple is asked for the merchant's own domains alone, and only so often for
    /// all pages of the merchant. By address nothing is counted: it is the server's, whoever the buyers are.
    func beginSession(_ request: SessionRequest, _ merchant: MerchantContext) async throws(PAYONEError) -> Answer {
        let command = MerchantSessionCommand(
            merchant: merchant, domainName: request.domainName, displayName: request.displayName)
        do throws(GatewayRefusal) {
            try await self.gateway.checkRegistration(ofPageAt: request.domainName, for: merchant.merchant)
        } catch {
            throw PAYONEError(error)
        }
        if let seconds = self.limits.takeSession(of: merchant) { throw .throttled(seconds) }
        do throws(GatewayRefusal) {
            let session = try await self.gateway.merchantSession(command)
            return Answer(applePaySession: Data(session.reveal()).base64EncodedString())
        } catch {
            throw PAYONEError(error)
        }
    }
}
