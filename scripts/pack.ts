/**
 * What `npm pack` runs before (`begin`) and after (`end`) it takes the files: the build, and a copy of the lockfile as
 * `npm-shrinkwrap.json`. npm installs a package's dependencies as that file says, so whoever installs the package has the versions that were
 * tested here, and not what `overrides` keeps out, which a dependency's own overrides could not: 75 further packages, one of which downloads a
 * runtime from elsewhere when it is installed. In the checkout the copy would be taken for the lockfile, so it goes again.
 */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const shrinkwrap = join(root, 'npm-shrinkwrap.json')

if (process.argv[2] === 'begin') {
  await import('./build.ts')
  copyFileSync(join(root, 'package-lock.json'), shrinkwrap)
} else {
  rmSync(shrinkwrap, { force: true })
}
