//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import Time

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
    /// One of them is the payment's; empty for all.
    private let paymentMethods: Set<String>
    /// One of them is the account's; empty for all.
    let appIDs: [String]

    /// All that can be asked for. `records_per_page` and `page` are ``QueryRequest``'s.
    private static let names: Set = [
        "time", "cap_time", "amount", "currency", "record_status", "rec_trade_id", "bank_transaction_id",
        "order_number", "auth_code", "card_identifier", "tsp", "merchant_id", "app_id", "payment_type", "cardholder",
        "records_per_page", "page",
    ]

    init(reading filters: BackEndBody) throws(TapPayFailure) {
        try filters.refuseOthers(than: Self.names, in: "filters")
        self.merchantIDs = try Self.merchantIDs(filters)
        self.appIDs = try Self.appIDs(filters)
        self.paymentMethods = try Self.paymentMethods(filters)
        self.recTradeID = try filters.optionalText(
            "rec_trade_id", outOfRange: .invalidFilterRecTradeID, charactersMax: 40)
        self.bankTransactionID = try filters.optionalText(
            "bank_transaction_id", outOfRange: .bankTransactionIDOutOfRange, charactersMax: 40)
        self.labels = try Self.labels(filters)
        self.authCode = try filters.optionalText("auth_code", outOfRange: .wrongJSONFormat, charactersMax: 20)
        self.cardIdentifier = try filters.optionalText(
            "card_identifier", outOfRange: .wrongJSONFormat, charactersMax: 64)
        self.tokenServiceProvider = try filters.optionalBool("tsp", invalid: .wrongJSONFormat)
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

    /// A list, a number or a string.
    private static func appIDs(_ filters: BackEndBody) throws(TapPayFailure) -> [String] {
        guard let value = filters.value("app_id"), value.string != "" else { return [] }
        let elements = value.array ?? [value]
        let ids = elements.compactMap { $0.string ?? $0.numberText }
        guard ids.count == elements.count, ids.allSatisfy({ $0.utf8.count <= 20 }) else {
            throw TapPayFailure(.invalidFilterAppID, "app_id must be an app's number, or a list of them.")
        }
        return ids
    }

    /// By flags, as the vendor's Java library sends them; where none is set, all.
    private static func paymentMethods(_ filters: BackEndBody) throws(TapPayFailure) -> Set<String> {
        guard let flags = try filters.optionalObject("payment_type") else { return [] }
        let known = ["direct_pay", "apple_pay", "android_pay"]
        try flags.refuseOthers(than: Set(known), in: "filters > payment_type")
        var wanted: Set<String> = []
        for name in known where try flags.optionalBool(name, invalid: .wrongJSONFormat) == true { wanted.insert(name) }
        return wanted
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
        try cardholder.refuseOthers(
            than: ["phone_number", "name", "email", "member_id"], in: "filters > cardholder")
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
        try time.refuseOthers(than: ["start_time", "end_time"], in: "filters > \(name)")
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
        try amount.refuseOthers(than: ["upper_limit", "lower_limit"], in: "filters > amount")
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
            && self.tokenServiceProvider == nil && self.paymentMethods.isEmpty
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
        if let code = self.authCode, !(payment.authorization?.answer.authorizationCode).isExactly(code) { return false }
        if let id = self.cardIdentifier, TapPay.cardIdentifier(of: payment) != id { return false }
        if let tsp = self.tokenServiceProvider, payment.isPaidWithDeviceAccount != tsp { return false }
        if !self.paymentMethods.isEmpty, !self.paymentMethods.contains(payment.paymentMethod) { return false }
        if let id = self.bankTransactionID, !payment.label(LabelField.bankTransactionID).isExactly(id) { return false }
        if !self.merchantIDs.isEmpty, !self.merchantIDs.contains(payment.label(LabelField.merchantID) ?? "") {
            return false
        }
        if self.capturedFrom != nil || self.capturedThrough != nil {
            guard let capturedAt = payment.standingCapture?.occurredAt else { return false }
            if let from = self.capturedFrom, capturedAt < from { return false }
            if let through = self.capturedThrough, capturedAt > through { return false }
        }
        return self.labels.allSatisfy { payment.label($0.name).isExactly($0.value) }
    }
}

extension Payment {
    /// "apple_pay", or "direct_pay".
    var paymentMethod: String { self.label(LabelField.paymentMethod) ?? PublishedPrime.applePay.paymentMethod }

    /// Whether a card network's token service has made the number; the card of Direct Pay is typed.
    var isPaidWithDeviceAccount: Bool { self.paymentMethod == PublishedPrime.applePay.paymentMethod }
}
