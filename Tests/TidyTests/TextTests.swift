//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

/// What may not stand in a file, and how long one may be.
struct TextTests {
    let repository = Repository.current

    /// A pattern, where it is banned, and what to write instead.
    struct Ban: Sendable, CustomTestStringConvertible {
        let pattern: String
        /// One of these is in whatever matches.
        let marks: [String]
        let folders: [String]
        let instead: String
        var except: [String] = []
        /// Whether comments are read too, and what stands in string literals.
        var isOfWholeLines = false
        /// A line that must not be written.
        let sample: String

        var testDescription: String { self.pattern }

        /// What of a line it looks at.
        func text(of line: Substring) -> String { self.isOfWholeLines ? String(line) : TextTests.code(of: line) }
    }

    static let bans: [Ban] = [
        Ban(
            pattern: #"\b(Double|Float|CGFloat|Float32|Float64)\b"#, marks: ["Double", "Float"],
            folders: [
                "Sources/Core", "Sources/Gateway", "Sources/Dialects", "Sources/DialectKit", "Sources/Stores",
                "Sources/Acquirers",
            ],
            instead: "Money, or integer arithmetic", sample: "let price: Double = 1"),
        Ban(
            pattern: #"\btry!"#, marks: ["try!"], folders: ["Sources", "Testing"], instead: "a thrown error",
            sample: "let a = try! f()"),
        Ban(
            pattern: #"\bas!"#, marks: ["as!"], folders: ["Sources", "Testing"], instead: "as? and an error",
            sample: "let a = b as! Int"),
        Ban(
            pattern: #"\bfatalError\("#, marks: ["fatalError"], folders: ["Sources", "Testing"],
            instead: "a thrown error, or precondition for a programmer's error",
            sample: #"default: fatalError("never")"#),
        Ban(
            pattern: #"\bTODO\b|\bFIXME\b|\bXXX:"#, marks: ["TODO", "FIXME", "XXX:"],
            folders: ["Sources", "Testing", "Tests", "Benchmarks"],
            instead: "an issue", isOfWholeLines: true, sample: "let a = 1 // TODO: two"),
        Ban(
            pattern: #"(?:^|[^\w.])print\("#, marks: ["print("], folders: ["Sources"], instead: "Console, or a logger",
            except: ["Sources/pomona/Output/"], sample: #"    print("here")"#),
        Ban(
            pattern: #"\bJSONSerialization\b|\bJSONDecoder\b|\bJSONEncoder\b"#,
            marks: ["JSONSerialization", "JSONDecoder", "JSONEncoder"], folders: ["Sources"],
            instead: "StrictJSON", sample: "let json = try JSONDecoder().decode(A.self, from: data)"),
        Ban(
            pattern: #"[\w\)\]]!(?:[\.\)\],;\s]|$)"#, marks: ["!"], folders: ["Sources"], instead: "guard let, or ?",
            // The signatures that apps were written against have implicitly unwrapped optionals.
            except: ["Sources/TPDirect/Interface/"], sample: "let a = b!.c"),
        Ban(
            pattern: #"Task\.sleep|\busleep\(|(?:=|try|await|\{|^)\s*sleep\("#, marks: ["sleep"],
            folders: ["Tests", "Testing"],
            instead: "an injected clock", sample: "try await Task.sleep(for: .seconds(1))"),
        Ban(
            pattern: #"\bContinuousClock\.now\b"#, marks: ["ContinuousClock"], folders: ["Sources"],
            instead: "a clock that the composition root passes in", except: ["Sources/pomona/"],
            sample: "let begun = ContinuousClock.now"),
    ]

    @Test(arguments: bans)
    func bannedWordsAreAbsent(_ ban: Ban) throws {
        let regex = try Regex(ban.pattern)
        for file in ban.folders.flatMap({ self.repository.files(below: $0, endings: [".swift"]) }) {
            guard !ban.except.contains(where: file.path.hasPrefix), !file.path.hasPrefix("Tests/TidyTests/") else {
                continue
            }
            guard Repository.mentions(ban.marks, in: file.text) else { continue }
            for (index, line) in file.lines.enumerated() where Repository.mentions(ban.marks, in: line) {
                #expect(
                    ban.text(of: line).firstMatch(of: regex) == nil,
                    "\(file.path):\(index + 1): write \(ban.instead) instead")
            }
        }
    }

    @Test(arguments: bans)
    func bannedWordsAreFoundWhereTheyAre(_ ban: Ban) throws {
        #expect(Repository.mentions(ban.marks, in: ban.sample))
        #expect(ban.text(of: Substring(ban.sample)).firstMatch(of: try Regex(ban.pattern)) != nil)
    }

    /// Each of these is like something that is banned.
    @Test(arguments: [
        "if a != b { !c }", "let a = 1 // Double", #"let a = "Double""#, "try f()", "a as? B", "console.print(a)",
        "self.sleep(seconds: 1)", "let json = try JSON.parse(data)", "now: @escaping () -> ContinuousClock.Instant",
    ])
    func whatIsNotBannedIsLeftAlone(_ line: String) throws {
        for ban in Self.bans {
            #expect(ban.text(of: Substring(line)).firstMatch(of: try Regex(ban.pattern)) == nil, "\(ban.pattern)")
        }
    }

    /// "Tell" stands for too much: a search finds "report", "notify", "log", "send", "show" and "distinguish".
    static let unsearchable =
        #"(?:^|[^A-Za-z])(?:[Tt]ell(?:s|ing)?|[Tt]old)(?![a-z])|[a-z](?:Tell(?:s|ing)?|Told)(?![a-z])"#
    /// One of these is in whatever matches.
    static let suspects = ["tell", "told", "Tell", "Told"]
    /// What stores and golden transcripts have in them already.
    static let kept = [
        "not_told", "What the merchant is told of a payment", "What the store is told of a cancellation",
    ]

    @Test func wordsAreThoseThatASearchFinds() throws {
        let regex = try Regex(Self.unsearchable)
        let endings = [".swift", ".c", ".js", ".ts", ".html", ".css", ".py", ".md"]
        let folders = ["Sources", "Testing", "Tests", "Web", "docs", "Benchmarks", "Fuzz"]
        let files =
            folders.flatMap { self.repository.files(below: $0, endings: endings) }
            + self.repository.documents.filter { !$0.path.contains("/") && $0.path != "CHANGELOG.md" }
        for file in files where !file.path.hasPrefix("Tests/TidyTests/") {
            guard Repository.mentions(Self.suspects, in: file.text) else { continue }
            for (index, line) in file.lines.enumerated() where Repository.mentions(Self.suspects, in: line) {
                let text = Self.kept.reduce(String(line)) { $0.replacingOccurrences(of: $1, with: "") }
                #expect(
                    text.firstMatch(of: regex) == nil, "\(file.path):\(index + 1): write report, notify, log or send")
            }
        }
    }

    @Test func wordsThatASearchMissesAreFound() throws {
        let regex = try Regex(Self.unsearchable)
        for text in ["Tells it", "is told.", "self.tell(x)", "isTold", "a_tell", "tellsWhy", "telling(", "#tell("] {
            #expect(text.firstMatch(of: regex) != nil, "\(text)")
        }
        for text in ["satellite", "intelligent", "a teller", "untellable"] {
            #expect(text.firstMatch(of: regex) == nil, "\(text)")
        }
    }

    /// What begins the reason, in the comment of a type that the compiler has not checked.
    static let reasonMark = "Sendable unchecked: "

    @Test func uncheckedSendableHasAReason() {
        for file in self.repository.allSwift where file.mentions("@unchecked Sendable") {
            let lines = file.lines
            for (index, line) in lines.enumerated() where Self.code(of: line).contains("@unchecked Sendable") {
                #expect(
                    Self.comment(above: index, in: lines).contains(Self.reasonMark),
                    "\(file.path):\(index + 1): say above it why it is safe: \(Self.reasonMark)…")
            }
        }
    }

    @Test func reasonsAreThoseOfTheNextLine() {
        let lines =
            "/// A lock.\n///\n/// Sendable unchecked: it is.\n@available(*, deprecated)\nclass A\nclass B\n// C\n\nclass C"
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(Self.comment(above: 4, in: lines) == "/// A lock.\n///\n/// Sendable unchecked: it is.")
        #expect(Self.comment(above: 5, in: lines).isEmpty && Self.comment(above: 8, in: lines).isEmpty)
    }

    /// The comment that ends where a declaration begins; attributes may stand between.
    static func comment(above index: Int, in lines: [Substring]) -> String {
        var comment: [String] = []
        for line in lines[..<index].reversed() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("//") {
                comment.insert(String(text), at: 0)
            } else if !text.hasPrefix("@") || !comment.isEmpty {
                break
            }
        }
        return comment.joined(separator: "\n")
    }

    @Test func filesStayUnderTheirBound() {
        for file in self.repository.allSwift {
            let bound = file.path.hasPrefix("Tests/") ? 500 : 400
            #expect(file.lines.count <= bound, "\(file.path) has \(file.lines.count) lines; is it about one subject?")
        }
    }

    @Test func everyFileCarriesTheLicenseHeader() {
        let missing = self.repository.allSwift.filter {
            !$0.text.prefix(400).contains("SPDX-License-Identifier: Apache-2.0")
        }
        #expect(missing.map(\.path).isEmpty)
    }

    @Test func vectorsSayWhereTheyComeFrom() {
        for folder in self.repository.folders(below: "Vectors") {
            #expect(self.repository.text("Vectors/\(folder)/SOURCE.md") != nil, "Vectors/\(folder) has no SOURCE.md")
        }
    }

    @Test func everyDocumentHasOneTitle() {
        for document in self.repository.documents where !document.path.contains(".docc/") {
            var isFenced = false
            var titlesCount = 0
            for line in document.lines {
                if line.hasPrefix("```") { isFenced.toggle() }
                if !isFenced, line.hasPrefix("# ") { titlesCount += 1 }
            }
            #expect(titlesCount == 1, "\(document.path) has \(titlesCount) titles")
        }
    }

    @Test func documentsLinkToFilesThatExist() throws {
        let link = try Regex<(Substring, Substring)>(#"\]\(([^)#:\s]+)(?:#[^)]*)?\)"#)
        for document in self.repository.documents where !document.path.contains(".docc/") {
            let folder = self.repository.root.appending(path: document.path).deletingLastPathComponent()
            for match in document.text.matches(of: link) {
                let target = folder.appending(path: String(match.output.1)).standardizedFileURL
                #expect(
                    FileManager.default.fileExists(atPath: target.path), "\(document.path) links to \(match.output.1)")
            }
        }
    }

    /// SECURITY.md claims nothing that no test shows.
    @Test func everyRowOfTheSecurityPageNamesTestsThatThereAre() throws {
        let page = try #require(self.repository.text("SECURITY.md"))
        let name = try Regex<(Substring, Substring, Substring)>(#"`(\w+Tests)\.(\w+)`"#)
        let tests = self.repository.files(below: "Tests", endings: [".swift"])
        let tables = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let headers = tables.filter { $0.hasSuffix("| shown by |") }
        #expect(headers.count == 2)
        for row in tables where !headers.contains(row) {
            let cells = row.split(separator: "|")
            let named = (cells.last ?? "").matches(of: name).map { (String($0.output.1), String($0.output.2)) }
            #expect(!named.isEmpty, "no test is named: \(row.prefix(60))")
            for (suite, test) in named {
                let isThere = tests.contains { file in
                    file.mentions("func \(test)(")
                        && file.mentions("struct \(suite)", "class \(suite)", "extension \(suite)")
                }
                #expect(isThere, "SECURITY.md names \(suite).\(test), which is not there")
            }
        }
    }

    @Test func nothingNamesAMachine() throws {
        let path = try Regex(#"(?:^|[^\w.])/(?:work|root|home)/"#)
        let files =
            self.repository.allSwift.filter { !$0.path.hasPrefix("Tests/TidyTests/") } + self.repository.documents
        for file in files where file.mentions("/work/", "/root/", "/home/") {
            #expect(file.text.firstMatch(of: path) == nil, "\(file.path) names a path of one machine")
        }
    }

    /// A line without its comment and without the contents of its string literals.
    static func code(of line: Substring) -> String {
        var code = ""
        var isInString = false
        var previous: Character = " "
        for character in line {
            if character == "\"", previous != "\\" {
                isInString.toggle()
                code.append(character)
            } else if !isInString {
                if character == "/", previous == "/" { return String(code.dropLast()) }
                code.append(character)
            }
            previous = character
        }
        return code
    }
}
