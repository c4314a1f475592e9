//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why the simulator can't do what it was asked to do. The message says what was wrong and what to do; it never
/// carries data.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { self.rawValue }

        public static let amountOutOfRange = Code(rawValue: "amount_out_of_range")
        public static let currencyMalformed = Code(rawValue: "currency_malformed")
        public static let signingTimeOutOfRange = Code(rawValue: "signing_time_out_of_range")
        public static let recipientKeyUnsupported = Code(rawValue: "recipient_key_unsupported")
        public static let recipientKeyDiffers = Code(rawValue: "recipient_key_differs")
        public static let contentKeyMalformed = Code(rawValue: "content_key_malformed")
        public static let requestMalformed = Code(rawValue: "request_malformed")
        public static let requestSignatureInvalid = Code(rawValue: "request_signature_invalid")
        public static let merchantIdentifierEmpty = Code(rawValue: "merchant_identifier_empty")
        public static let archiveIncomplete = Code(rawValue: "archive_incomplete")
        public static let archiveMalformed = Code(rawValue: "archive_malformed")
        public static let archiveInconsistent = Code(rawValue: "archive_inconsistent")
        public static let forgeryDoesNotApply = Code(rawValue: "forgery_does_not_apply")
        public static let sessionForged = Code(rawValue: "session_forged")
        public static let sessionExpired = Code(rawValue: "session_expired")
        public static let domainDiffers = Code(rawValue: "domain_differs")
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(self.code): \(self.message)" }
}
