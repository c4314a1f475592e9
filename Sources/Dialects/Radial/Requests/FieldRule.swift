//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One row of a message's table.
struct FieldRule: Hashable, Sendable {
    enum Presence: Hashable, Sendable {
        /// It must stand wherever its parent stands.
        case required
        case optional
    }

    enum Place: Hashable, Sendable {
        /// In the order of the table.
        case inOrder
        /// Public sources differ in where it stands.
        case anywhere
    }

    /// Below the root: "BillingAddress/Line1".
    let path: String
    let presence: Presence
    let form: FieldForm
    let place: Place

    init(_ path: String, _ presence: Presence, _ form: FieldForm, _ place: Place = .inOrder) {
        self.path = path
        self.presence = presence
        self.form = form
        self.place = place
    }
}

/// A message of the wire and what it must look like.
struct MessageRules: Sendable {
    /// A row and the rows below it.
    struct Node: Sendable {
        let name: String
        let rule: FieldRule
        let children: [Node]
    }

    let root: String
    /// Whether the root must have a requestId of 1 to 40 characters.
    let hasRequestID: Bool
    let rules: [FieldRule]
    let nodes: [Node]

    init(_ root: String, hasRequestID: Bool, _ rules: [FieldRule]) {
        self.root = root
        self.hasRequestID = hasRequestID
        self.rules = rules
        self.nodes = Self.nodes(of: rules, below: "")
    }

    private static func nodes(of rules: [FieldRule], below prefix: String) -> [Node] {
        rules.compactMap { rule in
            guard rule.path.hasPrefix(prefix) else { return nil }
            let name = rule.path.dropFirst(prefix.utf8.count)
            guard !name.contains("/") else { return nil }
            return Node(name: String(name), rule: rule, children: self.nodes(of: rules, below: rule.path + "/"))
        }
    }
}

extension MessageRules {
    /// Refuses a message that breaks a row, naming the first one.
    func check(_ message: XMLElement) throws(RadialFault) {
        guard message.name == self.root, message.namespace == XMLWriter.namespace else {
            throw RadialFault(
                .messageUnexpected, "The body must be a \(self.root) of the namespace \(XMLWriter.namespace).")
        }
        if self.hasRequestID {
            let length = message.attributes["requestId"]?.unicodeScalars.count ?? 0
            guard (1...40).contains(length), !XMLText.isBlank(message.attributes["requestId"] ?? "") else {
                throw Self.fault("\(self.root)/@requestId", "must have 1 to 40 characters")
            }
        }
        guard XMLText.isBlank(message.text) else { throw Self.fault(self.root, "must contain elements and no text") }
        // The message itself is open: the vendor adds optional elements to it as time goes by.
        try Self.check(message, against: self.nodes, isOpen: true, path: self.root)
    }

    private static func check(
        _ parent: XMLElement, against nodes: [Node], isOpen: Bool, path: String
    ) throws(RadialFault) {
        var seen: Set<String> = []
        var lastIndex = -1
        for child in parent.children {
            let index = nodes.firstIndex { $0.name == child.name && child.namespace == XMLWriter.namespace }
            guard let index else {
                // The name is not repeated in the answer: it is whatever was sent.
                if isOpen { continue }
                throw self.fault(path, "contains an element that does not belong there")
            }
            let node = nodes[index]
            let childPath = "\(path)/\(node.name)"
            guard seen.insert(node.name).inserted else { throw self.fault(childPath, "stands more than once") }
            if node.rule.place == .inOrder {
                guard index > lastIndex else { throw self.fault(childPath, "stands in the wrong place") }
                lastIndex = index
            }
            if let problem = node.rule.form.problem(of: child) { throw self.fault(childPath, problem) }
            if case .complex(let isOpen) = node.rule.form {
                try self.check(child, against: node.children, isOpen: isOpen, path: childPath)
            }
        }
        for node in nodes where node.rule.presence == .required && !seen.contains(node.name) {
            throw self.fault("\(path)/\(node.name)", "is missing")
        }
    }

    private static func fault(_ path: String, _ problem: String) -> RadialFault {
        RadialFault(.requestInvalid, "\(path) \(problem).")
    }
}
