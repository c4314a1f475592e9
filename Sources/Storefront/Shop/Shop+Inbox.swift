//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Synchronization

extension Shop {
    /// Takes a notification: shows it with its order, and acknowledges it. One that does not prove that it comes from
    /// the payment service is shown and not acknowledged.
    func take(_ request: WireRequest, from dialect: String) async -> WireResponse {
        guard let account = self.parts.accounts.first(where: { $0.name == dialect }) else {
            return JSONAnswer.response(to: .pathUnknown)
        }
        let reading = account.client.read(request)
        let now = self.parts.clock()
        let order = reading.reference.flatMap { id in
            self.orders.withLock { book in try? book.order(id, now: now) }
        }
        if let order, order.account.name == dialect {
            let transcript = Transcript(scrubber: Scrubber(order.secrets))
            let proof =
                switch reading.isGenuine {
                case true?: "proven to be the gateway's"
                case false?: "not proven to be the gateway's"
                case nil: "without a proof of who sent it"
                }
            self.append(
                ExchangeEntry(
                    .notification, transcript.scrubber.scrub("\(account.title) reports: \(reading.title)"),
                    proof + "\n"
                        + transcript.text(
                            headers: request.headers.map { ($0.name.rawName, $0.value) }, body: request.body),
                    isOK: reading.isGenuine != false),
                to: order.id)
            if !order.isBusy { await self.refresh(order) }
        }
        guard reading.isGenuine != false else {
            return JSONAnswer.response(
                APIError(.forbidden, "not_genuine", "The notification does not prove that the gateway sent it."))
        }
        return reading.acknowledgement
    }
}
