//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON

/// Names and values as a form, both ways: "order.amount=61.00&transaction.source=INTERNET".
enum NVPCodec {
    static let mediaType = "application/x-www-form-urlencoded"

    private static let limits = FormLimits(fieldsMax: 512, nameBytesMax: 256, valueBytesMax: CommWeb.bodyBytesMax)

    static func fields(of body: [UInt8], contentType: String?) throws(CommWebError) -> RequestFields {
        let form: FormFields
        do throws(FormError) {
            form = try FormFields(body: body, contentType: contentType, limits: self.limits)
        } catch {
            throw self.refusal(of: error)
        }
        guard let label = form.charset else { return try self.texts(of: form) }
        guard let charset = FormCharset(label: label) else {
            throw CommWebError(.mediaTypeNotSupported, "The charset of the form must be UTF-8 or ISO-8859-1.")
        }
        return try self.texts(of: form, as: charset)
    }

    /// The texts of a form that declares no charset: of all its fields the same one.
    private static func texts(of form: FormFields) throws(CommWebError) -> RequestFields {
        let isUTF8 = form.names.allSatisfy { name in
            form[name].map { String(validating: $0, as: UTF8.self) != nil } ?? true
        }
        return try self.texts(of: form, as: isUTF8 ? .utf8 : .latin1)
    }

    /// A name is shown only where the form's reader shows it: it may be anything.
    private static func refusal(of error: FormError) -> CommWebError {
        if case .mediaTypeNotSupported = error {
            return CommWebError(.mediaTypeNotSupported, "The Content-Type must be \(self.mediaType).")
        }
        guard case .repeatedField(let name) = error, error.description.contains(name) else {
            return CommWebError(.bodyMalformed, error.description)
        }
        return CommWebError(.fieldInvalid, error.description, field: name, .invalid)
    }

    private static func texts(of form: FormFields, as charset: FormCharset) throws(CommWebError) -> RequestFields {
        var leaves: [String: JSON] = [:]
        for name in form.names {
            do throws(FieldError) {
                leaves[name] = try form.text(name, as: charset).map(JSON.string)
            } catch {
                throw CommWebError(.bodyMalformed, "A field of the form is not text in \(charset.rawValue).")
            }
        }
        return RequestFields(leaves: leaves)
    }

    static func response(_ answer: Answer) -> WireResponse {
        WireResponse(
            status: answer.status, headers: [.contentType: "\(self.mediaType);charset=UTF-8"],
            body: self.body(of: answer.fields))
    }

    static func body(of fields: AnswerFields) -> [UInt8] {
        FormWriter.urlEncoded(fields.sorted.flatMap { self.pairs($0.path, $0.value) })
    }

    /// Members of an object are joined with a dot, elements of a list are numbered from 0: "transaction[0].result".
    private static func pairs(_ name: String, _ value: JSON) -> [(name: String, value: String)] {
        switch value {
        case .null: []
        case .bool(let flag): [(name, flag ? "true" : "false")]
        case .number(let text), .string(let text): [(name, text)]
        case .array(let elements):
            elements.enumerated().flatMap { self.pairs("\(name)[\($0.offset)]", $0.element) }
        case .object(let object): object.members.flatMap { self.pairs("\(name).\($0.name)", $0.value) }
        }
    }
}
