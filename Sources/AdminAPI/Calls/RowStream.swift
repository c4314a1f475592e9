//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit

/// Rows of any number as a stream: a page at a time is read, and only when the one before has left for the client.
actor RowStream<Place: Sendable> {
    private var header: [UInt8]
    private var place: Place?
    private let page: @Sendable (Place) async throws -> (text: String, next: Place?)
    private let mayGoOn: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - header: what stands before the first row.
    ///   - place: where the first page begins.
    ///   - mayGoOn: asked before each page. Where it throws, the stream ends with that error.
    init(
        header: String, from place: Place, mayGoOn: @escaping @Sendable () async throws -> Void = {},
        _ page: @escaping @Sendable (Place) async throws -> (text: String, next: Place?)
    ) {
        self.header = Array(header.utf8)
        self.place = place
        self.mayGoOn = mayGoOn
        self.page = page
    }

    nonisolated var stream: WireStream { WireStream(next: { try await self.next() }) }

    private func next() async throws -> [UInt8]? {
        var bytes = self.header
        self.header = []
        // An empty part would be the end, to whoever reads it.
        while bytes.isEmpty, let place = self.place {
            try Task.checkCancellation()
            try await self.mayGoOn()
            let (text, next) = try await self.page(place)
            self.place = next
            bytes = Array(text.utf8)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

extension ReportFormat {
    /// Of an answer's body.
    var mediaType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8"
        // A JSON object a line has no registered type.
        case .json: "application/x-ndjson"
        }
    }
}

extension Collection where Element: ReportRow {
    func text(_ format: ReportFormat) -> String { self.map { $0.line(format) }.joined() }
}
