//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestProcesses
import Testing

@testable import Radial

/// Judges documents by docs/dialects/radial.xsd: the parts of XML Schema 1.0 that it uses (named types, sequences,
/// choices, simple restrictions, attributes, foreign elements).
struct Schema {
    struct Unsupported: Error, CustomStringConvertible {
        let description: String
    }

    static let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../../../docs/dialects/radial.xsd").standardizedFileURL

    private let elements: [String: String]
    private let types: [String: XMLElement]

    init() throws {
        let bytes = try Data(contentsOf: Self.file)
        let root = try XMLReader.read(Array(bytes), limits: XMLLimits(elementsMax: 5000))
        self.elements = Dictionary(
            uniqueKeysWithValues: root.children.filter { $0.name == "element" }.map {
                ($0.attributes["name"] ?? "", $0.attributes["type"] ?? "")
            })
        self.types = Dictionary(
            uniqueKeysWithValues: root.children.filter { $0.name.hasSuffix("Type") }.map {
                ($0.attributes["name"] ?? "", $0)
            })
    }

    /// The values of an enumerated type.
    func words(of type: String) -> [String] {
        let restriction = self.types[type]?.child("restriction")
        return restriction?.children.filter { $0.name == "enumeration" }.compactMap { $0.attributes["value"] } ?? []
    }

    /// What is wrong with a document: nothing if it is valid.
    func problems(_ bytes: [UInt8]) throws -> [String] {
        let root = try XMLReader.read(bytes)
        guard root.namespace == Sample.namespace, let type = self.elements[root.name] else {
            return ["\(root.name) is no message"]
        }
        return try self.problems(root, type, path: root.name)
    }

    private func problems(_ element: XMLElement, _ typeName: String, path: String) throws -> [String] {
        guard let type = self.types[typeName], type.name == "complexType" else {
            let attributes = element.attributes.keys.map { "\(path)/@\($0) is too much" }
            let children = element.children.isEmpty ? [] : ["\(path) has elements"]
            return attributes + children + (try self.textProblems(element.text, typeName, path: path))
        }
        if let content = type.child("simpleContent")?.child("extension") {
            let text = try self.textProblems(element.text, content.attributes["base"] ?? "", path: path)
            return text + (try self.attributeProblems(element, content, path: path))
        }
        var problems = try self.attributeProblems(element, type, path: path)
        if !element.text.utf8.allSatisfy(XMLCharacters.isWhiteSpace) { problems.append("\(path) has text") }
        guard let sequence = type.child("sequence") else { return problems }
        var remaining = element.children[...]
        guard try self.takes(sequence, &remaining, path: path, &problems) else {
            return problems + ["\(path) lacks something"]
        }
        if let next = remaining.first { problems.append("\(path)/\(next.name) stands where it may not") }
        return problems
    }

    /// Takes what a particle describes from the front of the elements; `false` if it must stand and does not.
    private func takes(
        _ particle: XMLElement, _ elements: inout ArraySlice<XMLElement>, path: String, _ problems: inout [String]
    ) throws -> Bool {
        let least = particle.attributes["minOccurs"].flatMap(Int.init) ?? 1
        let most = particle.attributes["maxOccurs"].map { Int($0) ?? Int.max } ?? 1
        switch particle.name {
        case "sequence":
            for child in particle.children {
                guard try self.takes(child, &elements, path: path, &problems) else { return false }
            }
            return true
        case "choice":
            for child in particle.children {
                var (attempt, found) = (elements, problems)
                guard try self.takes(child, &attempt, path: path, &found) else { continue }
                (elements, problems) = (attempt, found)
                return true
            }
            return false
        case "element", "any":
            var count = 0
            while count < most, let next = elements.first, Self.fits(next, particle) {
                if particle.name == "element" {
                    let type = particle.attributes["type"] ?? ""
                    problems += try self.problems(next, type, path: "\(path)/\(next.name)")
                }
                elements = elements.dropFirst()
                count += 1
            }
            return count >= least
        default: throw Unsupported(description: particle.name)
        }
    }

    private static func fits(_ element: XMLElement, _ particle: XMLElement) -> Bool {
        particle.name == "any"
            ? element.namespace != Sample.namespace
            : element.namespace == Sample.namespace && element.name == particle.attributes["name"]
    }

    private func attributeProblems(_ element: XMLElement, _ type: XMLElement, path: String) throws -> [String] {
        var problems: [String] = []
        var known: Set<String> = []
        for attribute in type.children where attribute.name == "attribute" {
            let name = attribute.attributes["name"] ?? ""
            known.insert(name)
            guard let value = element.attributes[name] else {
                if attribute.attributes["use"] == "required" { problems.append("\(path)/@\(name) is missing") }
                continue
            }
            problems += try self.textProblems(value, attribute.attributes["type"] ?? "", path: "\(path)/@\(name)")
        }
        return problems + element.attributes.keys.filter { !known.contains($0) }.map { "\(path)/@\($0) is too much" }
    }

    private func textProblems(_ text: String, _ typeName: String, path: String) throws -> [String] {
        switch typeName {
        case "xsd:string": return []
        case "xsd:boolean": return ["true", "false", "1", "0"].contains(text) ? [] : ["\(path) is no boolean"]
        case "xsd:decimal": return text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?/) != nil ? [] : ["\(path) is no decimal"]
        case "xsd:dateTime":
            let isTime = text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z/) != nil
            return isTime ? [] : ["\(path) is no dateTime"]
        default: break
        }
        guard let restriction = self.types[typeName]?.child("restriction") else {
            throw Unsupported(description: typeName)
        }
        var problems = try self.textProblems(text, restriction.attributes["base"] ?? "", path: path)
        let words = self.words(of: typeName)
        if !words.isEmpty, !words.contains(text) { problems.append("\(path) is none of the words") }
        for facet in restriction.children {
            let value = facet.attributes["value"] ?? ""
            let isMet =
                switch facet.name {
                case "enumeration": true
                case "minLength": text.unicodeScalars.count >= Int(value) ?? Int.max
                case "maxLength": text.unicodeScalars.count <= Int(value) ?? -1
                case "minInclusive": value == "0" && !text.hasPrefix("-")
                case "pattern": try text.wholeMatch(of: Regex(value)) != nil
                default: throw Unsupported(description: facet.name)
                }
            if !isMet { problems.append("\(path) breaks \(facet.name)") }
        }
        return problems
    }
}

/// libxml2's own judgement, by its `xmllint`, which script/bootstrap installs.
enum XMLLint {
    static let path = ["/usr/bin/xmllint", "/usr/local/bin/xmllint"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What it says of documents that are not valid; "" if all are.
    static func complaints(_ documents: [[UInt8]]) throws -> String {
        let path = try #require(self.path, "xmllint is not installed (libxml2-utils)")
        let folder = FileManager.default.temporaryDirectory.appending(path: "radial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try documents.enumerated().map { index, bytes in
            let file = folder.appending(path: "\(index).xml")
            try Data(bytes).write(to: file)
            return file.path
        }
        let lint = Command([path, "--nonet", "--noout", "--schema", Schema.file.path] + files)
        let outcome = try lint.runBlocking()
        guard outcome.status != 0 else { return "" }
        // The paths are of this run; the last part of each says which document it was.
        return outcome.errorsText.replacing(folder.path + "/", with: "")
    }
}
