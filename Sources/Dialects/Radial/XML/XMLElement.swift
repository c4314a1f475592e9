//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// One element of a document that has been read.
///
/// What prints, interpolates or mirrors an element shows its name and nothing of its content: that may be a card.
struct XMLElement: Sendable {
    /// The name without its prefix.
    let name: String
    /// The namespace that the name is in (Namespaces in XML 1.0, section 6); `nil` if it is in none.
    let namespace: String?
    /// The attributes without a prefix; prefixed ones (`xsi:schemaLocation`) say nothing here and are left out.
    let attributes: [String: String]
    var children: [XMLElement] = []
    /// The character data directly in it, with references and CDATA sections resolved.
    var text = ""

    /// The child of that name in this element's own namespace. One of the same name in another is something else: an
    /// open type takes it unread (Namespaces in XML 1.0, section 1).
    func child(_ name: String) -> XMLElement? {
        // By their places: to look at an element is not to copy it.
        let index = self.children.indices.first {
            self.children[$0].name.isExactly(name) && self.children[$0].namespace == self.namespace
        }
        return index.map { self.children[$0] }
    }

    /// The element at a path of names below this one: "BillingAddress/Line1".
    func descendant(_ path: String) -> XMLElement? {
        path.split(separator: "/").reduce(self as XMLElement?) { element, name in element?.child(String(name)) }
    }
}

extension XMLElement: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<\(self.name)>" }

    var debugDescription: String { self.description }

    var customMirror: Mirror { Mirror(self, children: []) }
}
