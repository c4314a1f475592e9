//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Every check has a code of its own, listed in the order in which the checks run.

// MARK: - Stage parse

extension TokenError.Code {
    /// The text is not JSON, or not strict JSON (RFC 8259).
    public static let jsonMalformed = Self(rawValue: "json_malformed")
    /// The JSON is neither paymentData, nor a PKPaymentToken, nor an Apple Pay JS payment object.
    public static let tokenShapeUnknown = Self(rawValue: "token_shape_unknown")
    /// paymentData is there but empty, as an iOS simulator sends it.
    public static let paymentDataEmpty = Self(rawValue: "payment_data_empty")
    public static let memberMissing = Self(rawValue: "member_missing")
    public static let memberWrongType = Self(rawValue: "member_wrong_type")
    public static let versionUnsupported = Self(rawValue: "version_unsupported")
    public static let base64Malformed = Self(rawValue: "base64_malformed")
    public static let hexMalformed = Self(rawValue: "hex_malformed")
    public static let dataTooShort = Self(rawValue: "data_too_short")
    public static let signatureEmpty = Self(rawValue: "signature_empty")
    public static let publicKeyHashLength = Self(rawValue: "public_key_hash_length")
    public static let transactionIdentifierLength = Self(rawValue: "transaction_identifier_length")
    public static let applicationDataHashLength = Self(rawValue: "application_data_hash_length")
    public static let ephemeralPublicKeyMalformed = Self(rawValue: "ephemeral_public_key_malformed")
    public static let wrappedKeyLength = Self(rawValue: "wrapped_key_length")
    /// The header carries the key member of the other version, or both.
    public static let headerKeyConflict = Self(rawValue: "header_key_conflict")
    public static let transactionIdentifierMismatch = Self(rawValue: "transaction_identifier_mismatch")
}

// MARK: - Stage signature

extension TokenError.Code {
    public static let cmsMalformed = Self(rawValue: "cms_malformed")
    public static let cmsTrailingBytes = Self(rawValue: "cms_trailing_bytes")
    public static let cmsNotSignedData = Self(rawValue: "cms_not_signed_data")
    public static let cmsVersionUnsupported = Self(rawValue: "cms_version_unsupported")
    public static let cmsContentType = Self(rawValue: "cms_content_type")
    public static let cmsContentAttached = Self(rawValue: "cms_content_attached")
    public static let cmsUnexpectedElement = Self(rawValue: "cms_unexpected_element")
    public static let digestAlgorithmUnsupported = Self(rawValue: "digest_algorithm_unsupported")
    public static let signatureAlgorithmUnsupported = Self(rawValue: "signature_algorithm_unsupported")
    public static let signerCount = Self(rawValue: "signer_count")
    public static let signerIdentifierUnsupported = Self(rawValue: "signer_identifier_unsupported")
    public static let signedAttributesMissing = Self(rawValue: "signed_attributes_missing")
    public static let signedAttributeMalformed = Self(rawValue: "signed_attribute_malformed")
    public static let signedAttributeRepeated = Self(rawValue: "signed_attribute_repeated")
    public static let unsignedAttributesPresent = Self(rawValue: "unsigned_attributes_present")
    public static let contentTypeMissing = Self(rawValue: "content_type_missing")
    public static let contentTypeMismatch = Self(rawValue: "content_type_mismatch")
    public static let messageDigestMissing = Self(rawValue: "message_digest_missing")
    public static let messageDigestMismatch = Self(rawValue: "message_digest_mismatch")
    public static let signingTimeMissing = Self(rawValue: "signing_time_missing")
    public static let signingTimeMalformed = Self(rawValue: "signing_time_malformed")
    public static let algorithmProtectionMismatch = Self(rawValue: "algorithm_protection_mismatch")
    /// The sid of the signer does not name the leaf that bears Apple's marker.
    public static let signerNotLeaf = Self(rawValue: "signer_not_leaf")
    /// The algorithm is not the one of the token's version.
    public static let signatureAlgorithmMismatch = Self(rawValue: "signature_algorithm_mismatch")
    public static let signatureInvalid = Self(rawValue: "signature_invalid")
}

// MARK: - Stage chain

extension TokenError.Code {
    public static let certificatesTooMany = Self(rawValue: "certificates_too_many")
    public static let certificateMalformed = Self(rawValue: "certificate_malformed")
    public static let leafMissing = Self(rawValue: "leaf_missing")
    public static let leafRepeated = Self(rawValue: "leaf_repeated")
    public static let intermediateMissing = Self(rawValue: "intermediate_missing")
    public static let intermediateRepeated = Self(rawValue: "intermediate_repeated")
    /// One certificate bears the marker of the leaf and the marker of the intermediate.
    public static let markerAmbiguous = Self(rawValue: "marker_ambiguous")
    public static let certificateSuperfluous = Self(rawValue: "certificate_superfluous")
    public static let certificateAlgorithmUnsupported = Self(rawValue: "certificate_algorithm_unsupported")
    public static let certificateCriticalExtension = Self(rawValue: "certificate_critical_extension")
    public static let certificateExtensionMalformed = Self(rawValue: "certificate_extension_malformed")
    public static let intermediateNotAuthority = Self(rawValue: "intermediate_not_authority")
    public static let intermediateKeyUsage = Self(rawValue: "intermediate_key_usage")
    public static let leafIsAuthority = Self(rawValue: "leaf_is_authority")
    public static let leafKeyUsage = Self(rawValue: "leaf_key_usage")
    public static let leafKeyUnsupported = Self(rawValue: "leaf_key_unsupported")
    public static let leafIssuerMismatch = Self(rawValue: "leaf_issuer_mismatch")
    public static let leafSignatureInvalid = Self(rawValue: "leaf_signature_invalid")
    /// No trust anchor has the name of the intermediate's issuer.
    public static let rootUntrusted = Self(rawValue: "root_untrusted")
    /// A trust anchor has that name, and its key did not sign the intermediate.
    public static let intermediateSignatureInvalid = Self(rawValue: "intermediate_signature_invalid")
    public static let certificateNotYetValid = Self(rawValue: "certificate_not_yet_valid")
    public static let certificateExpired = Self(rawValue: "certificate_expired")
}

// MARK: - Stages window and expectation

extension TokenError.Code {
    public static let signingTimeTooOld = Self(rawValue: "signing_time_too_old")
    public static let signingTimeInFuture = Self(rawValue: "signing_time_in_future")
    public static let applicationDataMissing = Self(rawValue: "application_data_missing")
    public static let applicationDataMismatch = Self(rawValue: "application_data_mismatch")
}

// MARK: - Stages key selection and decryption

extension TokenError.Code {
    public static let keyUnknown = Self(rawValue: "key_unknown")
    public static let keyAlgorithmMismatch = Self(rawValue: "key_algorithm_mismatch")
    public static let ephemeralPublicKeyInvalid = Self(rawValue: "ephemeral_public_key_invalid")
    public static let wrappedKeyRejected = Self(rawValue: "wrapped_key_rejected")
    public static let unwrappedKeyLength = Self(rawValue: "unwrapped_key_length")
    public static let decryptionFailed = Self(rawValue: "decryption_failed")
}

// MARK: - Stage payload

extension TokenError.Code {
    public static let payloadMalformed = Self(rawValue: "payload_malformed")
    public static let payloadMemberMissing = Self(rawValue: "payload_member_missing")
    public static let payloadMemberWrongType = Self(rawValue: "payload_member_wrong_type")
    public static let accountNumberMalformed = Self(rawValue: "account_number_malformed")
    public static let expirationDateMalformed = Self(rawValue: "expiration_date_malformed")
    public static let currencyCodeMalformed = Self(rawValue: "currency_code_malformed")
    public static let amountMalformed = Self(rawValue: "amount_malformed")
    public static let deviceManufacturerMalformed = Self(rawValue: "device_manufacturer_malformed")
    public static let paymentDataTypeUnsupported = Self(rawValue: "payment_data_type_unsupported")
    public static let cryptogramMalformed = Self(rawValue: "cryptogram_malformed")
    public static let eciIndicatorMalformed = Self(rawValue: "eci_indicator_malformed")
    public static let emvDataMalformed = Self(rawValue: "emv_data_malformed")
    public static let encryptedPINDataMalformed = Self(rawValue: "encrypted_pin_data_malformed")
}

// MARK: - Stage certificate

extension TokenError.Code {
    public static let certificateUnreadable = Self(rawValue: "certificate_unreadable")
    public static let certificateWrongKind = Self(rawValue: "certificate_wrong_kind")
    public static let certificateNotSelfIssued = Self(rawValue: "certificate_not_self_issued")
    public static let merchantIdentifierMissing = Self(rawValue: "merchant_identifier_missing")
    public static let merchantIdentifierMismatch = Self(rawValue: "merchant_identifier_mismatch")
    public static let merchantIdentifierHashMalformed = Self(rawValue: "merchant_identifier_hash_malformed")
    public static let privateKeyUnreadable = Self(rawValue: "private_key_unreadable")
    public static let privateKeyEncrypted = Self(rawValue: "private_key_encrypted")
    public static let privateKeyUnsupported = Self(rawValue: "private_key_unsupported")
    public static let privateKeyMismatch = Self(rawValue: "private_key_mismatch")
    public static let signingRequestFailed = Self(rawValue: "signing_request_failed")
}
