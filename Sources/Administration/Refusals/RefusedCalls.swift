//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
@_spi(Administration) import Gateway
import Money
public import Payments
public import StrictJSON
import Time

extension Administration {
    /// A page of refused calls, newest first.
    ///
    /// - Throws: `StoreError`.
    public func refusedCalls(_ query: RefusedCallQuery) async throws -> [RefusedCall] {
        try await self.search { try $0.refusedCalls(query) }
    }
}

extension RefusedCall {
    /// - Parameter merchant: whose account the call named, by name.
    public func view(merchant: String?) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["at"] = .string(self.at.description)
        object["merchant"] = merchant.map(JSON.string)
        object["dialect"] = .string(self.dialect.text)
        object["operation"] = .string(self.operation)
        object["stage"] = .string(self.stage.rawValue)
        object["code"] = .string(self.code)
        object["wireCode"] = .string(self.wireCode)
        object["text"] = .string(self.text)
        object["requestId"] = .string(self.requestID)
        object["publicKeyHash"] = self.publicKeyHash.map(JSON.string)
        object["merchantIdentifier"] = self.merchantIdentifier.map(JSON.string)
        if let amount = self.amount {
            object["amount"] = [
                "amount": .string(amount.decimalText), "minorUnits": JSON(amount.minorUnits),
                "currency": .string(amount.currency.code),
            ]
        }
        return object
    }
}
