//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import StrictJSON

/// `apiOperation`: what a request asks for.
enum APIOperation: String, CaseIterable, Hashable, Sendable {
    case authorize = "AUTHORIZE"
    case pay = "PAY"
    case verify = "VERIFY"
    case capture = "CAPTURE"
    case refund = "REFUND"
    case void = "VOID"
    case updateAuthorization = "UPDATE_AUTHORIZATION"
    case retrieveTransaction = "RETRIEVE_TRANSACTION"
    case retrieveOrder = "RETRIEVE_ORDER"
    case createSession = "CREATE_SESSION"
    case updateSession = "UPDATE_SESSION"
    case retrieveSession = "RETRIEVE_SESSION"
    case paymentOptionsInquiry = "PAYMENT_OPTIONS_INQUIRY"
    case checkGateway = "CHECK_GATEWAY"
}

extension APIOperation {
    /// What old mobile SDKs call `UPDATE_SESSION`.
    static let updatePayerDataName = "UPDATE_PAYER_DATA"

    /// Operations of the vendor's that this gateway has not: the error says that, and not that the client made a
    /// mistake.
    private static let foreignNames: Set<String> = [
        "AUTHENTICATE_PAYER", "BALANCE_INQUIRY", "CANCEL_AGREEMENT", "CREATE_CHECKOUT_SESSION", "DISBURSEMENT",
        "EXECUTE_REFUND_APPROVAL", "INITIATE_AUTHENTICATION", "INITIATE_BROWSER_PAYMENT", "INITIATE_CHECKOUT",
        "INITIATE_REFUND_APPROVAL", "REFERRAL", "REQUEST_REFUND", "REVERSE",
        "SUBMIT_BATCH", "TOKENIZE", "UPDATE_3DS_RESULT",
    ]

    /// Whether it makes a transaction of an order.
    var isTransaction: Bool {
        switch self {
        case .authorize, .pay, .verify, .capture, .refund, .void, .updateAuthorization: true
        case .retrieveTransaction, .retrieveOrder, .createSession, .updateSession, .retrieveSession,
            .paymentOptionsInquiry, .checkGateway:
            false
        }
    }

    var isOfSession: Bool { self == .updateSession || self == .retrieveSession }

    /// Reads the field `apiOperation`.
    init(reading fields: RequestFields) throws(CommWebError) {
        guard let name = try fields.text("apiOperation", max: 64) else { throw .missing("apiOperation") }
        if name == Self.updatePayerDataName {
            self = .updateSession
            return
        }
        guard let operation = APIOperation(exactly: name) else {
            guard Self.foreignNames.contains(name) else {
                throw CommWebError(.operationInvalid, Self.text(name), field: "apiOperation", .invalid)
            }
            throw CommWebError(
                .operationInvalid, "Value '\(name)' is not supported by this gateway.", field: "apiOperation",
                .unsupported)
        }
        self = operation
    }

    /// What is said of an operation that does not belong to the URL.
    static func misplaced(_ operation: APIOperation) -> CommWebError {
        CommWebError(
            .operationInvalid, "Value '\(operation.rawValue)' is invalid. The URL is not that of this operation.",
            field: "apiOperation", .invalid)
    }

    /// Repeats only what looks like an operation's name.
    private static func text(_ name: String) -> String {
        let isName = name.utf8.allSatisfy { ASCII.isCapital($0) || $0 == UInt8(ascii: "_") }
        return isName ? "Value '\(name)' is invalid." : "The value is no operation's name."
    }
}
