import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { listProjectFiles } from './project-files.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

describe('the npm scripts', () => {
  it('are ten at most', () => assert.ok(Object.keys(scripts).length <= 10))

  it('include every script that the documentation names', () => {
    const missing = listProjectFiles(['.md', '.ts', '.mjs']).flatMap(({ path, source }) =>
      namedScripts(source).flatMap((name) => (name in scripts ? [] : [`${path} names npm run ${name}`])),
    )
    assert.deepEqual(missing, [])
  })

  it('are recognized with and without options of npm', () => {
    assert.deepEqual(namedScripts('`npm run check -- --write` and npm run -s cli'), ['check', 'cli'])
  })
})

function namedScripts(source: string): string[] {
  return [...source.matchAll(/npm run (?:-s |--silent )?([a-z][\w:]*)/g)].map(([, name = '']) => name)
}
