//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// What a reference names.
extension Reference {
    /// An operation's claim is also its reference, of the claim's operation and key.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT operation_id FROM operation_references WHERE \(parameters.condition(self.key))
        UNION ALL SELECT operation_id FROM idempotency_claims
        WHERE \(parameters.condition(IdempotencyClaim.table.key.map(\.rawValue))) AND operation_id IS NOT NULL
        """
    }

    /// What each of several references names, after the reference. One that has a row and a claim is found twice.
    public static func select(_ parameters: Parameters, keys count: Int) -> String {
        let claimKey = IdempotencyClaim.table.key.map(\.rawValue)
        return """
            SELECT \(self.key.joined(separator: ", ")), operation_id
            \(parameters.wanted(self.key, count, in: "operation_references"))
            UNION ALL SELECT \(claimKey.joined(separator: ", ")), operation_id
            \(parameters.wanted(claimKey, count, in: IdempotencyClaim.table.name)) WHERE operation_id IS NOT NULL
            """
    }

    /// - Parameter rows: how many at once.
    public static func insert(_ parameters: Parameters, rows: Int = 1) -> String {
        let columns = self.key + ["operation_id"]
        let values = (0..<rows).map { "(\(parameters.list(columns.count, from: 1 + $0 * columns.count)))" }
        return """
            INSERT INTO operation_references (\(columns.joined(separator: ", "))) VALUES \(values.joined(separator: ", "))
            """
    }

    private static var key: [String] { ["merchant_id", "dialect", "kind", "value"] }

    public var keyValues: RowArguments {
        RowArguments(values: [
            .text(self.merchantID.text), .text(self.dialect.text), .text(self.kind), .text(self.value),
        ])
    }
}
