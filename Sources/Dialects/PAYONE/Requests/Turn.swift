//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Which request of a payment process this is.
///
/// The number is one more than that of the last request; only the first capture may leave it out. The same request under
/// the same number is the same request, and gets the same answer. Shops count what succeeded: the number of a request
/// that was declined may be used again, for another request or to try the same once more.
struct Turn: Hashable, Sendable {
    /// "permitted values 0..127".
    static let numberMax = 127

    let number: Int
    /// How many requests with this number have failed before.
    let attempt: Int
    /// Whether this has been asked before.
    let isRepeat: Bool

    /// - Parameters:
    ///   - number: as it was sent; `nil` if it was left out.
    ///   - digest: what is asked for.
    init(_ number: Int?, digest: String, in payment: Payment, isCapture: Bool) throws(PAYONEError) {
        let requests = payment.operations.filter { $0.sequenceNumber != nil }
        let lastDone = requests.filter { !$0.hasFailed }.compactMap(\.sequenceNumber).max() ?? 0
        // The first request is the one that may have left its number out.
        let same = requests.first {
            $0.sequenceNumber == number ?? 1 && $0.labels.fields[LabelField.digest] == digest
                && !payment.wasDeclinedAtOnce($0)
        }
        if let same {
            try Self.check(same, number)
            self.number = number ?? 1
            self.attempt = same.attempt
            self.isRepeat = true
            return
        }
        guard lastDone < Self.numberMax else { throw PAYONEError(.actionsTooMany) }
        guard number != nil || isCapture && !requests.contains(where: { $0.kind == .capture && !$0.hasFailed }) else {
            throw PAYONEError(faulty: "sequencenumber", "is required from the second capture on")
        }
        // Something else may have been done before the first capture: the reservation given back.
        let asked = number ?? lastDone + 1
        let earlier = requests.filter { $0.sequenceNumber == asked }
        guard asked > 0, earlier.allSatisfy(\.hasFailed) else { throw PAYONEError.sequenceNumberUsed }
        let lastSeen = requests.compactMap(\.sequenceNumber).max() ?? 0
        guard (lastDone + 1...lastSeen + 1).contains(asked) else {
            throw PAYONEError(
                .sequenceNumberIncorrect,
                "{sequencenumber} must be \(lastDone + 1), one more than that of the last request.")
        }
        self.number = asked
        self.attempt = earlier.count
        self.isRepeat = false
    }

    /// Without a number, another capture like the first looks like the first sent again. It must not be answered as
    /// done.
    ///
    /// - Parameters:
    ///   - same: what would be answered again.
    ///   - number: as it was sent.
    static func check(_ same: Operation, _ number: Int?) throws(PAYONEError) {
        guard number == nil, same.kind == .capture, same.state == .succeeded, !same.isFinalCapture else { return }
        throw PAYONEError(
            faulty: "sequencenumber",
            "is required from the second capture on; \(same.sequenceNumber ?? 1) has the first one's answer again")
    }
}

extension Payment {
    /// The number that comes after those of what was done, and how many requests with it have failed.
    var nextTurn: (number: Int, attempt: Int) {
        let requests = self.operations.filter { $0.sequenceNumber != nil }
        let number = (requests.filter { !$0.hasFailed }.compactMap(\.sequenceNumber).max() ?? 0) + 1
        return (number, requests.count { $0.sequenceNumber == number })
    }
}

extension PAYONEError {
    static let sequenceNumberUsed = PAYONEError(
        .sequenceNumberIncorrect,
        "{sequencenumber} was used for another request. Use one more than that of the last request.")
}
