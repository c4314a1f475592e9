//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What is written on operations, to answer and to notify from it.
enum LabelField {
    /// On every operation that a request made: its number within the payment process.
    static let sequenceNumber = "sequencenumber"
    /// On all but the authorization: what was asked for, and the how-manieth attempt under the number it is.
    static let digest = "digest"
    static let attempt = "attempt"
    /// The request's name.
    static let request = "request"
    // On the authorization:
    static let txid = "txid"
    static let userid = "userid"
    static let aid = "aid"
    static let customerID = "customerid"
    static let parameter = "param"
    /// The customer's, for messages of later requests.
    static let language = "language"
}

extension Operation {
    /// The number of the request that made the operation; a sale's capture and reversals have none.
    var sequenceNumber: Int? { self.labels.fields[LabelField.sequenceNumber].flatMap { Int($0) } }

    var attempt: Int { self.labels.fields[LabelField.attempt].flatMap { Int($0) } ?? 0 }

    /// Whether nothing has come of it, and nothing will.
    var hasFailed: Bool {
        switch self.state {
        case .failed: true
        case .pending, .unknown, .accepted, .succeeded: false
        }
    }
}

extension Payment {
    /// What stands on the authorization.
    func label(_ name: String) -> String? { self.authorization?.labels.fields[name] }

    /// Whether the merchant was answered ERROR to it, and not PENDING.
    ///
    /// An approval that cannot stand, of a part, is taken back in the same call; what was taken back later somebody had
    /// to ask for first.
    func wasDeclinedAtOnce(_ operation: Operation) -> Bool {
        guard operation.state == .failed(.reversed) else { return operation.hasFailed && operation.wasResolvedAtOnce }
        guard operation.inquiries == nil, let leftOpen = operation.leftOpenInVersion else { return false }
        // Begun with the approval's very answer, and acknowledged.
        return self.operations.contains {
            $0.kind == .reversal && $0.target == operation.id && $0.begunInVersion == leftOpen + 1
                && $0.state == .succeeded && $0.wasResolvedAtOnce
        }
    }
}
