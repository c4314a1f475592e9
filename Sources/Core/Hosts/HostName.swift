//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Names of hosts (RFC 1123, section 2.1), with the lengths of RFC 1035, section 2.3.4.
public enum HostName {
    /// Of the 255 bytes that a name may have, one stands before its first label and one is the root's.
    private static let bytesMax = 253
    private static let labelBytesMax = 63

    /// Letters, digits and hyphens, no hyphen at the ends. Capitals are as good as small letters.
    public static func isLabel(_ text: some StringProtocol) -> Bool {
        (1...self.labelBytesMax).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
            && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }

    /// Labels with dots between them: no scheme, no port, no path, no dot at an end. International names must be
    /// written in their ASCII form (RFC 5891).
    public static func isName(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= self.bytesMax
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { self.isLabel($0) }
    }

    /// What names and IPv4 addresses are written with: letters, digits, hyphens and dots.
    public static func isCharacter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
