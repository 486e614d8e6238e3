import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { printedPages } from '../../scripts/docs/printed-pages.ts'

const root = join(import.meta.dirname, '../..')

for (const [path, content] of Object.entries(printedPages())) {
  it(`${path} is what the source prints (if not: npm run check -- --write)`, () => {
    const file = join(root, path)
    assert.ok(existsSync(file), `${path} is missing; write it with: npm run check -- --write`)
    assert.ok(readFileSync(file, 'utf8') === content, `${path} is out of date; write it with: npm run check -- --write`)
  })
}
