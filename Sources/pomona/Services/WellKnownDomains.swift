//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// The domains on which merchants show the Apple Pay button, with the files by which Apple verifies them ("Configuring
/// Your Environment", Apple Pay on the Web). They lie in the data directory, one file a domain, so that a command changes
/// them beside a running server.
struct WellKnownDomains: Sendable {
    /// What is served for a domain, and for whom.
    struct Entry: Hashable, Sendable {
        let host: WellKnownHost
        /// The merchants' names, sorted; at least one.
        let merchants: [String]
        /// The file as Apple gave it.
        let file: String
    }

    /// Apple's files are about 9 KB.
    static let fileBytesMax = 64 * 1024

    let directory: DataDirectory

    private var path: String { "\(self.directory.path)/domains" }

    private func path(of host: WellKnownHost) -> String { "\(self.path)/\(host.name)\(Self.suffix)" }

    private static let suffix = ".json"

    /// All domains, sorted.
    func entries() throws(CommandFailure) -> [Entry] {
        var entries: [Entry] = []
        for name in FileSystem.names(in: self.path) where name.hasSuffix(Self.suffix) {
            guard let host = WellKnownHost(String(name.dropLast(Self.suffix.count))), let entry = try self.entry(host)
            else { continue }
            entries.append(entry)
        }
        return entries
    }

    /// `nil` if the domain is not registered.
    func entry(_ host: WellKnownHost) throws(CommandFailure) -> Entry? {
        let path = self.path(of: host)
        guard FileSystem.exists(path) else { return nil }
        guard let json = try? JSON.parse(try FileSystem.read(path)), let file = json["file"]?.string,
            let merchants = json["merchants"]?.array?.compactMap(\.string), !merchants.isEmpty
        else {
            throw CommandFailure(
                .fileMalformed, stage: .dataDirectory,
                "\(path) is not as pomona domain add writes it. Remove it and add the domain again.")
        }
        return Entry(host: host, merchants: merchants, file: file)
    }

    /// The domains of a merchant.
    func hosts(of merchant: String) throws(CommandFailure) -> Set<String> {
        Set(try self.entries().filter { $0.merchants.contains(merchant) }.map(\.host.name))
    }

    /// Registers a domain, or puts a new file in the place of the merchant's earlier one.
    ///
    /// - Throws: ``CommandFailure`` `domain_file_malformed`; `domain_taken` when the domain serves another merchant's
    ///   file, because there is only one address for it.
    @discardableResult
    func add(_ host: WellKnownHost, merchant: String, file bytes: [UInt8]) throws(CommandFailure) -> Entry {
        let entry = try self.proposed(host, merchant: merchant, file: bytes)
        try self.save(entry)
        return entry
    }

    /// What ``add(_:merchant:file:)`` would write, or why it would not.
    func proposed(_ host: WellKnownHost, merchant: String, file bytes: [UInt8]) throws(CommandFailure) -> Entry {
        guard (1...Self.fileBytesMax).contains(bytes.count), let file = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                .domainFileMalformed, stage: .input,
                "The file must be the text that Apple gives for the domain, at most \(Self.fileBytesMax) bytes.")
        }
        var merchants = [merchant]
        if let existing = try self.entry(host) {
            let others = existing.merchants.filter { $0 != merchant }
            guard others.isEmpty || existing.file == file else {
                throw CommandFailure(
                    .domainTaken, stage: .dataDirectory,
                    "\(host.name) already serves the file of \(others.joined(separator: ", ")). Merchants share a domain "
                        + "only with the same file.")
            }
            merchants = (others + [merchant]).sorted()
        }
        return Entry(host: host, merchants: merchants, file: file)
    }

    /// Takes a merchant off a domain; with the last one the file goes.
    ///
    /// - Throws: ``CommandFailure`` `domain_unknown`.
    func remove(_ host: WellKnownHost, merchant: String) throws(CommandFailure) {
        let existing = try self.registered(host, merchant: merchant)
        let others = existing.merchants.filter { $0 != merchant }
        guard others.isEmpty else {
            try self.save(Entry(host: host, merchants: others, file: existing.file))
            return
        }
        try FileSystem.remove(self.path(of: host))
    }

    /// - Throws: ``CommandFailure`` `domain_unknown`.
    @discardableResult
    func registered(_ host: WellKnownHost, merchant: String) throws(CommandFailure) -> Entry {
        guard let existing = try self.entry(host), existing.merchants.contains(merchant) else {
            throw CommandFailure(
                .domainUnknown, stage: .dataDirectory,
                "\(host.name) is not registered for \(merchant). See: pomona domain list")
        }
        return existing
    }

    private func save(_ entry: Entry) throws(CommandFailure) {
        try FileSystem.makePrivateDirectory(self.path)
        let json: JSON = [
            "merchants": .array(entry.merchants.map { .string($0) }), "file": .string(entry.file),
        ]
        try FileSystem.write(json.text() + "\n", to: self.path(of: entry.host))
    }
}

/// A host name in lower case, without port: letters, digits, hyphens and dots (RFC 1123, section 2.1). It can be a file's
/// name, because it has no solidus and no empty label.
struct WellKnownHost: Hashable, Sendable {
    let name: String

    init?(_ text: String) {
        let name = text.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy(Self.isLabel) else { return nil }
        self.name = name
    }

    /// The host of a request: "shop.example.com:443".
    init?(authority: String) {
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard (1...5).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
        }
        self.init(String(parts[0]))
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}
