//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Money
import Payments
import Redaction
import StrictJSON
import Testing

/// The file that names an account, and how it is refused without a word of what stands in it.
@Suite struct SandboxFileTests {
    private static let payment: JSON = [
        "amount": "100", "currency": "TWD", "token": ["paymentData": ["data": "x"]],
    ]

    private static func problem(_ json: JSON) -> String? {
        do throws(SandboxFile.Problem) {
            _ = try SandboxFile(json)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func takesAnAccountWithoutPayments() throws {
        let file = try SandboxFile(["settings": ["a": "b"], "secrets": ["c": "d"]])
        #expect(file.settings == ["a": "b"])
        #expect(file.secrets["c"]?.reveal() == "d")
        #expect(file.payments.isEmpty)
    }

    /// As PassKit and a page give it: alone, or inside the payment.
    @Test func takesATokenWithAndWithoutItsPayment() throws {
        let token: JSON = [
            "paymentData": ["data": "x"], "paymentMethod": ["network": "MasterCard", "type": "credit"],
            "transactionIdentifier": "ab",
        ]
        for whole in [token, ["token": token]] {
            let file = try SandboxFile(["payments": [["amount": "100", "currency": "TWD", "token": whole]]])
            #expect(file.payments.first?.amount.minorUnits == 100)
            #expect(file.payments.first?.network == .mastercard)
        }
    }

    @Test func saysWhatIsWrongWithoutTheContents() {
        let wrong: [JSON] = [
            [], ["secret": "s3cret"], ["settings": "s3cret"], ["secrets": ["s3cret"]], ["secrets": ["a": 1]],
            ["payments": [:]], ["payments": ["s3cret"]],
            ["payments": [["amount": 1, "currency": "TWD", "token": ["paymentData": [:]]]]],
            ["payments": [["amount": "0", "currency": "TWD", "token": ["paymentData": [:]]]]],
            ["payments": [["amount": "1", "currency": "s3cret", "token": ["paymentData": [:]]]]],
            ["payments": [["amount": "1", "currency": "TWD", "token": "s3cret"]]],
        ]
        for json in wrong {
            let problem = Self.problem(json)
            #expect(problem != nil)
            #expect(problem?.contains("s3cret") != true)
        }
        #expect(Self.problem(["payments": [Self.payment]]) == nil)
    }

    @Test func refusesAFileThatOthersCanRead() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "real-sandbox-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "settings.json").path()
        #expect(throws: SandboxFile.Problem("there is no such file")) { _ = try SandboxFile(path: path) }
        let contents = Data(#"{"settings":{}}"#.utf8)
        for (mode, isTaken) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
            try? FileManager.default.removeItem(atPath: path)
            try Self.write(contents, to: path, mode)
            #expect(((try? SandboxFile(path: path)) != nil) == isTaken)
        }
        try FileManager.default.removeItem(atPath: path)
        try Self.write(Data("s3cret".utf8), to: path, 0o600)
        #expect(throws: SandboxFile.Problem("the file is no JSON")) { _ = try SandboxFile(path: path) }
    }

    private static func write(_ contents: Data, to path: String, _ mode: Int) throws {
        try contents.write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
