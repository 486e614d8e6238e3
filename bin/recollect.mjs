#!/usr/bin/env node
/**
 * The command of the installed package. Runs the command line on the Node of the package
 * (`runtime.mjs`), because the machine's Node may be older. Plain JavaScript for Node 20.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { explainMissing, findNode, ignoreDebugSignal, MEMORY_SETTINGS, NODE_FLAGS } from './runtime.mjs'

ignoreDebugSignal()
const missing = explainMissing()
if (missing !== null) fail(missing)

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const cache = fileURLToPath(new URL('../dist/compile-cache', import.meta.url))
const child = spawn(findNode(), [...NODE_FLAGS, program, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // Where the folder cannot be written, starts take a little longer.
  env: { NODE_COMPILE_CACHE: cache, ...MEMORY_SETTINGS, ...process.env },
})
/** Only standard input may be a pipe: cat notes.md | recollect add - */
const isOnTerminal = process.stdin.isTTY || process.stderr.isTTY
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    // The terminal sends Ctrl-C to the child too; a second signal would look like another Ctrl-C.
    if (signal !== 'SIGINT' || !isOnTerminal) child.kill(signal)
  })
child.on('error', (error) => fail(`The Node of recollect does not start: ${error.message}`))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
