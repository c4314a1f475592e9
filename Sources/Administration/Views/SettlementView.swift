//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import StrictJSON
import Time

/// A settlement file as it is shown.
public struct SettlementFileView: Sendable {
    public let file: SettlementFile
    /// What its merchant is called.
    public let merchant: String
    /// What the account is called that it is of.
    public let acquirer: String

    public init(of file: SettlementFile, in reader: any StoreReader) throws {
        self.file = file
        self.merchant = try reader.merchant(file.merchantID)?.name ?? file.merchantID.text
        self.acquirer = try reader.acquirerAccount(file.accountID)?.name ?? file.accountID.text
    }

    public var json: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.file.id.text)
        object["merchant"] = .string(self.merchant)
        object["acquirer"] = .string(self.acquirer)
        object["name"] = .string(self.file.name)
        object["mapping"] = .string(self.file.mapping)
        object["lines"] = JSON(self.file.linesCount)
        object["from"] = .string(self.file.from.description)
        object["to"] = .string(self.file.to.description)
        object["importedAt"] = .string(self.file.importedAt.description)
        object["importedBy"] = .string(self.file.importedBy)
        return object
    }
}

extension SettlementImport {
    /// - Parameter file: its file as it is shown.
    public func view(_ file: SettlementFileView) -> JSON {
        [
            "file": .object(file.json), "repeated": .bool(self.isRepeated), "counts": self.counts.view,
            "repeatedLines": JSON(self.repeatedLinesCount), "ignoredLines": JSON(self.ignoredLinesCount),
            "found": JSON(self.foundCount), "differences": JSON(self.differencesCount),
            "parts": .array(self.parts.map { .string($0.id.text) }),
        ]
    }
}

extension SettlementItem {
    public var view: JSONObject {
        var object = SettlementRow(self).json.object ?? JSONObject()
        object["number"] = JSON(self.id.number)
        return object
    }
}

extension [SettlementItem.Verdict: Int] {
    /// Each verdict, also those of no item.
    public var view: JSON {
        .object(JSONObject(SettlementItem.Verdict.allCases.map { (name: $0.rawValue, value: JSON(self[$0] ?? 0)) }))
    }
}
