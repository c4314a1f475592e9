//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding

/// The path of a route: literal segments and named parameters, "/order/{orderId}/transaction/{transactionId}".
///
/// A parameter takes exactly one segment that is not empty. Literal segments are compared as they are written: paths
/// are case-sensitive (RFC 3986, section 6.2.2.1).
public struct PathPattern: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    private enum Segment: Hashable {
        case literal(String)
        case parameter(String)
    }

    public let text: String
    private let segments: [Segment]
    private let takingNull: Set<String>

    /// - Parameter takingNull: the parameters that fit also where they hold U+0000, which no store takes: whoever reads
    ///   them says what is wrong.
    public init(_ text: String, takingNull: Set<String> = []) {
        self.text = text
        self.takingNull = takingNull
        self.segments = PathPattern.split(text).map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public var description: String { self.text }

    /// The parameters' values, percent-decoded, if the path fits.
    ///
    /// A parameter that is not valid percent-encoded UTF-8 (RFC 3986, section 2.1), or holds U+0000 and may not, fits
    /// nothing.
    public func match(_ path: String) -> RouteParameters? {
        self.match(PathPattern.split(path))
    }

    /// The same for a path that was split before: a server tries many patterns on one.
    func match(_ parts: [Substring]) -> RouteParameters? {
        guard parts.count == self.segments.count else { return nil }
        for case (.literal(let text), let part) in zip(self.segments, parts) {
            guard text.utf8.elementsEqual(part.utf8) else { return nil }
        }
        var values: [String: String] = [:]
        for case (.parameter(let name), let part) in zip(self.segments, parts) {
            guard !part.isEmpty, let value = PercentCoding.decoded(part),
                !value.utf8.contains(0) || self.takingNull.contains(name)
            else { return nil }
            values[name] = value
        }
        return RouteParameters(values: values)
    }

    /// "//a//b/" as "/a/b".
    static func mergingSlashes(_ path: String) -> String {
        // Nearly all are written right.
        guard path.utf8.last == UInt8(ascii: "/") || path.contains("//") else { return path }
        return self.split(path, mergesSlashes: true).joined(separator: "/")
    }

    /// By bytes: a solidus separates whatever stands beside it.
    ///
    /// - Parameter mergesSlashes: Whether what is empty between or after them is left out; what is before the first stays.
    static func split(_ path: String, mergesSlashes: Bool = false) -> [Substring] {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        return mergesSlashes ? parts.prefix(1) + parts.dropFirst().filter { !$0.isEmpty } : parts
    }
}

/// The values of a route's named parameters.
public struct RouteParameters: Hashable, Sendable {
    private let values: [String: String]

    public init(values: [String: String] = [:]) {
        self.values = values
    }

    public subscript(name: String) -> String? { self.values[name] }
}
