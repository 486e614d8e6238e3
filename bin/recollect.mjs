#!/usr/bin/env node
/**
 * The command of the installed package. Runs the command line on the Node that the package brings (the npm package
 * `node`), because the machine's own may be older. Plain JavaScript for Node 20.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = createRequire(import.meta.url).resolve('node/package.json')
const runtime = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

const child = spawn(runtime, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    // ^C on a terminal reaches the child by itself; twice would look like a second ^C.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
child.on('error', (error) => {
  process.stderr.write(`recollect could not start its own Node: ${error.message}\n`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
