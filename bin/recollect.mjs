#!/usr/bin/env node
/**
 * The command of the installed package. Runs the command line on the Node that the package brings (the npm package
 * `node`), because the machine's own may be older. Plain JavaScript for Node 20.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What `dist` needs at least: `node:sqlite` without a flag, current V8. */
const NODE_MAJOR = 24

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
/** Less room for new objects, few pools of glibc and memory given back keep the service small, and the first searches wait for no collection of memory, as in scripts/run.mjs. */
const heap = ['--max-semi-space-size=16', '--initial-old-space-size=64']
const environment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...process.env,
}
const child = spawn(requireRuntime(), [...heap, program, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment,
})
/** Standard input alone may be a pipe: cat notes.md | recollect add - */
const isOnTerminal = process.stdin.isTTY || process.stderr.isTTY
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    // ^C on a terminal reaches the child by itself; twice would look like a second ^C.
    if (signal !== 'SIGINT' || !isOnTerminal) child.kill(signal)
  })
child.on('error', (error) => fail(`The Node of recollect does not start: ${error.message}`))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))

/** The path of a Node that is new enough. An npm that ran no install scripts has left the brought one out. */
function requireRuntime() {
  const manifest = createRequire(import.meta.url).resolve('node/package.json')
  const brought = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(brought)) return brought
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return process.execPath
  return fail(
    `recollect needs Node ${NODE_MAJOR}, and npm was not allowed to install it (it runs the install script of the ` +
      'package "node"). Allow that script and run npm rebuild node, or run recollect with a newer Node.',
  )
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
