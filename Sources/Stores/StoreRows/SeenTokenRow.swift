//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The rule by which a token may be used a second time.
public enum SeenTokenRow {
    /// Whether the payment that has used a token was not processed by the acquirer, as a condition on its id.
    public static func isNotProcessed(_ paymentID: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM operations WHERE payment_id = \(paymentID) AND ordinal = 0 AND state = 'failed'
            AND failure <> 'declined' AND failure <> 'reversed')
        """
    }

    /// What is done about a row that is there: the payment takes the token over, if that may be.
    public static var takeOver: String {
        """
        ON CONFLICT (mode, transaction_identifier) DO UPDATE
        SET payment_id = excluded.payment_id, seen_at = excluded.seen_at
        WHERE \(self.isNotProcessed("seen_tokens.payment_id"))
        """
    }
}
