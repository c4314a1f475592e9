//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments

/// `capture`: of a part, of the rest, or of nothing, which cancels the reservation.
struct CaptureRequest: Sendable {
    let txid: String
    let sequenceNumber: Int?
    let action: FollowUpCommand.Action
    let currency: Currency
    let narrativeText: String?
    /// What the request is, besides its number: the same again is the same request.
    let digest: String

    /// - Parameter captureModeDefault: the account's, for clients that send no `capturemode`.
    init(
        reading form: ReceivedForm, captureModeDefault: PAYONE.CaptureMode?
    ) throws(PAYONEError) {
        let parameters = try form.checked(
            by: captureModeDefault == nil ? ParameterTables.capture : ParameterTables.captureWithoutMode)
        self.txid = try parameters.required("txid")
        self.sequenceNumber = try parameters.integer("sequencenumber").map { Int($0) }
        self.narrativeText = parameters["narrative_text"]
        let mode = parameters["capturemode"].flatMap(PAYONE.CaptureMode.init(rawValue:)) ?? captureModeDefault
        let isFinal = mode == .completed
        let amount = try WireAmount(reading: parameters)
        self.currency = amount.currency
        try SettleAccount.check(parameters)
        if amount.minorUnits == 0 {
            guard isFinal else {
                throw PAYONEError(
                    .partialCaptureOfZero, "{amount} 0 gives the reservation back: {capturemode} must be completed.")
            }
            self.action = .void(nil)
        } else {
            self.action = .capture(try amount.charge(), isFinal: isFinal)
        }
        self.digest = RequestDigest.text(of: [
            "capture", self.txid, String(amount.minorUnits), amount.currency.code,
            isFinal ? "completed" : "notcompleted",
            self.narrativeText ?? "",
        ])
    }
}

/// `debit` or `refund`, both of a negative amount.
struct RefundRequest: Sendable {
    let name: RequestName
    let txid: String
    let sequenceNumber: Int
    let amount: Money
    let narrativeText: String?
    let digest: String

    init(_ name: RequestName, reading form: ReceivedForm) throws(PAYONEError) {
        let parameters = try form.checked(by: ParameterTables.debit)
        guard let sequenceNumber = try parameters.integer("sequencenumber") else {
            throw PAYONEError(faulty: "sequencenumber", "is required")
        }
        self.name = name
        self.txid = try parameters.required("txid")
        self.sequenceNumber = Int(sequenceNumber)
        self.narrativeText = parameters["narrative_text"]
        self.amount = try WireAmount(reading: parameters).credit()
        try SettleAccount.check(parameters, .functionNotAvailable)
        self.digest = RequestDigest.text(of: [
            name.rawValue, self.txid, String(self.amount.minorUnits), self.amount.currency.code,
            self.narrativeText ?? "",
        ])
    }
}

/// `settleaccount`: whether the balance is settled at once.
enum SettleAccount: String, Sendable {
    case yes
    case no

    /// A booking that moves no money is not offered here, and must not move it unasked.
    ///
    /// - Parameter code: the parameter's for `nil`, where the page does not permit the value.
    static func check(_ parameters: CheckedParameters, _ code: ErrorCode? = nil) throws(PAYONEError) {
        guard parameters["settleaccount"] != SettleAccount.no.rawValue else {
            throw PAYONEError(
                faulty: "settleaccount",
                "must be yes or auto, or left out: bookings without settlement are not offered", code)
        }
    }
}

/// `genericpayment` with the action `init_applepay_session`.
struct SessionRequest: Sendable {
    let domainName: String
    let displayName: String?

    init(reading form: ReceivedForm) throws(PAYONEError) {
        let parameters = try form.checked(by: ParameterTables.session)
        self.domainName = try parameters.required("add_paydata[domain_name]")
        self.displayName = parameters["add_paydata[display_name]"]
    }
}
