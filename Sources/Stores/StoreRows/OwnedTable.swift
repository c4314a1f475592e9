//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A table of what an account has several of by name, settings or secrets: the account's key, the name and the value.
public struct OwnedTable: Sendable {
    public let name: String
    private let owner: [String]
    private let value: [String]

    private init(_ name: String, owner: [String], value: [String]) {
        self.name = name
        self.owner = owner
        self.value = value
    }

    public static let settings = OwnedTable("account_settings", owner: ["dialect", "merchant_id"], value: ["value"])
    public static let secrets = OwnedTable(
        "account_secrets", owner: ["dialect", "merchant_id"], value: ["key_id", "box"])
    public static let acquirerSettings = OwnedTable(
        "acquirer_account_settings", owner: ["account_id"], value: ["value"])
    public static let acquirerSecrets = OwnedTable(
        "acquirer_account_secrets", owner: ["account_id"], value: ["key_id", "box"])

    /// The primary key.
    var key: [String] { self.owner + ["name"] }

    /// Names and values of one owner.
    public func select(_ parameters: Parameters) -> String {
        "SELECT \(Self.list(["name"] + self.value)) FROM \(self.name) WHERE \(parameters.condition(self.owner))"
    }

    /// Owners, names and values.
    /// - Parameter query: gives the owners.
    func select(ofOwners query: String) -> String {
        """
        SELECT \(Self.list(self.key + self.value)) FROM \(self.name) WHERE (\(Self.list(self.owner))) IN (\(query))
        """
    }

    public func insert(_ parameters: Parameters) -> String {
        let columns = self.key + self.value
        return "INSERT INTO \(self.name) (\(Self.list(columns))) VALUES (\(parameters.list(columns.count)))"
    }

    /// Puts what an owner has by name in the place of what it had.
    /// - Parameter isNew: whether it had nothing.
    func replace<Value>(
        _ values: [String: Value], of owner: RowArguments, isNew: Bool, _ parameters: Parameters,
        _ columns: (Value) -> RowArguments
    ) -> [RowStatement] {
        let insert = self.insert(parameters)
        return (isNew ? [] : [RowStatement(self.delete(parameters), owner)])
            + values.map { RowStatement(insert, owner + [$0.key] + columns($0.value)) }
    }

    /// All that an owner has.
    public func delete(_ parameters: Parameters) -> String {
        "DELETE FROM \(self.name) WHERE \(parameters.condition(self.owner))"
    }

    private static func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }
}
