//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// What has become of a refund, or of a void that gives captured money back, that was done under an approval.
extension Approval.Outcome {
    /// The acquirer has declined it, or done nothing with it; nothing was moved.
    public static let declined = "declined"
    /// The acquirer has it and decides later.
    public static let accepted = "accepted"
    /// Nobody knows yet. The operation's own end is found out as any other's.
    public static let unknown = "unknown"

    /// - Parameter operation: as it stood when the approval's act was over.
    init(of operation: Operation) {
        let code =
            switch operation.state {
            case .succeeded: Self.done
            case .accepted: Self.accepted
            case .pending, .unknown: Self.unknown
            case .failed: Self.declined
            }
        self.init(code: code, detail: operation.state.end(of: "it"), operationID: operation.id)
    }

    /// Whether what was asked for has come to nothing, or could not be done.
    var isFailure: Bool { ![Self.done, Self.accepted, Self.unknown].contains(self.code) }
}

extension Operation.State {
    /// What has become of an operator's act, in a sentence. There is none of what is done: what there is to say of it
    /// is the payment's.
    ///
    /// - Parameter act: what was to be done, within a sentence: "it", "the refund of 10.00 EUR".
    public func end(of act: String) -> String? {
        switch self {
        case .succeeded: nil
        case .accepted: "The acquirer has taken \(act) and decides later."
        case .pending, .unknown: "It is not known yet how \(act) ended, and it counts as done until it is."
        case .failed(.declined(let reason)):
            "The acquirer declined \(act): \(reason.rawValue.spaced). Nothing was moved."
        case .failed(.notProcessed(let reason)):
            "The acquirer has done nothing with \(act): \(reason.rawValue.spaced). Nothing was moved."
        case .failed(.reversed): "Nobody could know how \(act) ended, so it was taken back. Nothing is moved."
        }
    }
}

extension String {
    /// A name in camel case as words: "partiallyRefunded" is "partially refunded".
    public var spaced: String {
        self.reduce(into: "") { text, character in
            text += character.isUppercase ? " " + character.lowercased() : String(character)
        }
    }
}
