//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import StrictJSON

/// One thing that is wrong with a setup file.
struct SetupProblem: Hashable, Sendable {
    /// Where in the file (RFC 6901): "/acquirers/0/settings/host"; empty for all of it.
    let pointer: String
    /// A stable name: "setting_invalid".
    let code: String
    /// One sentence that begins with the place. Never a secret.
    let message: String

    init(_ pointer: String, _ code: String, _ message: String) {
        self.pointer = pointer
        self.code = code
        self.message = message
    }

    /// - Parameter text: what is wrong there, as a whole sentence.
    init(at pointer: String, _ code: CommandFailure.Code, _ text: String) {
        self.init(pointer, code.rawValue, "\(pointer): \(text)")
    }

    /// What a command would refuse with.
    init(at pointer: String, _ error: any Error) {
        let failure = CommandFailure(error)
        self.init(pointer, failure.code, "\(pointer): \(failure.message)")
    }

    var json: JSON {
        ["pointer": .string(self.pointer), "code": .string(self.code), "message": .string(self.message)]
    }

    /// All of them as the reason for which nothing was made. Its code is the first one's.
    static func failure(_ problems: [SetupProblem]) -> CommandFailure {
        let sentences = problems.map(\.message).joined(separator: " ")
        var failure = CommandFailure(
            of: problems.first?.code ?? CommandFailure.Code.setupMalformed.rawValue, stage: .input,
            "Nothing was made. \(sentences)")
        failure.problems = problems
        return failure
    }
}

/// A place in a JSON document (RFC 6901).
enum JSONPointer {
    /// The pointer to a member of what another one points to.
    static func member(_ name: String, of pointer: String) -> String {
        "\(pointer)/\(name.replacing("~", with: "~0").replacing("/", with: "~1"))"
    }
}
