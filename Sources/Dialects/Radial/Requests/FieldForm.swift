//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Hosts
import Money

/// How an element must look.
enum FieldForm: Hashable, Sendable {
    /// Elements, and no text. An open type takes elements that its table does not name (xsd:any).
    case complex(isOpen: Bool)
    /// Elements of any kind, or text: not looked at.
    case anything
    /// So many characters.
    case text(ClosedRange<Int>)
    /// So many characters, not all of them blank: "a blank AddressLine element will fail validation".
    case filledText(ClosedRange<Int>)
    /// Base64 or hexadecimal digits, in which white space does not count; the gateway looks at what they say.
    case encoded
    /// A dotted quad (RFC 791): "208.247.73.130".
    case ipv4
    /// `([0-9]+\.)*[0-9]+`.
    case schemaVersion
    /// xsd:boolean: true, false, 1, 0.
    case boolean
    /// A boolean that some clients leave empty for false.
    case flag
    /// A positive decimal of at most two places, or as many as the currency has, with @currencyCode.
    case amount
    /// The same, or zero.
    case amountOrZero
    /// A PAN or its token, 1 to 22 characters, with @isToken.
    case account
    /// `20YY-MM`.
    case yearMonth
    /// An electronic commerce indicator: one or two digits, or nothing.
    case eci
    /// Three or four digits, or nothing.
    case securityCode
    case oneOf([String])
}

extension FieldForm {
    /// What is wrong with an element, as the end of a sentence; `nil` if nothing is.
    func problem(of element: XMLElement) -> String? {
        switch self {
        case .complex: return XMLText.isBlank(element.text) ? nil : "must contain elements and no text"
        case .anything: return nil
        default: break
        }
        guard element.children.isEmpty else { return "must contain text and no elements" }
        return self.isMet(by: element) ? nil : self.requirement
    }

    private func isMet(by element: XMLElement) -> Bool {
        let text = element.text
        switch self {
        case .complex, .anything: return true
        case .text(let length): return length.contains(text.unicodeScalars.count)
        case .filledText(let length): return length.contains(text.unicodeScalars.count) && !XMLText.isBlank(text)
        case .encoded: return XMLText.isEncoded(text)
        case .ipv4: return IPAddress(text)?.isIPv6 == false
        case .schemaVersion: return SchemaVersion(text) != nil
        case .boolean: return XMLText.boolean(text) != nil
        case .flag: return XMLText.boolean(text) != nil || XMLText.isBlank(text)
        case .amount: return WireAmount.money(element).map(\.isPositive) ?? false
        case .amountOrZero: return WireAmount.money(element) != nil
        case .account:
            let isToken = element.attributes["isToken"].flatMap(XMLText.boolean)
            return (1...22).contains(text.unicodeScalars.count) && !XMLText.isBlank(text) && isToken != nil
        case .yearMonth: return XMLText.isYearMonth(text)
        case .eci: return text.isEmpty || ASCII.isDigits(text, 1...2)
        case .securityCode: return text.isEmpty || ASCII.isDigits(text, 3...4)
        case .oneOf(let words): return words.contains(XMLText.collapsed(text))
        }
    }

    private var requirement: String {
        switch self {
        case .complex, .anything: ""
        case .text(let length): "must have \(Self.words(length)) characters"
        case .filledText(let length): "must have \(Self.words(length)) characters and not be blank"
        case .encoded: "must be base64 or hexadecimal"
        case .ipv4: "must be an IPv4 address, for example 192.0.2.7"
        case .schemaVersion: "must be numbers with dots between them, for example 1.2"
        case .boolean, .flag: "must be true or false"
        case .amount:
            "must be a positive decimal of at most two places, or as many as the currency has, for example 4.75, "
                + "with a currencyCode of ISO 4217"
        case .amountOrZero:
            "must be a decimal of at most two places, or as many as the currency has, with a currencyCode of ISO 4217"
        case .account: "must have 1 to 22 characters and an attribute isToken that is true or false"
        case .yearMonth: "must be a year and a month of this century, for example 2030-03"
        case .eci: "must be one or two digits, or be empty"
        case .securityCode: "must be three or four digits, or be empty"
        case .oneOf(let words): "must be " + words.joined(separator: " or ")
        }
    }

    private static func words(_ length: ClosedRange<Int>) -> String {
        length.lowerBound == 0 ? "at most \(length.upperBound)" : "\(length.lowerBound) to \(length.upperBound)"
    }
}
