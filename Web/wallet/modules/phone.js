//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The simulated phone, and how long things take.

// What Apple gives the shop for each answer before the sheet gives up.
export const answerSeconds = 30;
// What the "slow" network adds to each request of the simulated phone.
export const slowMilliseconds = 6000;
// How long a sheet is still seen when all is over.
export const doneMilliseconds = 1400;
export const failedMilliseconds = 4000;
export const highestVersion = 14;

/// The settings of the simulated phone. They outlive a sheet, not the page.
export const phone = { network: "normal", contacts: {} };
