import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** The npm packages that hold Node, one for each platform it is brought for. */
export const NODE_PACKAGES = Object.keys(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies,
).filter((name) => name.startsWith('node-'))

/** Copies of what a checkout starts with into `folder`, where `npm` is the given shell script, and `PATH` to run them. */
export function copyCheckout(folder: string, npm: string): NodeJS.ProcessEnv {
  for (const path of ['scripts/run.mjs', 'bin/runtime.mjs', 'package-lock.json']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(folder, path))
  }
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${npm}`, { mode: 0o755 })
  return { PATH: `${folder}:${process.env['PATH']}` }
}
