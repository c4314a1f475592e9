//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON

/// Has the far end do what an operator asks for, under an account that it has been sent. It is answered with one finding
/// (``LinkFindings``).
struct LinkCommand: Hashable, Sendable {
    let number: UInt64
    let account: AcquirerAccountID
    let name: String

    var json: JSON {
        [
            "type": "command", "number": JSON(self.number), "account": .string(self.account.text),
            "command": .string(self.name),
        ]
    }
}

extension LinkCommand {
    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        self.account = try reader.id("account")
        self.name = try reader.text("command", bytesMax: 64)
        try reader.end()
    }
}

/// What the acquirer's process does itself, for whichever connector it serves. It is one for all accounts and all gateways.
enum LinkServerCommand: String, Hashable, Sendable, CaseIterable {
    case echo
    case signOff = "sign-off"
    case signOn = "sign-on"

    var command: ConnectorCommand {
        switch self {
        case .echo:
            ConnectorCommand(
                self.rawValue, "Measures how long the acquirer's process takes to answer, and says how it stands.")
        case .signOff:
            ConnectorCommand(
                self.rawValue,
                "The acquirer's process takes no more operations, of any account. What it has begun it ends; payments take "
                    + "their next route. Until it is signed on, over whatever restarts.",
                isDangerous: true)
        case .signOn: ConnectorCommand(self.rawValue, "The acquirer's process takes operations again.")
        }
    }
}
