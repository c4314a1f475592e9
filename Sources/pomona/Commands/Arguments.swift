//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ArgumentParser
public import Payments

/// As words of a command line, each by its raw value.
extension Mode: ExpressibleByArgument {}

extension CardNetwork: ExpressibleByArgument {}
