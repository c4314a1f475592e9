//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import DialectKit
import Gateway
import HTTPTypes
import Payments

/// Another dialect whose answers carry the request's body in a header.
struct EchoingDialect: Dialect {
    static var accounts: AccountPlan { AlphaPay.accounts }

    let base: any Dialect

    var name: DialectName { self.base.name }
    var pathPrefixes: [String] { self.base.pathPrefixes }

    var routes: [WireRoute] {
        self.base.routes.map { route in
            WireRoute(method: route.method, path: route.path, bodyBytesMax: route.bodyBytesMax) {
                var response = await route.handle($0, $1)
                response.headers[.known("X-Debug")] = String(decoding: $0.body, as: UTF8.self)
                return response
            }
        }
    }

    func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        await self.base.answer(to: failure, request: request)
    }

    func notificationsCount(for delivery: Delivery) -> Int {
        self.base.notificationsCount(for: delivery)
    }

    func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        try self.base.notification(for: delivery, merchant: merchant)
    }

    func isAcknowledged(status: Int, body: [UInt8]) -> Bool { self.base.isAcknowledged(status: status, body: body) }

    var retrySchedule: RetrySchedule { self.base.retrySchedule }
}
