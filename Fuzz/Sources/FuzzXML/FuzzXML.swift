//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@testable import Radial

/// The XML guard: a document is read within its bounds or refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? XMLReader.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
