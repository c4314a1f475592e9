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
    /// What is booked of the file that it is a part of, where that is not all of it.
    public let incomplete: SettlementProgress?

    public init(of file: SettlementFile, in reader: any StoreReader) throws {
        try self.init(of: file, incomplete: SettlementProgress(of: file, in: reader), in: reader)
    }

    private init(of file: SettlementFile, incomplete: SettlementProgress?, in reader: any StoreReader) throws {
        self.file = file
        self.merchant = try reader.merchant(file.merchantID)?.name ?? file.merchantID.text
        self.acquirer = try reader.acquirerAccount(file.accountID)?.name ?? file.accountID.text
        self.incomplete = incomplete
    }

    private struct Whole: Hashable {
        let accountID: AcquirerAccountID
        let digest: [UInt8]
    }

    /// Those of a list. The parts of one file are looked for once.
    public static func list(_ files: [SettlementFile], in reader: any StoreReader) throws -> [SettlementFileView] {
        var known: [Whole: SettlementProgress?] = [:]
        return try files.map { file in
            guard let part = file.part else { return try Self(of: file, incomplete: nil, in: reader) }
            let whole = Whole(accountID: file.accountID, digest: part.wholeDigest)
            let progress = try known[whole] ?? SettlementProgress(of: file, in: reader)
            known[whole] = .some(progress)
            return try Self(of: file, incomplete: progress, in: reader)
        }
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
        object["incomplete"] = self.incomplete.map { .object($0.json) } ?? .null
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
