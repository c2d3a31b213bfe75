// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianJobs

StandardFiles.fill()
Interrupt.install()
exit(Command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
