// SPDX-License-Identifier: Apache-2.0
//
// Runs the facts of a WebAssembly module made of fact_driver.c, wasm_support.c and the native kernel:
//
//     node wasm_facts.mjs MODULE
import { readFileSync } from 'node:fs';

const { sin, cos, atan2 } = Math;
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const wanted = WebAssembly.Module.imports(module).map((entry) => entry.name).sort().join(' ');
if (wanted.split(' ').some((name) => name && !['sin', 'cos', 'atan2'].includes(name))) {
  console.error(`wasm_facts: the module imports ${wanted}`);
  process.exit(1);
}
const { exports } = await WebAssembly.instantiate(module, { env: { sin, cos, atan2 } });
const failures = exports.run_facts();
for (const [kind, name] of ['distances', 'ends', 'areas', 'closest places'].entries()) {
  const share = exports.worst_share(kind).toFixed(2);
  console.log(`wasm_facts: ${exports.facts_checked(kind)} ${name}, the worst at ${share} of its bound`);
}
process.exit(failures === 0 ? 0 : 1);
