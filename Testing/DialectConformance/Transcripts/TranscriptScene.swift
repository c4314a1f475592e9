//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Something that is done over the wire, to be recorded.
public struct TranscriptScene: Sendable {
    /// In lower-case letters, digits and hyphens: the file's name.
    public let name: String
    /// What is shown, in a sentence: the file's first line.
    public let summary: String
    let run: @Sendable (DialectShop) async throws -> Void

    /// - Parameter run: sends requests with `shop.send(_:)` or `shop.call(_:)`; every one is recorded, also those that
    ///   the driver sends beforehand.
    public init(_ name: String, _ summary: String, run: @escaping @Sendable (DialectShop) async throws -> Void) {
        self.name = name
        self.summary = summary
        self.run = run
    }
}

/// What is different in every run.
public struct TranscriptPlaceholder: Sendable {
    /// What stands in its place, with a number in order of appearance: "id" becomes `<id-1>`.
    public let name: String
    /// A regular expression; its first group is replaced, or all of it where it has none. It sees a line of a header
    /// ("Nonce: 1234") or a body, before the body is laid out.
    public let pattern: String

    public init(_ name: String, _ pattern: String) {
        self.name = name
        self.pattern = pattern
    }
}
