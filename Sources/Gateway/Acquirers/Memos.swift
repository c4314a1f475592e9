//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Payments
import Redaction
import StrictJSON

/// What connectors have noted on a payment's operations, opened.
struct Memos: Sendable {
    fileprivate var byOperation: [OperationID: AcquirerMemo] = [:]

    /// Empty where nothing has been noted.
    subscript(id: OperationID) -> AcquirerMemo { self.byOperation[id] ?? AcquirerMemo() }
}

extension Gateway {
    /// What the connector of an account has noted. Read only where it notes anything.
    func memos(of payment: Payment, _ account: OpenAcquirer) async throws(GatewayRefusal) -> Memos {
        guard account.capabilities.memos != .none else { return Memos() }
        return try await self.readingSecrets { try self.memos(of: payment.id, account.id, in: $0) }
    }

    private func memos(
        of payment: PaymentID, _ account: AcquirerAccountID, in reader: any StoreReader
    ) throws -> Memos {
        var memos = Memos()
        for stored in try reader.memos(of: payment) {
            let context = Gateway.context(of: .acquirerMemo(stored.operationID, stored.part))
            let content = try self.vault.open(stored.content, context: context)
            let part = AcquirerMemo(archive: content, stored.part, of: account)
            memos.byOperation[stored.operationID] = memos[stored.operationID].merging(part)
        }
        return memos
    }

    /// Adds to what is noted on an operation, in the commit that the caller has open. The handles by which notices will
    /// call it become references.
    ///
    /// - Throws: ``VaultError`` `data_key_unknown`, for the keys to be read again.
    func keep(
        _ memo: AcquirerMemo, on operation: OperationID, of payment: PaymentID, _ merchant: MerchantID,
        _ account: AcquirerAccountID, in transaction: any StoreTransaction
    ) throws {
        guard !memo.isEmpty else { return }
        let parts = StoredMemo.Part.allCases.filter { !memo[$0].isEmpty }
        if !parts.isEmpty {
            let merged = try self.memos(of: payment, account, in: transaction)[operation].merging(memo)
            for part in parts {
                let content = try self.vault.seal(
                    merged.archive(part, of: account), context: Gateway.context(of: .acquirerMemo(operation, part)),
                    in: transaction)
                let keptSeconds =
                    part == .cardData
                    ? try self.acquirer(account, in: transaction)?.capabilities.cardData.map { max(0, $0.keptSeconds) }
                    : nil
                try transaction.upsert(
                    StoredMemo(
                        operationID: operation, part: part, paymentID: payment, content: content,
                        keptSeconds: keptSeconds))
            }
            if parts.contains(.cardData) {
                try Gateway.scheduleForgetting(of: payment, at: self.clock(), in: transaction)
            }
        }
        for handle in memo.handles.sorted() {
            let reference = Reference.acquirer(account, handle, of: merchant)
            switch try transaction.operation(reference) {
            case nil: try transaction.insert(reference, operation: operation)
            case operation: break
            // A reversal has the name of what it takes back: notices mean that.
            case .some(let earlier) where try transaction.paymentID(ofOperation: earlier) == payment: break
            case .some:
                // Notices under it would be booked on the other one.
                self.logger.error(
                    "acquirer has given two operations the same handle",
                    metadata: ["payment": "\(payment)", "operation": "\(operation)", "account": "\(account)"])
            }
        }
    }
}

extension Gateway {
    /// For acquirers whose notices name operations by it.
    static func keepShortName(
        of operation: OperationID, _ merchant: MerchantID, _ account: OpenAcquirer,
        in transaction: any StoreTransaction
    ) throws {
        guard account.capabilities.notifiesByShortName else { return }
        try transaction.insert(
            .acquirer(account.id, operation.shortName, of: merchant), operation: operation)
    }
}

extension Reference {
    /// A name by which an acquirer's notices call an operation under an account.
    static func acquirer(
        _ account: AcquirerAccountID, _ handle: String, of merchant: MerchantID
    ) -> Reference {
        Reference(
            merchantID: merchant, dialect: acquirerReferences, kind: account.text, value: handle)
    }
}

/// References of acquirers stand beside those of dialects; no dialect has this name.
private let acquirerReferences = DialectName("acquirer")

extension AcquirerMemo {
    fileprivate subscript(part: StoredMemo.Part) -> [String: Redacted<String>] {
        get {
            switch part {
            case .entries: self.entries
            case .cardData: self.cardData
            }
        }
        set {
            switch part {
            case .entries: self.entries = newValue
            case .cardData: self.cardData = newValue
            }
        }
    }

    /// A part, with the account that it is of: a payment that takes another account leaves it behind.
    fileprivate func archive(_ part: StoredMemo.Part, of account: AcquirerAccountID) -> Redacted<[UInt8]> {
        var entries = JSONObject()
        for (name, value) in self[part].sorted(by: { $0.key < $1.key }) { entries[name] = .string(value.reveal()) }
        let archive: JSON = ["account": .string(account.text), "entries": .object(entries)]
        return Redacted(archive.serialized())
    }

    fileprivate init(archive: Redacted<[UInt8]>, _ part: StoredMemo.Part, of account: AcquirerAccountID) {
        self.init()
        guard let archive = try? JSON.parse(archive.reveal()), archive["account"]?.string == account.text,
            let entries = archive["entries"]?.object
        else { return }
        for (name, value) in entries.members { self[part][name] = value.string.map { Redacted($0) } }
    }
}
