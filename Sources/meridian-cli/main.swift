// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianJobs

if CommandLine.arguments.dropFirst().elementsEqual([IsolatedWorker.verb]), IsolatedWorker.isExpected {
  IsolatedWorker.run()
  exit(0)
}
StandardFiles.fill()
Interrupt.install()
exit(Command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
