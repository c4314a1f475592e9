//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import Time

/// What query asks: a page of the trades that fit all filters.
struct QueryRequest: Sendable {
    static let recordsPerPageMax: Int64 = 200
    static let pageMax: Int64 = 1_000_000

    let recordsPerPage: Int
    let page: Int
    let filters: TradeFilters
    let order: PaymentQuery.Order

    init(reading body: BackEndBody) throws(TapPayFailure) {
        let filters = try body.optionalObject("filters") ?? BackEndBody(JSONObject())
        // A client that is in use puts the numbers of the page among the filters.
        self.recordsPerPage = Int(
            try Self.bounded(
                body, filters, "records_per_page", 1...Self.recordsPerPageMax, .invalidRecordsPerPage,
                .recordsPerPageOutOfRange) ?? 50)
        self.page = Int(try Self.bounded(body, filters, "page", 0...Self.pageMax, .invalidPage, .pageOutOfRange) ?? 0)
        self.filters = try TradeFilters(reading: filters)
        self.order = try Self.order(body)
    }

    static func bounded(
        _ body: BackEndBody, _ filters: BackEndBody, _ name: String, _ bounds: ClosedRange<Int64>,
        _ invalid: TapPayCode, _ outOfRange: TapPayCode
    ) throws(TapPayFailure) -> Int64? {
        var found = try body.optionalInteger(name, invalid: invalid)
        if found == nil { found = try filters.optionalInteger(name, invalid: invalid) }
        guard let number = found else { return nil }
        guard bounds.contains(number) else {
            throw TapPayFailure(outOfRange, "\(name) must be from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
        return number
    }

    /// The newest first, unless the request says otherwise.
    private static func order(_ body: BackEndBody) throws(TapPayFailure) -> PaymentQuery.Order {
        guard let orderBy = try body.optionalObject("order_by", invalid: .invalidOrderByAttribute) else {
            return .newestFirst
        }
        let isDescending = try orderBy.optionalBool("is_descending", invalid: .invalidOrderByIsDescending) ?? true
        switch try orderBy.rawText("attribute") {
        case nil, "", "time": return isDescending ? .newestFirst : .oldestFirst
        case "amount": return isDescending ? .largestFirst : .smallestFirst
        default: throw TapPayFailure(.invalidOrderByAttribute, "attribute must be time or amount.")
        }
    }
}

/// The filters of query. Those of the store's own are put into its query; the others are asked of every trade.
struct TradeFilters: Sendable {
    private(set) var from: Timestamp?
    private(set) var through: Timestamp?
    private(set) var capturedFrom: Timestamp?
    private(set) var capturedThrough: Timestamp?
    private(set) var amountFrom: Int64?
    private(set) var amountThrough: Int64?
    private(set) var currency: WireCurrency?
    private(set) var merchantIDs: [String]
    private(set) var recordStatus: RecordStatus?
    let recTradeID: String?
    let bankTransactionID: String?
    private let labels: [(name: String, value: String)]
    private let authCode: String?
    private let cardIdentifier: String?
    private let tokenServiceProvider: Bool?
    let appID: String?

    init(reading filters: BackEndBody) throws(TapPayFailure) {
        self.merchantIDs = try Self.merchantIDs(filters)
        self.recTradeID = try filters.optionalText(
            "rec_trade_id", outOfRange: .invalidFilterRecTradeID, charactersMax: 40)
        self.bankTransactionID = try filters.optionalText(
            "bank_transaction_id", outOfRange: .bankTransactionIDOutOfRange, charactersMax: 40)
        self.labels = try Self.labels(filters)
        self.authCode = try filters.optionalText("auth_code", outOfRange: .wrongJSONFormat, charactersMax: 20)
        self.cardIdentifier = try filters.optionalText(
            "card_identifier", outOfRange: .wrongJSONFormat, charactersMax: 64)
        self.tokenServiceProvider = try filters.optionalBool("tsp", invalid: .wrongJSONFormat)
        self.appID = try filters.optionalText("app_id", outOfRange: .invalidFilterAppID, charactersMax: 20)
        try self.readTimes(filters)
        try self.readAmount(filters)
        if let status = try filters.optionalInteger("record_status", invalid: .invalidFilterRecordStatus) {
            guard let known = RecordStatus(rawValue: Int(status)) else {
                throw TapPayFailure(.invalidFilterRecordStatus, "record_status must be from -1 to 5.")
            }
            self.recordStatus = known
        }
    }

    private static func merchantIDs(_ filters: BackEndBody) throws(TapPayFailure) -> [String] {
        guard let value = filters.value("merchant_id") else { return [] }
        // A string from clients that know of one merchant only.
        if let id = value.string { return id.isEmpty ? [] : [id] }
        guard let list = value.array, list.allSatisfy({ $0.string != nil }) else {
            throw TapPayFailure(.invalidFilterMerchantID, "merchant_id must be a list of strings.")
        }
        return list.compactMap(\.string)
    }

    private static func labels(_ filters: BackEndBody) throws(TapPayFailure) -> [(name: String, value: String)] {
        var labels: [(name: String, value: String)] = []
        if let number = try filters.optionalText(
            "order_number", outOfRange: .orderNumberOutOfRange, charactersMax: 50)
        {
            labels.append((LabelField.orderNumber, number))
        }
        guard let cardholder = try filters.optionalObject("cardholder", invalid: .missingCardholder) else {
            return labels
        }
        for (name, label, code) in [
            ("phone_number", LabelField.cardholderPhoneNumber, TapPayCode.cardholderPhoneNumberOutOfRange),
            ("name", LabelField.cardholderName, .cardholderNameOutOfRange),
            ("email", LabelField.cardholderEmail, .cardholderEmailOutOfRange),
            ("member_id", LabelField.cardholderMemberID, .wrongJSONFormat),
        ] {
            if let value = try cardholder.optionalText(name, outOfRange: code, charactersMax: 256) {
                labels.append((label, value))
            }
        }
        return labels
    }

    private mutating func readTimes(_ filters: BackEndBody) throws(TapPayFailure) {
        let time = try Self.bounds(filters, "time", .invalidFilterStartTime, .invalidFilterEndTime)
        let capTime = try Self.bounds(filters, "cap_time", .invalidFilterStartTime, .invalidFilterEndTime)
        (self.from, self.through) = time
        (self.capturedFrom, self.capturedThrough) = capTime
    }

    private static func bounds(
        _ filters: BackEndBody, _ name: String, _ invalidStart: TapPayCode, _ invalidEnd: TapPayCode
    ) throws(TapPayFailure) -> (Timestamp?, Timestamp?) {
        guard let time = try filters.optionalObject(name, invalid: invalidStart) else { return (nil, nil) }
        let start = try Self.time(time, "start_time", invalidStart, .filterStartTimeOutOfRange)
        let end = try Self.time(time, "end_time", invalidEnd, .filterEndTimeOutOfRange)
        if let start, let end, start > end { throw TapPayFailure(.filterTimesReversed) }
        return (start, end)
    }

    /// Milliseconds since 1970; zero stands for none.
    static func time(
        _ object: BackEndBody, _ name: String, _ invalid: TapPayCode, _ outOfRange: TapPayCode
    ) throws(TapPayFailure) -> Timestamp? {
        guard let millis = try object.optionalInteger(name, invalid: invalid), millis != 0 else { return nil }
        // Until the year 9999.
        guard (1...253_402_300_799_999).contains(millis) else { throw TapPayFailure(outOfRange) }
        return Timestamp(milliseconds: millis)
    }

    private mutating func readAmount(_ filters: BackEndBody) throws(TapPayFailure) {
        if let code = try filters.rawText("currency"), !code.isEmpty {
            guard let currency = WireCurrency(exactly: code) else { throw TapPayFailure(.invalidCurrency) }
            self.currency = currency
        }
        guard let amount = try filters.optionalObject("amount", invalid: .invalidFilterUpperLimit) else { return }
        self.amountThrough = try amount.optionalInteger("upper_limit", invalid: .invalidFilterUpperLimit)
        self.amountFrom = try amount.optionalInteger("lower_limit", invalid: .invalidFilterLowerLimit)
        if let upper = self.amountThrough, upper < 0 { throw TapPayFailure(.filterUpperLimitOutOfRange) }
        if let lower = self.amountFrom, lower < 0 { throw TapPayFailure(.filterLowerLimitOutOfRange) }
        if let lower = self.amountFrom, let upper = self.amountThrough, lower > upper {
            throw TapPayFailure(.filterLimitsReversed)
        }
    }
}

extension TradeFilters {
    /// What the store can look for by itself.
    func query(dialect: DialectName, order: PaymentQuery.Order) -> PaymentQuery {
        PaymentQuery(
            dialect: dialect, from: self.from, to: self.through?.adding(milliseconds: 1),
            currency: self.currency.flatMap { Currency.alphabetic($0.rawValue) }, minorUnits: self.minorUnits,
            order: order)
    }

    /// In minor units where the currency says how many of them the wire's unit has.
    private var minorUnits: ClosedRange<Int64>? {
        guard let currency = self.currency, self.amountFrom != nil || self.amountThrough != nil else { return nil }
        return currency.minorUnits(self.amountFrom ?? 0)...currency.minorUnits(self.amountThrough ?? .max)
    }

    /// Whether the store's own filters are all that there is.
    var isStoreOnly: Bool {
        self.capturedFrom == nil && self.capturedThrough == nil && self.merchantIDs.isEmpty && self.recordStatus == nil
            && self.labels.isEmpty && self.authCode == nil && self.cardIdentifier == nil
            && self.tokenServiceProvider == nil
            && (self.currency != nil || (self.amountFrom == nil && self.amountThrough == nil))
    }

    /// Whether a trade fits all of them.
    func accept(_ payment: Payment) -> Bool {
        let units = payment.amount.wireUnits
        if let from = self.from, payment.createdAt < from { return false }
        if let through = self.through, payment.createdAt > through { return false }
        if let from = self.amountFrom, units < from { return false }
        if let through = self.amountThrough, units > through { return false }
        if let currency = self.currency, payment.amount.currency.code != currency.rawValue { return false }
        if let status = self.recordStatus, RecordStatus(payment.state) != status { return false }
        if let code = self.authCode, payment.authorization?.answer.authorizationCode != code { return false }
        if let id = self.cardIdentifier, TapPay.cardIdentifier(of: payment) != id { return false }
        if let tsp = self.tokenServiceProvider, payment.isPaidWithDeviceAccount != tsp { return false }
        if let id = self.bankTransactionID, payment.label(LabelField.bankTransactionID) != id { return false }
        if !self.merchantIDs.isEmpty, !self.merchantIDs.contains(payment.label(LabelField.merchantID) ?? "") {
            return false
        }
        if self.capturedFrom != nil || self.capturedThrough != nil {
            guard let capturedAt = payment.standingCapture?.occurredAt else { return false }
            if let from = self.capturedFrom, capturedAt < from { return false }
            if let through = self.capturedThrough, capturedAt > through { return false }
        }
        return self.labels.allSatisfy { payment.label($0.name) == $0.value }
    }
}

extension Payment {
    /// Whether a card network's token service has made the number; the published test prime's card is typed.
    var isPaidWithDeviceAccount: Bool { self.label(LabelField.paymentMethod) != "direct_pay" }
}
