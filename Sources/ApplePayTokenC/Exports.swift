//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CApplePayToken
import StrictJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The functions of applepaytoken.h, whose names are C's. The compiler holds each against its declaration there.

@c @implementation
public func apple_pay_token_verifier_create(
    _ options: UnsafePointer<CChar>?, _ options_length: Int, _ verifier: UnsafeMutablePointer<OpaquePointer?>?,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    verifier?.pointee = nil
    answer?.pointee = nil
    do throws(Refusal) {
        guard let verifier else { throw Refusal.argumentMissing("verifier") }
        let made = Verifier(try VerifierOptions(parsing: try bytes(options, options_length, "options")))
        verifier.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
        return Int32(APPLE_PAY_TOKEN_OK)
    } catch {
        return refused(error, answer)
    }
}

@c @implementation
public func apple_pay_token_verifier_free(_ verifier: OpaquePointer?) {
    guard let verifier else { return }
    Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(verifier)).release()
}

@c @implementation
public func apple_pay_token_verify(
    _ verifier: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ token_length: Int, _ now: Int64,
    _ application_data: UnsafePointer<UInt8>?, _ application_data_length: Int,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    answered(answer) { () throws(Refusal) in
        let question = try question(token, token_length, now, application_data, application_data_length)
        return try borrowed(verifier).verify(question)
    }
}

@c @implementation
public func apple_pay_token_open(
    _ verifier: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ token_length: Int, _ now: Int64,
    _ application_data: UnsafePointer<UInt8>?, _ application_data_length: Int,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    answered(answer) { () throws(Refusal) in
        let question = try question(token, token_length, now, application_data, application_data_length)
        return try borrowed(verifier).open(question)
    }
}

@c @implementation
public func apple_pay_token_text_free(_ text: UnsafeMutablePointer<CChar>?) {
    guard let text else { return }
    CText(pointer: text).erase()
}

private func borrowed(_ verifier: OpaquePointer?) throws(Refusal) -> Verifier {
    guard let verifier else { throw Refusal.argumentMissing("verifier") }
    return Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(verifier)).takeUnretainedValue()
}

private func question(
    _ token: UnsafePointer<CChar>?, _ tokenLength: Int, _ now: Int64, _ applicationData: UnsafePointer<UInt8>?,
    _ applicationDataLength: Int
) throws(Refusal) -> Question {
    Question(
        token: Array(try bytes(token, tokenLength, "token")), now: Date(timeIntervalSince1970: Double(now)),
        applicationData: applicationData == nil
            ? nil : Array(try bytes(applicationData, applicationDataLength, "application_data")))
}

/// What the caller lends for the call. C's size_t comes as Int: one with its highest bit set is negative here.
private func bytes(
    _ pointer: UnsafeRawPointer?, _ length: Int, _ name: String
) throws(Refusal) -> UnsafeRawBufferPointer {
    guard let pointer else { throw Refusal.argumentMissing(name) }
    guard length >= 0 else { throw Refusal.lengthTooLarge(name) }
    return UnsafeRawBufferPointer(start: pointer, count: length)
}

private func answered(
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ body: () throws(Refusal) -> JSON
) -> Int32 {
    answer?.pointee = nil
    do throws(Refusal) {
        guard let answer else { throw Refusal.argumentMissing("answer") }
        answer.pointee = CText.allocated(try body().text()).pointer
        return Int32(APPLE_PAY_TOKEN_OK)
    } catch {
        return refused(error, answer)
    }
}

private func refused(_ refusal: Refusal, _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    answer?.pointee = CText.allocated(refusal.json.text()).pointer
    return Int32(APPLE_PAY_TOKEN_REFUSED)
}
