//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestUpstream

/// How an answer looks. All say the same.
enum AnswerForm: String, CaseIterable, Sendable {
    case plain
    /// As recorded in OmniPay-Payone's tests: `Text/Plain` without a charset, behind the fields of its web server.
    case recorded
    case windowsLines
    /// As in the recorded error, which has one between two of its lines.
    case blankLines
    /// PAYONE's plugin for plentymarkets reads values without the blanks around them.
    case blanksAroundValues
    case reversed
    case noLastLineEnd
    /// Fields of other payment methods and of later versions, and a line that is none.
    case moreFields
    /// Sentences in ISO-8859-1, as in TransactionStatus, whatever was asked for.
    case latin1
    case noContentType

    func approval(_ txid: String, settles: Bool) -> StubAnswer {
        var fields = [("status", "APPROVED"), ("txid", txid)]
        fields.append(settles ? ("settleaccount", "no") : ("userid", "86057923"))
        return self.answer(fields)
    }

    func error(_ code: Int) -> StubAnswer {
        self.answer([
            ("status", "ERROR"), ("errorcode", String(code)), ("errormessage", "Expiry date invalid"),
            ("customermessage", "Ung\u{FC}ltig. Please verify your card data."),
        ])
    }

    func answer(_ fields: [(String, String)]) -> StubAnswer {
        var fields = fields
        switch self {
        case .reversed: fields.reverse()
        case .moreFields:
            fields = [("protect_result_avs", "")] + fields + [("clearing_bankaccount", "a=b"), ("add_paydata[x]", "1")]
        default: break
        }
        let isPadded = self == .blanksAroundValues
        let lines = fields.map { isPadded ? "\($0.0)= \($0.1) \t" : "\($0.0)=\($0.1)" }
        var text =
            switch self {
            case .windowsLines: lines.map { $0 + "\r\n" }.joined()
            case .blankLines: "\n" + lines.map { $0 + "\n\n" }.joined()
            case .noLastLineEnd: lines.joined(separator: "\n")
            default: lines.map { $0 + "\n" }.joined()
            }
        if self == .moreFields { text += "no field at all\n" }
        var answer = StubAnswer(status: 200, body: text, headers: self.headers)
        if self == .latin1 { answer.bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
        return answer
    }

    private var headers: [(name: String, value: String)] {
        switch self {
        case .recorded:
            [
                ("Server", "Microsoft-IIS/6.0"), ("P3P", "CP=\"CUR\""), ("X-Powered-By", "ASP.NET"),
                ("Content-Type", "Text/Plain"), ("Set-Cookie", "ASPSESSIONIDSEHSCTTR=CIMGG; secure; path=/"),
                ("Cache-control", "private"),
            ]
        case .latin1: [("Content-Type", "text/plain; charset=ISO-8859-1")]
        case .noContentType: [("Content-Type", "")]
        default: [("Content-Type", "text/plain; charset=UTF-8")]
        }
    }
}
