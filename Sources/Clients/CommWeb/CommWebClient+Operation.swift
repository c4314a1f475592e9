//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension CommWebClient {
    /// What the gateway does with a transaction: the field `apiOperation` (Mastercard gateway, API reference).
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        case authorize = "AUTHORIZE"
        case pay = "PAY"
        case verify = "VERIFY"
        case capture = "CAPTURE"
        case refund = "REFUND"
        case updateAuthorization = "UPDATE_AUTHORIZATION"
        case void = "VOID"

        /// What `transaction.type` says of a transaction that it made.
        public var transactionTypes: Set<String> {
            switch self {
            case .authorize: ["AUTHORIZATION"]
            case .pay: ["PAYMENT"]
            case .verify: ["VERIFICATION"]
            case .capture: ["CAPTURE"]
            case .refund: ["REFUND"]
            case .updateAuthorization: ["AUTHORIZATION_UPDATE"]
            case .void: ["VOID_AUTHORIZATION", "VOID_CAPTURE", "VOID_PAYMENT", "VOID_REFUND"]
            }
        }
    }
}
