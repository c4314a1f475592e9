//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@testable import Radial

extension XMLElement {
    /// The same tree with the element at a path changed, or taken out where the closure gives none.
    func changing(_ path: String, _ change: (XMLElement) -> [XMLElement]) -> XMLElement {
        let names = path.split(separator: "/", maxSplits: 1).map(String.init)
        guard let first = names.first else { return self }
        var copy = self
        copy.children = self.children.flatMap { child -> [XMLElement] in
            guard child.name == first else { return [child] }
            return names.count == 1 ? change(child) : [child.changing(names[1], change)]
        }
        return copy
    }

    func without(_ path: String) -> XMLElement { self.changing(path) { _ in [] } }

    func with(_ path: String, text: String) -> XMLElement {
        self.changing(path) { element in
            var changed = element
            changed.text = text
            changed.children = []
            return [changed]
        }
    }

    func with(_ path: String, attributes: [String: String]) -> XMLElement {
        self.changing(path) { element in
            var changed = XMLElement(name: element.name, namespace: element.namespace, attributes: attributes)
            changed.text = element.text
            changed.children = element.children
            return [changed]
        }
    }

    func twice(_ path: String) -> XMLElement { self.changing(path) { [$0, $0] } }

    func adding(_ name: String, to path: String, first: Bool = false) -> XMLElement {
        let added = XMLElement(name: name, namespace: XMLWriter.namespace, attributes: [:])
        guard !path.isEmpty else {
            var copy = self
            copy.children = first ? [added] + copy.children : copy.children + [added]
            return copy
        }
        return self.changing(path) { element in [element.adding(name, to: "", first: first)] }
    }
}
