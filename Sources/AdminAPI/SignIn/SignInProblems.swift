//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import HTTPTypes

extension Problem {
    init(_ refusal: SignInRefusal) {
        switch refusal {
        case .refused:
            self.init(
                .signInRefused, "The name, the password or the code is wrong, or nobody may sign in by that name now.")
            self.headers = Self.unauthorized.headers
        case .wait(let seconds):
            self.init(
                .tooManyAttempts, "Too many wrong tries came from this address. Wait, then try again.")
            self.headers[.retryAfter] = "\(seconds)"
        case .busy:
            self.init(
                .busy, "Too many people sign in at this moment. Try again in a few seconds.")
            self.headers[.retryAfter] = "3"
        case .sessionEnded:
            self.init(
                .sessionEnded, "Nobody is signed in here, or the session has ended. Sign in anew.")
            self.headers = Self.unauthorized.headers
        }
    }

    static var signInIncomplete: Problem {
        var problem = Problem(
            .signInIncomplete, "The sign-in waits for its next step: GET /session says which.")
        problem.headers = Self.unauthorized.headers
        return problem
    }

    static var personNeeded: Problem {
        Problem(.personNeeded, "This is a person's own: sign in. A token is nobody.")
    }
}
