//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Prometheus' text format, version 0.0.4 (prometheus.io, "Exposition formats").
enum PrometheusText {
    /// What the page is sent as.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// A name of letters, digits, "_" and ":" that does not begin with a digit; whatever else is in the label becomes
    /// "_".
    static func metricName(_ label: String, suffix: String) -> String {
        let name = self.name(label, allowsColon: true)
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    /// The labels as they stand between the braces, sorted by name, so that the same labels give the same text.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { (self.name($0.0, allowsColon: false), self.escapedValue($0.1)) }
            .sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\"\($0.1)\"" }
            .joined(separator: ",")
    }

    static func sample(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    /// A number as Go's ParseFloat reads it; whole ones without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value) { return String(whole) }
        return "\(value)"
    }

    /// In a help text, the line feed and the reverse solidus are escaped.
    static func escapedHelp(_ text: String) -> String {
        self.escaped(text, quotes: false)
    }

    /// In a label value, the quotation mark too.
    static func escapedValue(_ text: String) -> String {
        self.escaped(text, quotes: true)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let isSpecial = { (byte: UInt8) in
            byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\n") || (quotes && byte == UInt8(ascii: "\""))
        }
        // Labels are written for every request, and hardly any has something to escape.
        guard !ASCII.isWholly(text, { !isSpecial($0) }) else { return text }
        var output: [UInt8] = []
        for byte in text.utf8 {
            if isSpecial(byte) { output.append(UInt8(ascii: "\\")) }
            output.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: "n") : byte)
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func name(_ text: String, allowsColon: Bool) -> String {
        var name = String(
            decoding: text.utf8.map { byte in
                switch byte {
                case _ where ASCII.isAlphanumeric(byte): byte
                case UInt8(ascii: ":") where allowsColon: byte
                default: UInt8(ascii: "_")
                }
            }, as: UTF8.self)
        if name.utf8.first.map(ASCII.isDigit) ?? true { name = "_" + name }
        return name
    }
}
