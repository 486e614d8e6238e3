/**
 * `npm pack` runs `begin` before packing and `end` after packing: the build, and a copy of the
 * lockfile as `npm-shrinkwrap.json`, since npm packs no `package-lock.json`. `npm ci` in the
 * unpacked package installs the tested versions. The shrinkwrap also applies `overrides`, which a
 * dependency cannot: 79 further packages, one of them with a runtime download at install time. In
 * the checkout npm would read the copy as the lockfile, so `end` removes the copy.
 */
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockfileFaults } from './lockfile-faults.ts'

const root = join(import.meta.dirname, '..')
const lockfile = join(root, 'package-lock.json')
const shrinkwrap = join(root, 'npm-shrinkwrap.json')

if (process.argv[2] === 'begin') {
  const { allowScripts } = readJson(join(root, 'package.json'))
  const faults = lockfileFaults(readJson(lockfile), Object.keys(allowScripts))
  if (faults.length > 0) throw new Error(`Not packed. The lockfile holds what it must not:\n${faults.join('\n')}`)
  await import('./build.ts')
  copyFileSync(lockfile, shrinkwrap)
} else {
  rmSync(shrinkwrap, { force: true })
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
