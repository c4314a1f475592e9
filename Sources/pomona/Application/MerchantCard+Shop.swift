//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import Money
import Storefront

/// What a sandbox merchant's card is to the merchant's own shop: a client of the dialect, with the credentials on the
/// card.
extension MerchantCard {
    /// `nil` for a dialect that this program does not have.
    func shopAccount(_ surroundings: Surroundings) throws -> ShopAccount? {
        guard let module = DialectModule.named(self.name), let currency = Currency.alphabetic(self.currency) else {
            return nil
        }
        let client = try module.shopClient(self, surroundings)
        return ShopAccount(
            client: client, title: module.plan.title, currency: currency, countryCode: self.countryCode,
            merchantIdentifier: self.merchantIdentifier)
    }

    /// What the card says of the account.
    var account: AnnouncedAccount {
        AnnouncedAccount(
            find: { $0 == "merchantIdentifier" ? self.merchantIdentifier : try self.value($0) },
            read: { name, isSecret in
                let path = try self.path(name)
                return isSecret ? try FileSystem.readPrivateText(path) : try FileSystem.readText(path)
            })
    }
}
