//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The readers of untrusted bytes, each as one function that reads what it is given or refuses it, and traps when a law does
/// not hold. Called as the folders of Vectors/Fuzz are.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "Form": fuzzForm, "Link": fuzzLink, "Multipart": fuzzMultipart, "NVP": fuzzNVP, "SignedData": fuzzSignedData,
    "TokenJSON": fuzzTokenJSON, "XML": fuzzXML,
]

#if FUZZING
/// script/fuzz names the target in the environment: libFuzzer knows one function for a program, and one program is built sooner
/// than seven.
private let target: @Sendable ([UInt8]) -> Void = {
    guard let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"], let target = targets[name] else {
        fatalError("FUZZ_TARGET must name one of \(targets.keys.sorted().joined(separator: ", "))")
    }
    return target
}()

/// libFuzzer calls this one with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// The package manager gives a program this name of a main function, unless the fuzzer is its own option; then Swift would be
/// without coverage (script/fuzz). What it does is what libFuzzer's own does.
@_cdecl("Fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, fuzzOneInput)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
#endif
