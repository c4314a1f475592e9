//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes

/// The form of a request, with its charset.
struct ReceivedForm: Sendable {
    /// Baskets have six parameters for each article.
    static let limits = FormLimits(
        fieldsMax: 4096, nameBytesMax: 128, valueBytesMax: 64 * 1024, partHeaderBytesMax: 2048)

    private let fields: FormFields
    let charset: FormCharset

    init(_ request: WireRequest) throws(PAYONEError) {
        if let problem = request.contentCodingProblem { throw PAYONEError(.formMalformed, problem) }
        do throws(FormError) {
            self.fields = try FormFields(
                body: request.body, contentType: request.headers[.contentType], limits: Self.limits)
        } catch {
            throw PAYONEError(.formMalformed, error.description)
        }
        self.charset = try Self.charset(of: self.fields)
    }

    /// The parameter `encoding`; without it the Content-Type's charset; without that ISO-8859-1, which is the platform's
    /// own.
    private static func charset(of fields: FormFields) throws(PAYONEError) -> FormCharset {
        guard let bytes = fields["encoding"], !bytes.isEmpty else {
            guard let label = fields.charset, !label.isEmpty else { return .latin1 }
            // Read in another charset, the text would be another one.
            guard let charset = FormCharset(label: label) else {
                throw PAYONEError(
                    faulty: "encoding", "is left out, and the Content-Type's charset is not UTF-8 or ISO-8859-1")
            }
            return charset
        }
        switch Latin1.text(bytes).uppercased() {
        case "UTF-8": return .utf8
        case "ISO-8859-1": return .latin1
        default: throw PAYONEError(faulty: "encoding", "must be UTF-8 or ISO-8859-1")
        }
    }

    /// A parameter's value; `nil` if it is left out or empty.
    func text(_ name: String) throws(PAYONEError) -> String? {
        do throws(FieldError) {
            let text = try self.fields.text(name, as: self.charset)
            return text?.isEmpty == true ? nil : text
        } catch {
            throw PAYONEError(faulty: name, error.problem, .charactersInvalid)
        }
    }

    /// The same, where it does not matter whether it can be read.
    func readableText(_ name: String) -> String? { try? self.text(name) }
}
