//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Settings

extension AccountPlan {
    /// The ids of an account, by the names under which its holder was given them. No secret is among them; of a setting that
    /// holds several, the first.
    public func identifiers(of account: MerchantAccount) -> [AccountCredentials.Entry] {
        self.credentials.compactMap { credential in
            let value =
                credential.name == self.keyName
                ? account.key
                : credential.setting.flatMap { account.settings[$0] }.flatMap { SettingRules.elements($0).first }
            return value.map { AccountCredentials.Entry(name: credential.name, value: $0) }
        }
    }
}
