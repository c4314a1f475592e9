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

    /// Finds a token that was used and may not be used again.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT 1 FROM seen_tokens WHERE mode = \(parameters(1)) AND transaction_identifier = \(parameters(2))
        AND NOT \(self.isNotProcessed("seen_tokens.payment_id"))
        """
    }

    /// Which of several tokens were used, be it that they may be used again.
    public static func selectUsed(_ parameters: Parameters, keys count: Int) -> String {
        let key = ["mode", "transaction_identifier"]
        let wanted = parameters.wanted(key, count, in: "seen_tokens", types: ["transaction_identifier": "bytea"])
        return "SELECT \(key.joined(separator: ", ")) \(wanted)"
    }

    /// Of tokens of which none was used before.
    public static func insertNew(_ parameters: Parameters, rows: Int) -> String {
        let values = (0..<rows).map { "(\(parameters.list(4, from: 1 + $0 * 4)))" }
        return """
            INSERT INTO seen_tokens (mode, transaction_identifier, payment_id, seen_at) VALUES \(values.joined(separator: ", "))
            """
    }

    public static func insert(_ parameters: Parameters) -> String {
        "\(self.insertNew(parameters, rows: 1)) \(self.takeOver)"
    }

    /// What is done about a row that is there: the payment takes the token over, if that may be.
    private static var takeOver: String {
        """
        ON CONFLICT (mode, transaction_identifier) DO UPDATE
        SET payment_id = excluded.payment_id, seen_at = excluded.seen_at
        WHERE \(self.isNotProcessed("seen_tokens.payment_id"))
        """
    }
}
