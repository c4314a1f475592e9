//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Elements under each other. Reads what this program's own XML dialect writes, and shows anything else as it is.
enum XMLText {
    /// - Parameter hiding: what stands in the place of an element's text; `nil` for one that may be seen.
    static func indented(_ xml: String, hiding: (String) -> String?) -> String {
        var lines: [String] = []
        var depth = 0
        var rest = xml[...]
        while let open = rest.firstIndex(of: "<") {
            guard let close = rest[open...].firstIndex(of: ">") else { break }
            let tag = rest[open...close]
            rest = rest[rest.index(after: close)...]
            func add(_ text: String) { lines.append(String(repeating: "  ", count: max(0, depth)) + text) }
            if tag.hasPrefix("<?") || tag.hasPrefix("<!") {
                add(String(tag))
            } else if tag.hasPrefix("</") {
                depth -= 1
                add(String(tag))
            } else if tag.hasSuffix("/>") {
                add(String(tag))
            } else {
                let name = tag.dropFirst().prefix { $0 != " " && $0 != ">" && $0 != "\n" }
                // An element with nothing but a text goes on one line.
                if let next = rest.firstIndex(of: "<"), rest[next...].hasPrefix("</\(name)>") {
                    let text = rest[..<next]
                    let hidden = text.isEmpty ? nil : hiding(Self.localName(name))
                    add("\(tag)\(hidden ?? String(text))</\(name)>")
                    rest = rest[rest.index(next, offsetBy: name.count + 3)...]
                } else {
                    add(String(tag))
                    depth += 1
                }
            }
        }
        return lines.isEmpty ? Scrubber.mark : lines.joined(separator: "\n")
    }

    private static func localName(_ name: Substring) -> String {
        String(name.split(separator: ":").last ?? name)
    }
}
