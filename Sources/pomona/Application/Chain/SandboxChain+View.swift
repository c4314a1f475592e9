//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Ledger
import Payments
import Storefront

extension SandboxChain {
    /// What the demo shop's page shows of the service's books.
    var view: UpstreamView {
        UpstreamView(title: self.service.title, opensTokens: self.service.opensTokens) { payment in
            (try? await self.journal(of: payment)) ?? []
        }
    }

    private func journal(of payment: Payment) async throws -> [JournalEntry] {
        try await self.administration.read { reader in
            let merchants = try reader.merchants()
            for merchant in merchants where merchant.name == Self.name(of: payment.dialect.text) {
                let query = PaymentQuery(merchantID: merchant.id, from: payment.createdAt, limit: 50)
                for other in try reader.payments(query) where try Self.isOf(payment, other, in: reader) {
                    return try reader.journal(of: other.id)
                }
            }
            return []
        }
    }

    /// Connectors name payments by ids of ours, or by their short names.
    private static func isOf(_ payment: Payment, _ other: Payment, in reader: any StoreReader) throws -> Bool {
        var names: Set = [payment.id.text, payment.id.shortName]
        if let opening = payment.opening { names.formUnion([opening.id.text, opening.id.shortName]) }
        let order = try other.orderID.flatMap { try reader.order($0)?.reference }
        let labels = other.opening?.labels
        let known = [order, labels?.reference].compactMap { $0 } + (labels.map { Array($0.fields.values) } ?? [])
        return !names.isDisjoint(with: known)
    }
}
