//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// The names of transactions at the gateway. An operation's own transaction has its id; where it needs a second one,
/// that has the id with a suffix: as unique, and the same whenever it is sent.
///
/// At most 40 characters are allowed (API reference, `transactionid`); an id has 29.
enum TransactionID {
    /// Lowers an authorization after a last capture, or raises it again after the capture's void.
    static func rest(_ id: OperationID) -> String { id.text + self.restSuffix }

    /// The capture of a sale of two calls; of the operation that takes such a sale back, the void of that capture.
    static func capture(_ id: OperationID) -> String { id.text + self.captureSuffix }

    /// Takes back the authorization of a sale of two calls whose capture was declined.
    static func void(_ id: OperationID) -> String { id.text + self.voidSuffix }

    /// The operation that a transaction belongs to; `nil` for what somebody has done in Merchant Administration.
    static func operation(_ transactionID: String) -> OperationID? {
        let suffix = [self.restSuffix, self.captureSuffix, self.voidSuffix].first(where: transactionID.hasSuffix)
        return OperationID(String(transactionID.dropLast(suffix?.count ?? 0)))
    }

    private static let restSuffix = "-rest"
    private static let captureSuffix = "-capture"
    private static let voidSuffix = "-void"
}
