//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) import Gateway
public import Payments
public import StrictJSON

extension MerchantAccount {
    /// - Parameters:
    ///   - merchant: whose it is, by name.
    ///   - plan: its dialect's; `nil` for a dialect that this program does not speak.
    public func view(merchant: String, _ plan: AccountPlan?) -> JSONObject {
        var object = JSONObject()
        object["merchant"] = .string(merchant)
        object["dialect"] = .string(self.dialect.text)
        object["account"] = .string(self.key)
        object["overlapping"] = .array(self.overlapping(plan).map { .string($0) })
        return object
    }

    /// The credentials that have been replaced and are still accepted, by name.
    public func overlapping(_ plan: AccountPlan?) -> [String] {
        (plan?.credentials ?? []).filter {
            $0.overlaps(settings: self.settings, secrets: Set(self.secrets.keys))
        }.map(\.name)
    }
}
