// SPDX-License-Identifier: Apache-2.0

/// The parts of the page that are the same whatever the data: written as they stand, in the order in which they are declared
/// in `PageReport`.
enum FindingPage {}
