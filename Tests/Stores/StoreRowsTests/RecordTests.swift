//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StoreRows
import Testing

/// Each record's columns and its reader speak of the same columns in the same order. The records have something of
/// their own in every column, and free texts that are the column's name.
@Suite struct RecordTests {
    let cad: Currency

    init() throws {
        self.cad = try #require(Currency.alphabetic("CAD"))
    }

    private func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, currency: self.cad) }

    private func expectReadBack<Record: StoredRecord & Equatable>(_ record: Record) throws {
        expectEachColumnIsItself(Record.table, record.columnValues)
        var row = TestRow(Record.table.names, record.columnValues)
        #expect(try Record(&row) == record)
        #expect(row.isReadWhole)
    }

    @Test func merchants() throws {
        try self.expectReadBack(
            Merchant(
                id: Sample.id(1), name: "name", displayName: "display_name", mode: .sandbox,
                countryCode: "country_code", createdAt: Sample.time(1), state: .suspended))
        try self.expectReadBack(
            AppleCredential(
                id: "id", merchantID: Sample.id(1), purpose: .paymentProcessing,
                merchantIdentifier: "merchant_identifier", certificatePEM: "certificate_pem",
                notAfter: Sample.time(2), sealedPrivateKey: SealedBytes(keyID: "key_id", box: [4]),
                createdAt: Sample.time(1), state: .retired))
        let account = MerchantAccount(
            merchantID: Sample.id(1), dialect: DialectName("dialect"), key: "key", settings: [:], secrets: [:])
        expectEachColumnIsItself(MerchantAccount.table, account.columnValues)
    }

    @Test func acquirerAccounts() throws {
        let account = AcquirerAccount(
            id: Sample.id(1), merchantID: Sample.id(2), name: "name", connector: AcquirerName("connector"),
            mode: .live,
            acceptor: CardAcceptor(
                merchantNumber: "merchant_number", terminal: "terminal", categoryCode: "category_code",
                descriptor: "descriptor", institution: "institution"),
            state: .suspended, createdAt: Sample.time(1))
        try self.expectReadBack(account)
        var settings = TestRow("account_id, name, value", [account.id.text, "host", "a"])
        var secrets = TestRow("account_id, name, key_id, box", [account.id.text, "password", "1", [7] as [UInt8]])
        var others = TestRow("account_id, name, value", [Sample.id(9, AcquirerAccountID.self).text, "host", "b"])
        let whole = AcquirerAccount.whole(
            [account], settings: [try AcquirerAccountDetail(&settings), try AcquirerAccountDetail(&others)],
            secrets: [try AcquirerAccountDetail(&secrets)])
        var wanted = account
        wanted.settings = ["host": "a"]
        wanted.secrets = ["password": SealedBytes(keyID: "1", box: [7])]
        #expect(whole == [wanted])
    }

    @Test func routes() throws {
        let route = Route(
            number: 3, account: Sample.id(2),
            condition: Route.Condition(
                dialect: DialectName("dialect"), network: .jcb, currency: self.cad, minorUnitsMin: 1,
                minorUnitsMax: 2))
        expectEachColumnIsItself(Route.table, route.columnValues(of: Sample.id(1)))
        for route in [route, Route(number: 1, account: Sample.id(2))] {
            var row = TestRow(Route.table.names, route.columnValues(of: Sample.id(1)))
            #expect(try Route(&row) == route)
            #expect(row.isReadWhole)
        }
    }

    @Test func orders() throws {
        var order = Order(
            id: Sample.id(1), merchantID: Sample.id(2), dialect: DialectName("dialect"), reference: "reference",
            amount: self.money(100), summary: "summary", notifyURL: "notify_url",
            merchantIdentifier: "merchant_identifier", createdAt: Sample.time(1), expiresAt: Sample.time(2),
            paymentID: Sample.id(3))
        order.canceledAt = Sample.time(3)
        try self.expectReadBack(order)
    }

    @Test func deliveries() throws {
        var event = OutboxEvent(
            id: Sample.id(1), merchantID: Sample.id(2), dialect: DialectName("dialect"), kind: .captureSucceeded,
            paymentID: Sample.id(3), operationID: Sample.id(4), paymentVersion: 2, target: "target",
            createdAt: Sample.time(1), state: .dead)
        (event.messageIndex, event.attemptsCount, event.lastResult) = (1, 5, "last_result")
        try self.expectReadBack(event)
        try self.expectReadBack(Job(kind: .deliver, paymentID: Sample.id(3), dueAt: Sample.time(1), attemptsCount: 4))
    }

    @Test(arguments: [
        IdempotencyClaim.Subject.order(Sample.id(1)), .operation(Sample.id(2), Sample.id(3)),
    ])
    func claims(_ subject: IdempotencyClaim.Subject) throws {
        let key = IdempotencyKey(
            merchantID: Sample.id(1), dialect: DialectName("dialect"), operation: "operation", key: "key")
        try self.expectReadBack(
            IdempotencyClaim(key: key, digest: [1, 2], subject: subject, createdAt: Sample.time(1)))
    }

    @Test func aClaimOfNothingIsCorrupt() throws {
        let merchant = Sample.id(1, MerchantID.self).text
        var row = TestRow(
            IdempotencyClaim.table.names, [merchant, "dialect", "pay", "k", [UInt8](), nil, nil, nil, 0])
        #expect(throws: StoreError.corrupt("things.operation_id")) { try IdempotencyClaim(&row) }
    }

    @Test func auditEntries() throws {
        try self.expectReadBack(
            AuditEntry(
                number: 7, at: Sample.time(1), actor: "actor", act: .merchantCreate, subject: "subject",
                details: ["a": "b"], previousDigest: [1], digest: [2]))
    }

    @Test func dataKeysAndKeptItems() throws {
        try self.expectReadBack(SealedDataKey(id: "id", box: [6], createdAt: Sample.time(1)))
        let name = KeptItemName(merchantID: Sample.id(1), dialect: DialectName("dialect"), kind: "kind", id: "id")
        try self.expectReadBack(
            KeptItem(
                name: name, content: SealedBytes(keyID: "key_id", box: [5]), version: 3, createdAt: Sample.time(1),
                expiresAt: Sample.time(2)))
    }

    @Test func memosOfConnectors() throws {
        try self.expectReadBack(
            StoredMemo(
                operationID: Sample.id(1), paymentID: Sample.id(2), content: SealedBytes(keyID: "key_id", box: [5])))
    }

    static let places: [SealedPlace] = [
        .accountSecret(Sample.id(1), Sample.dialect, name: "webhook"), .appleCredential(Sample.id(1), id: "hash"),
        .acquirerSecret(Sample.id(1), name: "password"), .acquirerMemo(Sample.id(1)),
        .keptItem(KeptItemName(merchantID: Sample.id(1), dialect: Sample.dialect, kind: "session", id: "s")),
        .storeSecret(name: "cookie"),
    ]

    @Test(arguments: places) func placesOfSealedValues(_ place: SealedPlace) throws {
        var row = TestRow(SealedTable(place.kind).keyColumns.joined(separator: ", "), place.keyValues)
        #expect(try SealedPlace(place.kind, &row) == place)
        #expect(row.isReadWhole)
    }

    @Test func everyKindOfPlaceIsLookedAt() {
        #expect(Set(Self.places.map(\.kind)) == Set(SealedPlace.Kind.allCases))
        for kind in SealedPlace.Kind.allCases {
            #expect(SealedTable.keyIDs.contains("FROM \(SealedTable(kind).name)"))
            #expect(SealedTable.nothingIsSealed.contains("FROM \(SealedTable(kind).name) WHERE"))
        }
    }
}

/// Expects values that would show it if two columns were taken for each other: no two are the same, and a text that is
/// a column's name is that column's.
func expectEachColumnIsItself<Column: ColumnName>(
    _ table: RecordTable<Column>, _ values: RowArguments, sourceLocation: SourceLocation = #_sourceLocation
) {
    let names = table.columns.map(\.rawValue)
    #expect(values.count == names.count, sourceLocation: sourceLocation)
    let texts = values.filter { $0 != .null }.map { "\($0)" }
    #expect(Set(texts).count == texts.count, "\(texts)", sourceLocation: sourceLocation)
    for (name, value) in zip(names, values) {
        guard case .text(let text) = value, names.contains(text) else { continue }
        #expect(text == name, sourceLocation: sourceLocation)
    }
}
