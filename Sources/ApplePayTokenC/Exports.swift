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
    answered(
        answer, by: verifier, Verifier.verify, token, token_length, now, application_data, application_data_length)
}

@c @implementation
public func apple_pay_token_open(
    _ verifier: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ token_length: Int, _ now: Int64,
    _ application_data: UnsafePointer<UInt8>?, _ application_data_length: Int,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    answered(
        answer, by: verifier, Verifier.open, token, token_length, now, application_data, application_data_length)
}

@c @implementation
public func apple_pay_token_text_free(_ text: UnsafeMutablePointer<CChar>?) {
    guard let text else { return }
    CText(pointer: text).erase()
}

/// What both questions of a token share: they differ in the method that answers.
private func answered(
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, by verifier: OpaquePointer?,
    _ method: (Verifier) -> (Question) throws(Refusal) -> JSON, _ token: UnsafePointer<CChar>?, _ tokenLength: Int,
    _ now: Int64, _ applicationData: UnsafePointer<UInt8>?, _ applicationDataLength: Int
) -> Int32 {
    answer?.pointee = nil
    do throws(Refusal) {
        guard let answer else { throw Refusal.argumentMissing("answer") }
        let question = Question(
            token: Array(try bytes(token, tokenLength, "token")), now: Date(timeIntervalSince1970: Double(now)),
            applicationData: applicationData == nil
                ? nil : Array(try bytes(applicationData, applicationDataLength, "application_data")))
        guard let verifier else { throw Refusal.argumentMissing("verifier") }
        let borrowed = Unmanaged<Verifier>.fromOpaque(UnsafeRawPointer(verifier)).takeUnretainedValue()
        answer.pointee = CText.allocated(try method(borrowed)(question).text()).pointer
        return Int32(APPLE_PAY_TOKEN_OK)
    } catch {
        return refused(error, answer)
    }
}

/// What the caller lends for the call. C's size_t comes as Int: one with its highest bit set is negative here.
private func bytes(
    _ pointer: UnsafeRawPointer?, _ length: Int, _ name: String
) throws(Refusal) -> UnsafeRawBufferPointer {
    guard let pointer else { throw Refusal.argumentMissing(name) }
    guard length >= 0 else { throw Refusal.lengthTooLarge(name) }
    return UnsafeRawBufferPointer(start: pointer, count: length)
}

private func refused(_ refusal: Refusal, _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    answer?.pointee = CText.allocated(refusal.json.text()).pointer
    return Int32(APPLE_PAY_TOKEN_REFUSED)
}
