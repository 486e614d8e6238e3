import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readOwnSet } from '../../bench/relevance/chunking/read-whole-documents.ts'
import { FORMATS, listSupportedNames } from '../../src/parsers/formats.ts'
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

describe('the questions of the chunking bench', () => {
  it('have their answers in the pages', () => {
    const own = readOwnSet()
    assert.equal(own.lost, 0)
    assert.ok(own.questions.length > 70)
  })
})

describe('the lists of supported files', () => {
  it('name every format in the README and the docs', () => {
    const names = `${listSupportedNames('documents')}, ${listSupportedNames('images')}`
      .replace('/NDJSON', '')
      .split(', ')
    const missing = ['README.md', 'docs/supported-files.md'].flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(text)
      return names.flatMap((name) => (isNamed(name) ? [] : [`${path} lacks ${name}`]))
    })
    assert.deepEqual(missing, [])
  })

  it('let the console choose files by every extension', () => {
    const source = readFileSync(join(root, 'src/console/documents/upload-area.tsx'), 'utf8')
    const accepted = new Set(Array.from(source.matchAll(/\.(\w+)(?=[,'])/g), ([, extension]) => extension))
    const extensions = [...FORMATS.flatMap((format) => format.extensions), 'gz']
    assert.deepEqual(
      extensions.filter((extension) => !accepted.has(extension)),
      [],
    )
  })
})

describe('the documents about the code', () => {
  it('name files that exist', () => {
    const files = listProjectFiles()
    const paths = files.map(({ path }) => path)
    const documents = files.filter(({ path }) => /^(?:ARCHITECTURE\.md|docs\/internals\/.*\.md)$/.test(path))
    const missing = documents.flatMap(({ path, source }) =>
      namedFiles(source).flatMap((name) => (exists(name, paths) ? [] : [`${path} names ${name}`])),
    )
    assert.deepEqual(missing, [])
  })

  it('are searched for the names of files with and without their folders', () => {
    assert.deepEqual(namedFiles('`a-b.ts`, `src/c/d.test.ts` and `e.f`'), ['a-b.ts', 'src/c/d.test.ts'])
    assert.equal(exists('c/d.ts', ['src/c/d.ts']), true)
    assert.equal(exists('d.ts', ['src/c/bad.ts']), false)
  })
})

/** Files in backticks. */
function namedFiles(source: string): string[] {
  return [...source.matchAll(/`([\w./-]+\.(?:ts|tsx|mjs))`/g)].map(([, name = '']) => name)
}

/** True when a path ends in this name. `chunker.test.ts` is an example of a name. */
function exists(name: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === name || path.endsWith(`/${name}`))
}
