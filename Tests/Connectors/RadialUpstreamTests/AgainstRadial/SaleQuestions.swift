//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Acquirer {
    /// Asks as recovery does, until a sale's debit is acknowledged: what is noted goes with the next question.
    ///
    /// - Parameter note: is given what is noted.
    /// - Returns: how it ended, if it has.
    func goOn(_ query: AcquirerQuery, note: (AcquirerMemo) -> Void = { _ in }) async -> AcquirerQueryOutcome? {
        var next = query
        for _ in 0..<4 {
            let outcome = await self.query(next)
            guard case .accepted(let acceptance) = outcome else { return outcome }
            note(acceptance.memo)
            next = next.noting(acceptance.memo)
        }
        return nil
    }
}

extension AcquirerQuery {
    /// The next question, a second later.
    fileprivate func noting(_ memo: AcquirerMemo) -> AcquirerQuery {
        let original = self.original
        return AcquirerQuery(
            paymentID: self.paymentID, merchantID: self.merchantID,
            original: OriginalOperation(
                id: original.id, kind: original.kind, isSale: original.isSale, amount: original.amount,
                begunAt: original.begunAt, answer: original.answer, authorizedTotal: original.authorizedTotal,
                capturedTotal: original.capturedTotal, memo: original.memo.merging(memo)),
            at: self.at.adding(seconds: 1))
    }
}
