//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
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
                countryCode: "country_code", timeZone: "time_zone", createdAt: Sample.time(1), state: .suspended))
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

    @Test func refusedCallsAndAlarms() throws {
        try self.expectReadBack(
            RefusedCall(
                id: Sample.id(1), at: Sample.time(1), merchantID: Sample.id(2), dialect: DialectName("dialect"),
                operation: "operation", wireCode: "wire_code", stage: .keySelection, code: "code", text: "text",
                requestID: "request_id", publicKeyHash: "public_key_hash", merchantIdentifier: "merchant_identifier",
                amount: self.money(7)))
        try self.expectReadBack(
            Alarm(
                id: Sample.id(1), kind: .disk, subject: "subject", merchant: "merchant", severity: .warning,
                code: "code", step: 5, text: "text", advice: "advice", begunAt: Sample.time(1),
                seenAt: Sample.time(4), endedAt: Sample.time(2), isSuperseded: true, pendingMessage: .ended,
                dueAt: Sample.time(3), attemptsCount: 4))
    }

    @Test func observations() throws {
        try self.expectReadBack(
            Observation(
                kind: .delivery, merchantID: Sample.id(1), subject: "subject", number: 3, at: Sample.time(1),
                facts: ["result": "http_503"]))
    }

    @Test func acquirerAccounts() throws {
        let account = AcquirerAccount(
            id: Sample.id(1), merchantID: Sample.id(2), name: "name", connector: AcquirerName("connector"),
            mode: .live,
            acceptor: CardAcceptor(
                merchantNumber: "merchant_number", terminal: "terminal", categoryCode: "category_code",
                descriptor: "descriptor", institution: "institution", forwarder: "forwarder", name: "acceptor_name",
                street: "street", city: "city", postalCode: "postal_code", region: "region", country: "country",
                timeZone: "time_zone"),
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

    @Test func closedDays() throws {
        try self.expectReadBack(
            ClosedDay(
                merchantID: Sample.id(1), day: "day", timeZone: "time_zone", from: Sample.time(1), to: Sample.time(2),
                movementsCount: 3, digest: [4], report: "report", closedAt: Sample.time(5), closedBy: "closed_by"))
    }

    private func file(_ part: SettlementFile.Part?) -> SettlementFile {
        SettlementFile(
            id: Sample.id(1), merchantID: Sample.id(2), accountID: Sample.id(3), name: "name", mapping: "mapping",
            digest: [4], linesCount: 5, from: Sample.time(6), to: Sample.time(7), importedAt: Sample.time(8),
            importedBy: "imported_by", part: part)
    }

    @Test func halfAPartOfASettlementFileIsCorrupt() throws {
        var values = self.file(SettlementFile.Part(wholeDigest: [9], wholeLinesCount: 10)).columnValues
        _ = values.popLast()
        var row = TestRow(SettlementFile.table.names, values + [nil])
        #expect(throws: StoreError.corrupt("things.whole_lines_count")) { try SettlementFile(&row) }
    }

    @Test func settlements() throws {
        try self.expectReadBack(self.file(nil))
        try self.expectReadBack(self.file(SettlementFile.Part(wholeDigest: [9], wholeLinesCount: 10)))
        var item = SettlementItem(
            id: SettlementItem.ID(file: Sample.id(1), number: 2), merchantID: Sample.id(3), accountID: Sample.id(4),
            kind: .chargeback, date: "date", reference: "reference", amount: self.money(5), feeMinorUnits: -6,
            verdict: .amountDiffers, operationID: Sample.id(7), paymentID: Sample.id(8), ledgerMinorUnits: 9,
            isFeeBooked: true, identity: "identity", bookedAt: Sample.time(10))
        item.resolution = SettlementResolution(
            decision: .theirs, reason: "reason", at: Sample.time(11), by: "resolved_by")
        try self.expectReadBack(item)
        item.resolution = nil
        var half = TestRow(SettlementItem.table.names, item.columnValues)
        #expect(try SettlementItem(&half) == item)
        let entry = try #require(try Bookkeeping.lineEntry(for: item))
        for row in SettlementPostingRow.rows(of: entry, for: item, isResolution: false) {
            var columns = TestRow(SettlementPostingRow.table.names, row.columnValues)
            #expect(try SettlementPostingRow(&columns) == row)
            #expect(columns.isReadWhole)
        }
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

    @Test func people() throws {
        var person = Person(
            id: Sample.id(1), userName: "user_name", displayName: "display_name", email: "email", role: .support,
            merchants: [Sample.id(2), Sample.id(3)], refundLimits: [self.cad: 0], state: .suspended,
            passwordVerifier: Redacted("password_verifier"), isPasswordInitial: true, failuresCount: 4,
            lockedUntil: Sample.time(1),
            invitation: Invitation(digest: "invitation_digest", endsAt: Sample.time(2)),
            externalIdentity: ExternalIdentity(issuer: "issuer", subject: "subject"), createdAt: Sample.time(3),
            lastSignInAt: Sample.time(4), version: 5)
        try self.expectReadBack(person)
        (person.merchants, person.refundLimits) = ([], [:])
        var row = TestRow(Person.table.names, person.columnValues)
        #expect(try Person(&row) == person)
        let bare = Person(
            id: Sample.id(1), userName: "user_name", displayName: "display_name", role: .owner,
            createdAt: Sample.time(3))
        row = TestRow(Person.table.names, bare.columnValues)
        #expect(try Person(&row) == bare)
        try self.expectReadBack(
            SecondFactor(
                personID: Sample.id(1), content: SealedBytes(keyID: "key_id", box: [5]), confirmedAt: Sample.time(1),
                lastStep: 7, recoveryDigests: [Array(repeating: 1, count: 32), Array(repeating: 2, count: 32)],
                createdAt: Sample.time(2)))
        try self.expectReadBack(
            PersonSession(
                id: Sample.id(1), digest: [1], personID: Sample.id(2), stage: .newPassword, createdAt: Sample.time(1),
                lastSeenAt: Sample.time(2), endsAt: Sample.time(3), address: "address", userAgent: "user_agent"))
        try self.expectReadBack(
            AccessToken(
                id: Sample.id(1), name: "name", digest: [1],
                access: Access(
                    scopes: [.paymentsRead, .reportsWrite], merchants: [Sample.id(2)], changesSandboxOnly: true),
                madeBy: "made_by", createdAt: Sample.time(1), endsAt: Sample.time(2), revokedAt: Sample.time(3),
                lastUsedAt: Sample.time(4)))
    }

    @Test(arguments: [
        ("role", "emperor"), ("merchants", "mer_1"), ("refund_limits", "[]"), ("refund_limits", "{\"CAD\":\"-1\"}"),
        ("refund_limits", "{\"XYZ\":\"1\"}"), ("state", "gone"), ("user_name", ""),
    ])
    func aPersonOfNonsenseIsCorrupt(_ column: String, _ text: String) throws {
        let person = Person(
            id: Sample.id(1), userName: "user_name", displayName: "", role: .owner, createdAt: Sample.time(3))
        let values = zip(Person.table.columns, person.columnValues).map { name, value in
            name.rawValue == column ? RowValue.text(text) : value
        }
        var row = TestRow(Person.table.names, RowArguments(values: values))
        #expect(throws: StoreError.corrupt("things.\(column)")) { try Person(&row) }
    }

    @Test func approvals() throws {
        let full = Approval(
            id: Sample.id(1), kind: .refund, operation: "operation", merchantID: Sample.id(2),
            paymentID: Sample.id(3), amount: Money(minorUnits: 7, currency: self.cad), summary: "summary",
            reason: "reason", askedBy: Approval.Party(identities: ["asked_identities", "b"], actor: "asked_by"),
            askKey: "ask_key", askedAt: Sample.time(1), endsAt: Sample.time(2), state: .approved,
            decidedBy: Approval.Party(identities: ["decided_identities"], actor: "decided_by"),
            decidedAt: Sample.time(3), decisionReason: "decision_reason",
            outcome: Approval.Outcome(code: "outcome", detail: "outcome_detail", operationID: Sample.id(4)))
        try self.expectReadBack(full)
        try self.expectReadBack(
            ApprovalContent(
                approvalID: Sample.id(1), part: .result, content: SealedBytes(keyID: "key_id", box: [5])))
        // Flags look alike: one at a time.
        for flag in [\ApprovalPolicy.aboveOwnLimit, \.liveCredentials, \.routes] {
            var policy = ApprovalPolicy(merchantID: Sample.id(1), refundsAbove: [self.cad: 5])
            policy[keyPath: flag] = true
            var row = TestRow(ApprovalPolicy.table.names, policy.columnValues)
            #expect(try ApprovalPolicy(&row) == policy)
        }
        let house = ApprovalPolicy()
        var row = TestRow(ApprovalPolicy.table.names, house.columnValues)
        #expect(try ApprovalPolicy(&row) == house)
        try self.expectReadBack(
            MerchantDomain(
                merchantID: Sample.id(1), name: "name", file: "file", registeredAt: Sample.time(1),
                check: MerchantDomain.Check(
                    at: Sample.time(2), isGood: true, code: "code", text: "text", advice: "advice")))
    }

    @Test func memosOfConnectors() throws {
        try self.expectReadBack(
            StoredMemo(
                operationID: Sample.id(1), part: .cardData, paymentID: Sample.id(2),
                content: SealedBytes(keyID: "key_id", box: [5])))
    }

    static let places: [SealedPlace] = [
        .accountSecret(Sample.id(1), Sample.dialect, name: "webhook"), .appleCredential(Sample.id(1), id: "hash"),
        .acquirerSecret(Sample.id(1), name: "password"), .acquirerMemo(Sample.id(1), .cardData),
        .keptItem(KeptItemName(merchantID: Sample.id(1), dialect: Sample.dialect, kind: "session", id: "s")),
        .secondFactor(Sample.id(1)), .approvalContent(Sample.id(1), .result), .storeSecret(name: "cookie"),
    ]

    @Test(arguments: places) func placesOfSealedValues(_ place: SealedPlace) throws {
        var row = TestRow(SealedTable(place.kind).keyColumns.joined(separator: ", "), place.keyValues)
        #expect(try SealedPlace(place.kind, &row) == place)
        #expect(row.isReadWhole)
    }

    @Test func everyKindOfPlaceIsLookedAt() {
        let parameters = Parameters("$")
        #expect(Set(Self.places.map(\.kind)) == Set(SealedPlace.Kind.allCases))
        for kind in SealedPlace.Kind.allCases {
            let rows = "FROM \(SealedTable(kind).name) WHERE"
            #expect(SealedTable.count(under: "k", max: 1, parameters).sql.contains(rows))
            #expect(SealedTable.nothingIsSealed(parameters).contains(rows))
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
