/**
 * The folder of the bundle of these sources. Plain JavaScript for Node 20: `run.mjs` compares the
 * sources with the bundle before each start.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a bundle is made of, beside the folder `src`. */
const FILES = ['package-lock.json', 'scripts/bundle-service.ts', 'scripts/bundle-places.ts']

/** The name of every bundle's folder starts with this. */
export const BUNDLE_PREFIX = 'dist-'

/**
 * Returns the path of the bundle, which may not exist yet. The name is a hash of all sources, so
 * that a bundle of other sources never runs. Reading them takes 25 ms.
 */
export function bundleFolder(root) {
  const hash = createHash('sha256')
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  for (const path of [...sources.sort(), ...FILES.map((name) => join(root, name))]) {
    const content = readFileSync(path)
    hash.update(`${path.slice(root.length)} ${content.length}\n`).update(content)
  }
  return join(root, `${BUNDLE_PREFIX}${hash.digest('hex').slice(0, 16)}`)
}
