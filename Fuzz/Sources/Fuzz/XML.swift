//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@testable import Radial

/// The XML guard: a document is read within its bounds or refused.
func fuzzXML(_ bytes: [UInt8]) {
    _ = try? XMLReader.read(bytes)
}
