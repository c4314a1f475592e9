//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients

/// The wire's names and bodies are the client's; what is sent when, and what of it, is decided here.
typealias APIOperation = CommWebClient.Operation
