/**
 * What `npm pack` runs before (`begin`) and after (`end`) it takes the files: the build, and a copy of the lockfile as
 * `npm-shrinkwrap.json`. npm installs a package's dependencies as that file says, so whoever installs the package has the versions that were
 * tested here, and not what `overrides` keeps out, which a dependency's own overrides could not: 75 further packages, one of which downloads a
 * runtime from elsewhere when it is installed. In the checkout the copy would be taken for the lockfile, so it goes again.
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
