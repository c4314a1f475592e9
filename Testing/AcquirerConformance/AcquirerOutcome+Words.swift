//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

extension AcquirerDecline {
    /// Without the vendor's own code and sentence, which a test of reasons does not spell out for every answer.
    public var wordless: AcquirerDecline {
        var answer = self.answer
        (answer.vendorCode, answer.vendorText) = (nil, nil)
        return AcquirerDecline(
            reason: self.reason, answer: answer, memo: self.memo, wasNeverSent: self.wasNeverSent)
    }
}

extension AcquirerOutcome {
    /// A decline without the vendor's own words; anything else as it is.
    public var wordless: AcquirerOutcome {
        if case .declined(let decline) = self { .declined(decline.wordless) } else { self }
    }
}

extension AcquirerQueryOutcome {
    /// A decline without the vendor's own words; anything else as it is.
    public var wordless: AcquirerQueryOutcome {
        if case .declined(let decline) = self { .declined(decline.wordless) } else { self }
    }
}
