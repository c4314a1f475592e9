//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a payment did not come about: a code of the documentation's table "iOS SDK Error Code", and its sentence.
struct TPDFailure: Error, Hashable, Sendable {
    let status: Int
    let message: String

    init(status: Int, message: String) {
        self.status = status
        self.message = message
    }

    init(_ code: Code) {
        self.init(status: code.rawValue, message: code.message)
    }

    /// The codes that the SDK raises itself; every other one of the table comes from the gateway and is passed
    /// through with the gateway's sentence. Each has one place that raises it.
    enum Code: Int, CaseIterable, Sendable {
        /// The app said so with `showPaymentResult(false)`. Not of the documentation's table, which has no code for
        /// it: the app knows its server's own.
        case reportedByApp = -1
        /// The answer is no JSON, or lacks what it must have.
        case wrongJSONFormat = 5
        /// The device has no Apple Pay, or refuses to show the sheet.
        case deviceNotSupported = 30
        /// No answer in time, no connection, or a proxy's 408, 502, 503 or 504.
        case gatewayTimeout = 421
        /// An HTTP status without an answer of the gateway's.
        case systemError = 915
        /// A proxy's HTTP status about certificates: 495, 496, 525, 526.
        case certificateServer = 1001
        /// No TLS connection.
        case certificateConnection = 1002
        /// The gateway's certificate is not trusted, not valid yet, or not any more.
        case certificateData = 1003
        /// `startPayment` before `TPDSetup.setWithAppId`.
        case notActivated = 88001
        /// The merchant, the consumer or the cart is missing, or something that every request needs.
        case lostParameter = 88003
        /// PassKit's token has no data, or none that is JSON.
        case noPaymentData = 88009
        /// The same in Apple's simulator, whose tokens never have any.
        case needsDevice = 88010
        case pendingItemInOrdinaryCart = 88012
        case amountAndTotalBothHidden = 88013
        case totalOfPendingItems = 88014
        case pendingItemNeedsPendingAmount = 88015
        case itemAmountZero = 88016
    }

    /// 1001, 1002 and a wrong country say in parentheses what happened.
    static func certificateServer(httpStatus: Int) -> TPDFailure {
        TPDFailure(
            status: Code.certificateServer.rawValue,
            message: "\(Code.certificateServer.message) (http status code: \(httpStatus))")
    }

    /// UK is reserved in ISO 3166-1, and no country's: PassKit shows no sheet for it, and does not say why.
    static let unitedKingdomIsGB = TPDFailure(
        status: Code.lostParameter.rawValue,
        message: "\(Code.lostParameter.message) (countryCode is not a country code (ISO 3166-1, two letters): "
            + "the United Kingdom is GB)")

    static func certificateConnection(exception: String) -> TPDFailure {
        TPDFailure(
            status: Code.certificateConnection.rawValue,
            message: "\(Code.certificateConnection.message) (exception message: \(exception))")
    }
}

extension TPDFailure.Code {
    /// The sentences as the documentation's table has them.
    var message: String {
        switch self {
        case .reportedByApp: "The app reported that the payment failed"
        case .wrongJSONFormat: "Wrong JSON format"
        case .deviceNotSupported: "Device not support"
        case .gatewayTimeout: "Gateway Timeout"
        case .systemError: "System error, please contact TapPay customer service"
        case .certificateServer: "Certificate server connection exception"
        case .certificateConnection: "Certificate local connection exception"
        case .certificateData: "Certificate data error"
        case .notActivated: "SDK Is Not Activate"
        case .lostParameter: "Lost Parameter"
        case .noPaymentData: "Can not obtain Apple Pay payment data"
        case .needsDevice: "Please Running on the Device"
        case .pendingItemInOrdinaryCart:
            "Invalid cart setting . While isAmountPending is false , it should not have pending item."
        case .amountAndTotalBothHidden: "isAmountPending and isShowTotalAmount couldn’t be false at the same time."
        case .totalOfPendingItems: "Total amount couldn’t be displayed if there is only pending items."
        case .pendingItemNeedsPendingAmount:
            "isAmountPending must be true if the amount of payment item is pending."
        case .itemAmountZero: "paymentItem amount could’t not be 0.00"
        }
    }
}
