//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Payments
import StrictJSON

/// Asks the far end to check an account that it has been sent: its connector is the one that reaches the acquirer.
struct LinkCheck: Hashable, Sendable {
    let number: UInt64
    let account: AcquirerAccountID

    var json: JSON { ["type": "check", "number": JSON(self.number), "account": .string(self.account.text)] }
}

extension LinkCheck {
    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        self.account = try reader.id("account")
        try reader.end()
    }
}

/// What the check of an account has found.
struct LinkFindings: Hashable, Sendable {
    /// Of the check.
    let number: UInt64
    let findings: [ConnectorFinding]

    /// More than any connector has to say of an account.
    private static let findingsMax = 64
    private static let textBytesMax = 2048

    /// What was found is shown on an operator's terminal.
    var json: JSON {
        let findings = self.findings.prefix(Self.findingsMax).map { finding -> JSON in
            [
                "subject": .string(ForeignText.line(finding.subject, bytesMax: 256)), "isGood": .bool(finding.isGood),
                "text": .string(ForeignText.line(finding.text, bytesMax: Self.textBytesMax)),
            ]
        }
        return ["type": "checked", "number": JSON(self.number), "findings": .array(findings)]
    }

    fileprivate static func isLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: ForeignText.isObeyed)
    }
}

extension LinkFindings {
    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        let readers = try reader.readers("findings")
        guard readers.count <= Self.findingsMax else { throw LinkViolation("too_many_findings") }
        var findings: [ConnectorFinding] = []
        for var reader in readers {
            let subject = try reader.text("subject")
            let isGood = try reader.flag("isGood")
            let text = try reader.text("text", bytesMax: Self.textBytesMax)
            guard Self.isLine(subject), Self.isLine(text) else { throw LinkViolation("bad_text") }
            try reader.end()
            findings.append(ConnectorFinding(subject, isGood: isGood, text))
        }
        self.findings = findings
        try reader.end()
    }
}

extension LinkAccountRefusal {
    /// What a check of an account finds that is not served.
    var finding: ConnectorFinding {
        let text =
            switch self {
            case .missing, .unknown: "The acquirer's process has not been sent the account: ask again."
            case .refused: "The acquirer's process does not open the account: its log says why."
            case .differs:
                "The acquirer's process finds that the account can do something else than this gateway believes: run the same "
                    + "version on both ends."
            case .notProtected: "\(ConnectorError.linkNotProtected)"
            }
        return ConnectorFinding("account", isGood: false, text)
    }
}

extension LinkFailure {
    /// What a check finds that is not answered.
    var finding: ConnectorFinding {
        let text =
            switch self {
            case .refused:
                "Who answers at the acquirer's address has another secret, version or book, or is another acquirer: compare "
                    + "both ends."
            case .unreachable, .closed:
                "Nobody answers at the acquirer's address: start pomona acquirer, or correct acquirer.address."
            case .signedOff:
                "The acquirer's process is signed off and takes no operations: have it sign on (pomona acquirer do … sign-on)."
            case .busy: "The acquirer's process has too many calls under way: ask again."
            case .requestTooLarge: "The account is larger than the link carries: shorten its settings."
            case .connectionLost, .deadlinePassed, .garbledAnswer, .cancelled:
                "The acquirer's process has not answered the check (\(self.rawValue)): ask again, and see its log."
            }
        return ConnectorFinding("link", isGood: false, text)
    }
}
