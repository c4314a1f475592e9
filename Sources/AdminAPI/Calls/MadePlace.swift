//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Time

/// Where an element stands in a list that is ordered by when things were made. It need not be there any more.
struct MadePlace: Hashable, Comparable, Sendable {
    let at: Timestamp
    let id: String

    init(_ at: Timestamp, _ id: String) {
        self.at = at
        self.id = id
    }

    /// As pages name it.
    init?(_ text: String) {
        guard let parts = text.wholeMatch(of: /([0-9]{1,15})\.([!-~]{1,280})/)?.output,
            let milliseconds = Int64(parts.1)
        else { return nil }
        self.init(Timestamp(milliseconds: milliseconds), String(parts.2))
    }

    var text: String { "\(self.at.milliseconds).\(self.id)" }

    static func < (one: MadePlace, other: MadePlace) -> Bool { (one.at, one.id) < (other.at, other.id) }

    /// What a page of such a list takes.
    static let parameters: [Endpoint.Parameter] = [
        .init(
            "after",
            .text(
                Schema.Text(
                    charactersMin: 3, charactersMax: 300, pattern: #"^[0-9]{1,15}\.[!-~]{1,280}$"#,
                    isValid: { MadePlace($0) != nil })), "`next` of the page before."),
        AdminEndpoints.limit,
    ]
}

extension AdminEndpoints {
    static let limit = Endpoint.Parameter("limit", .integer(1...200), "How many at most; 50 if left out.")

    /// By what a list of what has a name is narrowed down.
    static let nameFilter = Endpoint.Parameter(
        "name", .line(64), "Only those whose name has this text in it, in capital or small letters.")
}

extension Call {
    /// The page that is asked for, and one element more where there is one.
    ///
    /// - Parameter elements: in the order of their places.
    func slice<Element, Place: Comparable>(
        _ elements: [Element], after: Place?, _ place: (Element) -> Place
    ) -> [Element] {
        guard let after else { return Array(elements.prefix(self.limit + 1)) }
        return Array(elements.drop { place($0) <= after }.prefix(self.limit + 1))
    }

    var placeAfter: MadePlace? { self.query["after"].flatMap { MadePlace($0) } }

    /// Whether one of some names has the text of the parameter `name` in it.
    func isNamed(_ names: String?...) -> Bool {
        guard let text = self.query["name"]?.lowercased() else { return true }
        return names.contains { $0?.lowercased().contains(text) == true }
    }
}
