//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One thing that the suite holds a dialect to.
public enum DialectCheck: Hashable, Sendable, CustomStringConvertible {
    case law(DialectLaw)
    /// A recorded exchange, by its scene's name.
    case transcript(String)
    /// The folder has the transcripts of the scenes, and no other.
    case transcriptFolder
    /// Nothing secret is in an answer, a log or a plain column.
    case secrets
    /// What operators see of the shop's messages.
    case shownMessages

    public var description: String {
        switch self {
        case .law(let law): "\(law)"
        case .transcript(let name): "the transcript \(name)"
        case .transcriptFolder: "no other transcript"
        case .secrets: "nothing secret is shown"
        case .shownMessages: "operators see messages without secrets"
        }
    }
}

extension DialectConformance {
    /// Everything that the dialect has to pass: an argument each of one test.
    public var checks: [DialectCheck] {
        DialectLaw.allCases.map(DialectCheck.law) + self.sceneNames.map(DialectCheck.transcript)
            + [.transcriptFolder, .secrets, .shownMessages]
    }

    /// - Throws: ``DialectLawBroken``, ``ShapeBroken``, or what the driver throws.
    public func check(_ check: DialectCheck) async throws {
        switch check {
        case .law(let law): try await self.check(law)
        case .transcript(let name): try await self.compareTranscript(name)
        case .transcriptFolder: try self.checkTranscriptFolder()
        case .secrets: try await self.checkScrub()
        case .shownMessages: try await self.checkShownMessages()
        }
    }
}
