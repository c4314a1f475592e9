//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a document is not read. Carries nothing of it but the place.
struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Code: String, Hashable, Sendable, CaseIterable {
        // Limits of this reader.
        case tooLarge, tooDeep, tooManyElements, tooManyAttributes, nameTooLong
        // Parts of XML that this reader refuses.
        case documentType, processingInstruction, unknownEntity, encodingNotSupported, versionNotSupported
        // What is no XML.
        case notUTF8, characterNotAllowed, declarationMalformed, nameMalformed, tagMalformed, attributeMalformed
        case duplicateAttribute, referenceMalformed, commentMalformed, sectionMalformed, endTagDiffers
        case namespaceMalformed, noRootElement, contentAfterRoot, endsEarly
    }

    let code: Code
    /// The byte at which it was noticed, from 0.
    let offset: Int

    init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    var description: String { "\(self.problem) (byte \(self.offset))" }

    private var problem: String {
        switch self.code {
        case .tooLarge: "the document is too large"
        case .tooDeep: "elements stand too deep in one another"
        case .tooManyElements: "there are too many elements"
        case .tooManyAttributes: "an element has too many attributes"
        case .nameTooLong: "a name is too long"
        case .documentType: "a document type declaration is not allowed"
        case .processingInstruction: "a processing instruction is not allowed"
        case .unknownEntity: "an entity is not one of lt, gt, amp, apos and quot"
        case .encodingNotSupported: "the encoding must be UTF-8"
        case .versionNotSupported: "the XML version must be 1.0"
        case .notUTF8: "the bytes are not UTF-8"
        case .characterNotAllowed: "a character is not allowed in XML"
        case .declarationMalformed: "the XML declaration is malformed"
        case .nameMalformed: "a name is malformed"
        case .tagMalformed: "a tag is malformed"
        case .attributeMalformed: "an attribute is malformed"
        case .duplicateAttribute: "an attribute stands twice in an element"
        case .referenceMalformed: "a character reference is malformed"
        case .commentMalformed: "a comment is malformed"
        case .sectionMalformed: "a CDATA section is malformed"
        case .endTagDiffers: "an end tag does not fit its start tag"
        case .namespaceMalformed: "a namespace declaration is malformed, or a prefix is not declared"
        case .noRootElement: "there is no root element"
        case .contentAfterRoot: "something follows the root element"
        case .endsEarly: "the document ends too early"
        }
    }
}
