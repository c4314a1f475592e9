//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StoreRows
import Testing

/// Each record's column names, values and reader speak of the same columns in the same order.
@Suite struct RecordTests {
    let cad: Currency

    init() throws {
        self.cad = try #require(Currency.alphabetic("CAD"))
    }

    private func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, currency: self.cad) }

    private func expectReadBack<Record: Equatable>(
        _ record: Record, _ names: String, _ values: RowArguments, _ read: (inout TestRow) throws -> Record
    ) throws {
        var row = TestRow(names, values)
        #expect(try read(&row) == record)
        #expect(row.isReadWhole)
    }

    @Test func merchants() throws {
        let merchant = Merchant(
            id: Sample.id(1), name: "shop", displayName: "Shop", mode: .sandbox, acquirer: AcquirerName("simulator"),
            countryCode: "CA", createdAt: Sample.time(1))
        try self.expectReadBack(merchant, Merchant.columnNames, merchant.columnValues) { try Merchant(&$0) }
        let credential = AppleCredential(
            id: "hash", merchantID: Sample.id(1), purpose: .paymentProcessing, merchantIdentifier: "merchant.shop",
            certificatePEM: "pem", notAfter: Sample.time(2), sealedPrivateKey: SealedBytes(keyID: "1", box: [4]),
            createdAt: Sample.time(1))
        try self.expectReadBack(credential, AppleCredential.columnNames, credential.columnValues) {
            try AppleCredential(&$0)
        }
    }

    @Test func orders() throws {
        var order = Order(
            id: Sample.id(1), merchantID: Sample.id(2), dialect: Sample.dialect, reference: "o",
            amount: self.money(100), summary: "Shoes", notifyURL: "https://shop.example",
            merchantIdentifier: "merchant.shop", createdAt: Sample.time(1), expiresAt: Sample.time(2),
            paymentID: Sample.id(3))
        order.canceledAt = Sample.time(3)
        try self.expectReadBack(order, Order.columnNames, order.columnValues) { try Order(&$0) }
    }

    @Test func deliveries() throws {
        var event = OutboxEvent(
            id: Sample.id(1), merchantID: Sample.id(2), dialect: Sample.dialect, kind: .captureSucceeded,
            paymentID: Sample.id(3), operationID: Sample.id(4), paymentVersion: 2, target: "https://shop.example",
            createdAt: Sample.time(1))
        (event.messageIndex, event.attemptsCount, event.lastResult) = (1, 5, "HTTP 500")
        try self.expectReadBack(event, OutboxEvent.columnNames, event.columnValues) { try OutboxEvent(&$0) }
        let job = Job(kind: .deliver, paymentID: Sample.id(3), dueAt: Sample.time(1), attemptsCount: 4)
        try self.expectReadBack(job, "kind, " + Job.columnNames, job.columnValues) { row in
            try Job(try row.choice(), &row)
        }
    }

    @Test(arguments: [
        IdempotencyClaim.Subject.order(Sample.id(1)), .operation(Sample.id(2), Sample.id(3)),
    ])
    func claims(_ subject: IdempotencyClaim.Subject) throws {
        let key = IdempotencyKey(merchantID: Sample.id(1), dialect: Sample.dialect, operation: "pay", key: "k")
        let claim = IdempotencyClaim(key: key, digest: [1, 2], subject: subject, createdAt: Sample.time(1))
        let names = "merchant_id, dialect, operation, key, " + IdempotencyClaim.columnNames
        try self.expectReadBack(claim, names, claim.columnValues) { row in
            let key = IdempotencyKey(
                merchantID: try row.id(), dialect: DialectName(try row.name()), operation: try row.text(),
                key: try row.text())
            return try IdempotencyClaim(key: key, &row)
        }
    }

    @Test func aClaimOfNothingIsCorrupt() throws {
        var row = TestRow(IdempotencyClaim.columnNames, [[UInt8](), nil, nil, nil, 0])
        let key = IdempotencyKey(merchantID: Sample.id(1), dialect: Sample.dialect, operation: "pay", key: "k")
        #expect(throws: StoreError.corrupt("things.operation_id")) { try IdempotencyClaim(key: key, &row) }
    }

    @Test func auditEntries() throws {
        let entry = AuditEntry(
            number: 7, at: Sample.time(1), actor: "operator", act: .merchantCreate, subject: "mer", details: ["a": "b"],
            previousDigest: [1], digest: [2])
        try self.expectReadBack(entry, AuditEntry.columnNames, entry.columnValues) { try AuditEntry(&$0) }
    }

    @Test func dataKeysAndKeptItems() throws {
        let dataKey = SealedDataKey(id: "1", box: [6], createdAt: Sample.time(1))
        try self.expectReadBack(dataKey, SealedDataKey.columnNames, dataKey.columnValues) { try SealedDataKey(&$0) }
        let name = KeptItemName(merchantID: Sample.id(1), dialect: Sample.dialect, kind: "session", id: "s")
        let item = KeptItem(
            name: name, content: SealedBytes(keyID: "1", box: [5]), version: 3, createdAt: Sample.time(1),
            expiresAt: Sample.time(2))
        let names = SealedTable(.keptItem).keyColumns.joined(separator: ", ") + ", " + KeptItem.columnNames
        try self.expectReadBack(item, names, item.columnValues) { row in
            guard case .keptItem(let name) = try SealedPlace(.keptItem, &row) else { throw row.corrupt }
            return try KeptItem(name, &row)
        }
    }

    @Test(arguments: [
        SealedPlace.accountSecret(Sample.id(1), Sample.dialect, name: "webhook"),
        .appleCredential(Sample.id(1), id: "hash"),
        .keptItem(KeptItemName(merchantID: Sample.id(1), dialect: Sample.dialect, kind: "session", id: "s")),
        .storeSecret(name: "cookie"),
    ])
    func placesOfSealedValues(_ place: SealedPlace) throws {
        let names = SealedTable(place.kind).keyColumns.joined(separator: ", ")
        try self.expectReadBack(place, names, place.keyValues) { try SealedPlace(place.kind, &$0) }
    }
}
