//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Payments
import Redaction

extension AuthorizeCommand {
    /// Refuses a payment whose texts have in them the number that it is paid with. Texts are kept and shown as they come, and
    /// a number is kept nowhere but sealed (PCI DSS, requirement 3.5.1).
    ///
    /// Only this number is known: of what follows a payment, and of others' numbers, nothing can be said.
    func checkTexts(against reading: InstrumentReading) throws(GatewayRefusal) {
        guard let number = reading.networkToken.flatMap({ KnownCardNumber($0.pan) }) else { return }
        if case .named(let name) = self.order, number.stands(in: name) { throw .cardNumberInText(.orderName) }
        let details = self.details
        if number.stands(in: details.orderReference) { throw .cardNumberInText(.orderName) }
        if number.stands(in: details.description) { throw .cardNumberInText(.description) }
        let labels = self.labels
        let texts = [
            labels.reference, labels.memo, labels.notifyURL, details.statementDescriptor, self.context.idempotency?.key,
        ]
        guard !texts.contains(where: number.stands(in:)),
            !labels.fields.values.contains(where: { number.stands(in: $0) }),
            !self.references.contains(where: { number.stands(in: $0.value) })
        else { throw .cardNumberInText(.other) }
    }
}

/// A card's number, to be looked for.
struct KnownCardNumber {
    private let digits: Redacted<[UInt8]>

    /// - Returns: `nil` for what is no card's number (ISO/IEC 7812-1): nearly every text has a few digits in it.
    init?(_ pan: Redacted<String>) {
        let digits = Array(pan.reveal().utf8)
        guard (12...19).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
        self.digits = Redacted(digits)
    }

    /// Whether it stands in a text, also with blanks, hyphens or line breaks between.
    func stands(in text: String?) -> Bool {
        guard let text else { return false }
        let number = self.digits.reveal()
        // Most texts are shorter, or have fewer digits, and cost no more than that.
        guard text.utf8.count >= number.count, text.utf8.count(where: ASCII.isDigit) >= number.count else {
            return false
        }
        let bytes = text.utf8.filter { !Self.isBetween($0) }
        guard bytes.count >= number.count else { return false }
        return (0...bytes.count - number.count).contains { bytes[$0...].starts(with: number) }
    }

    private static func isBetween(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
