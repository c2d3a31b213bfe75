// SPDX-License-Identifier: Apache-2.0

/// The folder that the sources of these tests belong to.
let repositoryRoot = String(#filePath.dropLast("/Tests/BenchTests/Support/RepositoryRoot.swift".count))
