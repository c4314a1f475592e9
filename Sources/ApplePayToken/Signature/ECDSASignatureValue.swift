//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An ECDSA signature over P-256 in DER: SEQUENCE { INTEGER r, INTEGER s } (SEC 1, section C.5).
///
/// Read here because this is on the way of every token, and the general reader of swift-crypto takes as long for it as
/// all of the signature's other structure together.
enum ECDSASignatureValue {
    private static let coordinateLength = 32

    /// r and s with 32 bytes each, as `ECDSASignature(rawRepresentation:)` takes them; nil for what is not DER or too
    /// large.
    static func rawP256(_ der: ArraySlice<UInt8>) -> [UInt8]? {
        // Two integers of at most 33 bytes each: every length fits its short form.
        guard der.count >= 2, der.count <= 72, der[der.startIndex] == 0x30,
            Int(der[der.startIndex + 1]) == der.count - 2
        else { return nil }
        var raw: [UInt8] = []
        raw.reserveCapacity(2 * self.coordinateLength)
        var rest = der.dropFirst(2)
        for _ in 0..<2 {
            guard rest.count >= 2, rest[rest.startIndex] == 0x02 else { return nil }
            let length = Int(rest[rest.startIndex + 1])
            guard length >= 1, rest.count >= 2 + length else { return nil }
            var digits = rest.dropFirst(2).prefix(length)
            rest = rest.dropFirst(2 + length)
            guard digits[digits.startIndex] < 0x80 else { return nil }
            if digits[digits.startIndex] == 0 {
                // A leading zero stands only where the number would be negative without it.
                guard length > 1, digits[digits.startIndex + 1] >= 0x80 else { return nil }
                digits = digits.dropFirst()
            }
            guard digits.count <= self.coordinateLength else { return nil }
            raw.append(contentsOf: repeatElement(0, count: self.coordinateLength - digits.count))
            raw.append(contentsOf: digits)
        }
        return rest.isEmpty ? raw : nil
    }
}
