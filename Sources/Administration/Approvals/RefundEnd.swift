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
        let (code, detail): (String, String?) =
            switch operation.state {
            case .succeeded: (Self.done, nil)
            case .accepted: (Self.accepted, "The acquirer has taken it and decides later.")
            case .pending, .unknown:
                (Self.unknown, "It is not known yet how it ended, and it counts as done until it is.")
            case .failed(.declined(let reason)):
                (Self.declined, "The acquirer declined it: \(reason.rawValue.spaced). Nothing was moved.")
            case .failed(.notProcessed(let reason)):
                (Self.declined, "The acquirer has done nothing with it: \(reason.rawValue.spaced). Nothing was moved.")
            case .failed(.reversed):
                (Self.declined, "Nobody could know how it ended, so it was taken back. Nothing is moved.")
            }
        self.init(code: code, detail: detail, operationID: operation.id)
    }

    /// Whether what was asked for has come to nothing, or could not be done.
    var isFailure: Bool { ![Self.done, Self.accepted, Self.unknown].contains(self.code) }
}

extension String {
    /// A name in camel case as words: "partiallyRefunded" is "partially refunded".
    public var spaced: String {
        self.reduce(into: "") { text, character in
            text += character.isUppercase ? " " + character.lowercased() : String(character)
        }
    }
}
