//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestGateway

extension DialectConformance {
    /// The files, without their ending, in order: "01-payment".
    public var sceneNames: [String] { self.numberedScenes.map(\.0) }

    var numberedScenes: [(String, TranscriptScene)] {
        (TranscriptScene.common(self.driver) + self.driver.scenes + TranscriptScene.last(self.driver)).enumerated().map
        { index, scene in
            (String(index + 101).dropFirst() + "-" + scene.name, scene)
        }
    }

    /// Plays a scene at a new gateway and compares it with its file; with `POMONA_RECORD_TRANSCRIPTS=1` in the
    /// environment, writes the file.
    /// - Throws: ``TranscriptDiffers``, or what the scene throws.
    public func compareTranscript(_ name: String) async throws {
        guard let scene = self.numberedScenes.first(where: { $0.0 == name })?.1 else {
            throw TranscriptDiffers("there is no scene \(name)")
        }
        let text = try await self.transcript(of: scene)
        let file = self.transcriptFolder.appending(path: name + ".http")
        if Self.isRecording {
            try FileManager.default.createDirectory(at: self.transcriptFolder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return
        }
        guard let recorded = try? String(contentsOf: file, encoding: .utf8) else {
            throw TranscriptDiffers("\(name).http is missing. Record it with POMONA_RECORD_TRANSCRIPTS=1.")
        }
        guard recorded != text else { return }
        throw TranscriptDiffers(file: name + ".http", recorded: recorded, found: text)
    }

    private func transcript(of scene: TranscriptScene) async throws -> String {
        let shop = try await DialectShop.open(self.driver)
        try await scene.run(shop)
        let secrets = shop.test.jar.secrets
        let known = try await KnownTexts(shop).all
        var layout = TranscriptText(replacer: try TranscriptReplacer(self.driver.placeholders, known: known))
        let text = layout.text(of: scene, shop.exchanges.all)
        let leaks = try SecretScanner(secrets).leaks(in: Array(text.utf8))
        guard leaks.isEmpty else {
            throw TranscriptDiffers("the transcript would show \(leaks.joined(separator: ", ")): add a placeholder")
        }
        return text
    }

    /// Compares the folder with the scenes; when recording, removes the files of scenes that are gone.
    /// - Throws: ``TranscriptDiffers`` for a file that no scene writes.
    public func checkTranscriptFolder() throws {
        let names = Set(self.sceneNames)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: self.transcriptFolder.path)) ?? []
        for file in files where !names.contains(file.replacing(".http", with: "")) {
            guard Self.isRecording else {
                throw TranscriptDiffers("\(file) is no scene's. Record anew with POMONA_RECORD_TRANSCRIPTS=1.")
            }
            try FileManager.default.removeItem(at: self.transcriptFolder.appending(path: file))
        }
        guard Self.isRecording || files.count == names.count else {
            throw TranscriptDiffers("\(names.count - files.count) transcripts are missing")
        }
    }

    /// The recorded exchanges of all scenes: where a dialect's tests look whether each of its codes is shown.
    public func recordedText() throws -> String {
        try self.sceneNames.map { name in
            try String(contentsOf: self.transcriptFolder.appending(path: name + ".http"), encoding: .utf8)
        }.joined()
    }

    /// Whether transcripts are being written, by `POMONA_RECORD_TRANSCRIPTS=1` in the environment.
    public static var isRecording: Bool { ProcessInfo.processInfo.environment["POMONA_RECORD_TRANSCRIPTS"] == "1" }

    /// `Transcripts` in the folder of the test target, whose name ends with "Tests".
    private var transcriptFolder: URL {
        var folder = URL(filePath: self.testFile).deletingLastPathComponent()
        while !folder.lastPathComponent.hasSuffix("Tests"), folder.path.count > 1 { folder.deleteLastPathComponent() }
        return folder.appending(path: "Transcripts")
    }
}
