//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

/// Ways to write one JSON object that say the same.
public enum JSONWriting: Sendable, CaseIterable {
    case plain
    /// The last field first.
    case backwards
    /// With line feeds, tabs and spaces wherever JSON lets them stand.
    case spread
    /// With fields that nobody knows, of every kind, before and behind.
    case withMore
    /// With numbers as texts, but for `status` and counts: some services' clients send and read them so.
    case numbersAsTexts
    /// As `text/html`, and with header fields of a proxy.
    case asAPage

    public var headers: [(name: String, value: String)] {
        switch self {
        case .asAPage: [("Content-Type", "text/html;charset=utf-8"), ("Via", "1.1 proxy"), ("X-Status", "10003")]
        case .spread: [("Content-Type", "application/json;charset=UTF-8")]
        case .plain, .backwards, .withMore, .numbersAsTexts: []
        }
    }

    public func text(_ json: JSON) -> String {
        switch self {
        case .plain, .asAPage: json.text(pretty: false)
        case .spread: "\r\n\t " + json.text(pretty: true).replacing("\n", with: " \r\n\t ") + " \r\n"
        case .backwards: JSON.object(JSONObject((json.object?.members ?? []).reversed())).text(pretty: false)
        case .withMore: Self.withMore(json).text(pretty: false)
        case .numbersAsTexts: Self.withTexts(json, isOutermost: true).text(pretty: false)
        }
    }

    private static func withMore(_ json: JSON) -> JSON {
        let before: [(name: String, value: JSON)] = [("version", .number("5.1")), ("trace", .null)]
        let behind: [(name: String, value: JSON)] = [
            ("affiliates", ["\u{7389}\u{5C71}", .bool(true), .number("-1E+400")]),
            ("more", ["amount": 1, "status": 91, "rec_trade_id": "D00000000000000", "paymentStatus": "FAILED"]),
        ]
        return .object(JSONObject(before + (json.object?.members ?? []) + behind))
    }

    private static func withTexts(_ json: JSON, isOutermost: Bool = false) -> JSON {
        switch json {
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map { member in
                        let stays = isOutermost && ["status", "number_of_transactions"].contains(member.name)
                        return (member.name, stays ? member.value : self.withTexts(member.value))
                    }))
        case .array(let elements): return .array(elements.map { self.withTexts($0) })
        case .number(let text): return .string(text)
        default: return json
        }
    }
}
