//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The charset that the gateway declares: clients have recorded `application/json;charset=ISO-8859-1`, though JSON is
/// UTF-8 (RFC 8259, section 8.1). A name with an accent in an answer of that kind must not make it unreadable.
enum DeclaredCharset {
    /// Bytes as UTF-8. What is UTF-8 stays as it is, whatever was declared.
    static func utf8(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        guard contentType?.lowercased().contains("iso-8859-1") == true, String(validating: bytes, as: UTF8.self) == nil
        else { return bytes }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return Array(String(scalars).utf8)
    }
}
