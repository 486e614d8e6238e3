/**
 * `npm run check -- --write`: prints the generated pages from the source. An architecture test
 * fails when a page is out of date.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printedPages } from './docs/printed-pages.ts'

const root = join(import.meta.dirname, '..')
for (const [path, content] of Object.entries(printedPages())) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  process.stdout.write(`${path}\n`)
}
