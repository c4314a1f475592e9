//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import ArgumentParser
public import Payments

// What reports are asked for, as words of a command line.

extension CalendarDay: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension ReportFormat: ExpressibleByArgument {}

extension SettlementResolution.Decision: ExpressibleByArgument {}
