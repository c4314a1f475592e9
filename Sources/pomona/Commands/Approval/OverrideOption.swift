//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser

/// What commands take that do what may need a second person.
struct OverrideOption: ParsableArguments {
    @Option(
        name: .customLong("override"),
        help: ArgumentHelp(
            "Do it without the second person that the policy asks for, and say why; for the audit log.",
            valueName: "reason"))
    var overrideReason: String?

    func validate() throws {
        guard self.overrideReason.map({ (1...255).contains($0.unicodeScalars.count) }) ?? true else {
            throw ValidationError("--override takes a reason of 1 to 255 characters.")
        }
    }

    /// The administration, by the right that the option gives.
    func applied(to administration: Administration) -> Administration {
        self.overrideReason.map { administration.by(Authority(.override(reason: $0))) } ?? administration
    }
}
