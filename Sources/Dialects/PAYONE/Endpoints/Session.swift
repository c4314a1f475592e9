//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Gateway
import Payments
import Redaction

extension PAYONE {
    /// A merchant session from Apple, in Base64: the shop's page hands it to the payment sheet.
    func beginSession(_ request: SessionRequest, _ merchant: MerchantContext) async throws(PAYONEError) -> Answer {
        let command = MerchantSessionCommand(
            merchant: merchant, domainName: request.domainName, displayName: request.displayName)
        do throws(GatewayRefusal) {
            let session = try await self.gateway.merchantSession(command)
            return Answer(applePaySession: Data(session.reveal()).base64EncodedString())
        } catch {
            throw PAYONEError(error)
        }
    }
}
