//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments

/// A request of a merchant's server, ready to be sent again and again.
struct ShopRequest: Sendable {
    let key: String
    let kind: Payments.Operation.Kind
    let minorUnits: Int64?
    let method: String
    let path: String
    /// Made anew each time that the request is sent: signatures are of their moment.
    let headers: @Sendable () -> [(String, String)]
    let body: [UInt8]
    /// What an answer says; `nil` for one that says nothing definite.
    let read: @Sendable (_ status: UInt, _ body: String) -> ShopAnswer?
}

struct ShopAnswer: Sendable {
    let answer: Receipts.Answer
    /// What follow-ups name the payment by.
    var handle = ""
}

/// How a dialect captures.
enum CaptureStyle: Sendable {
    case inParts
    case atOnce
    /// The payment is captured with its authorization.
    case withAuthorization
}

/// How a dialect says what a shop wants.
protocol ShopLanguage: Sendable {
    var captures: CaptureStyle { get }
    /// What has to be asked for before the payment; `nil` where nothing has.
    /// - Parameter name: the order's, of letters and digits.
    func prepare(_ name: String, minorUnits: Int64) throws -> ShopRequest?
    /// - Parameter preparation: the handle of the answer to what was asked for before.
    func authorize(_ name: String, minorUnits: Int64, preparation: String) throws -> ShopRequest
    /// - Parameters:
    ///   - number: from 1, counting what succeeded.
    ///   - handle: of the authorization's answer.
    func capture(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest
    func refund(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest
    /// - Parameter capture: which capture is refunded, for dialects in which a refund names it; from 1.
    func refund(_ name: String, _ number: Int, ofCapture capture: Int, minorUnits: Int64, handle: String) -> ShopRequest
    /// - Parameter authorized: the amount of the authorization.
    func void(_ name: String, _ number: Int, authorized: Int64, handle: String) -> ShopRequest
}

extension ShopLanguage {
    var captures: CaptureStyle { .inParts }

    func prepare(_ name: String, minorUnits: Int64) throws -> ShopRequest? { nil }

    func refund(
        _ name: String, _ number: Int, ofCapture capture: Int, minorUnits: Int64, handle: String
    ) -> ShopRequest {
        self.refund(name, number, minorUnits: minorUnits, handle: handle)
    }
}

/// "10.99".
func decimalText(_ minorUnits: Int64) -> String {
    let cents = String(minorUnits % 100)
    return "\(minorUnits / 100)." + (cents.count < 2 ? "0" + cents : cents)
}
