import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** The npm packages that contain Node, one for each supported platform. */
export const NODE_PACKAGES = Object.keys(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies,
).filter((name) => name.startsWith('node-'))

const FILES = [
  ...['scripts/run.mjs', 'scripts/install.mjs', 'scripts/bundle-folder.mjs', 'bin/runtime.mjs'],
  ...['package.json', 'package-lock.json', '.npmrc'],
]

/**
 * Copies the files needed to start a checkout into `folder`, with the given shell script as `npm`;
 * returns the environment with `PATH`.
 */
export function copyCheckout(folder: string, npm: string): NodeJS.ProcessEnv {
  for (const path of FILES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(folder, path))
  }
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${npm}`, { mode: 0o755 })
  return { PATH: `${folder}:${process.env['PATH']}` }
}

/** Marks the packages of the lockfile as installed. */
export function markInstalled(folder: string, set: 'run' | 'all' = 'all'): void {
  const lockfile = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/.recollect.json'), JSON.stringify({ lockfile, set }))
}
