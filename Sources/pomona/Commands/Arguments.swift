//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ArgumentParser
public import Payments

/// As words of a command line, each by its raw value.
extension Mode: ExpressibleByArgument {}

extension CardNetwork: ExpressibleByArgument {}

/// How much of a list is shown.
struct LimitOption: ParsableArguments {
    @Option(help: ArgumentHelp("How many at most, 1 to 1000.", valueName: "count"))
    var limit = 20

    func validate() throws {
        guard (1...1000).contains(self.limit) else { throw ValidationError("--limit must be 1 to 1000.") }
    }
}

/// Of a data directory's store, all merchants or one.
struct MerchantFilter: ParsableArguments {
    @OptionGroup var data: DataOptions

    @Option(help: ArgumentHelp("Only this merchant's.", valueName: "name"))
    var merchant: String?

    var directory: DataDirectory { self.data.directory }
}
