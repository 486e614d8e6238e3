import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { arrowViolations } from './arrows.ts'
import { listImports, listLoaded } from './imports.ts'
import { listProjectFiles } from './project-files.ts'

describe('a start', () => {
  const loaded = listLoaded(listProjectFiles(['.ts']), 'src/main.ts')

  it('loads no code that the first answer, extraction, tool or picture loads', () => {
    assert.ok(loaded.includes('src/services/search/search-service.ts'))
    const later =
      /^src\/(?:extraction|mcp|engine\/(?:answering|citing))\/|^(?:@ai-sdk|@aws-sdk|@opentelemetry\/sdk|sharp|marked)/
    assert.deepEqual(
      loaded.filter((path) => later.test(path)),
      [],
    )
  })
})

describe('the arrows between the layers', () => {
  it('hold in every file', () => {
    assert.deepEqual(arrowViolations(listProjectFiles(['.ts'])), [])
  })

  const forbidden: readonly (readonly [string, string, string])[] = [
    ['a route that uses the store', 'src/http/a.ts', "import { x } from '../database/jobs.ts'"],
    ['a route that uses a type of the store', 'src/http/a.ts', "import type { Job } from '../database/schema.ts'"],
    ['a route that uses the memory file', 'src/http/a.ts', "import { x } from '../memory-file/lance.ts'"],
    ['a service that uses a route', 'src/services/a.ts', "import { x } from '../http/server.ts'"],
    ['a leaf that uses another leaf', 'src/objects/a.ts', "import { x } from '../database/jobs.ts'"],
    ['a leaf that loads another leaf later', 'src/parsers/a.ts', "const x = await import('../objects/disk-blobs.ts')"],
    [
      'a leaf that uses a service',
      'src/database/a.ts',
      "import {\n  type A,\n  b,\n} from '../services/ingest-service.ts'",
    ],
    ['a leaf that passes another leaf on', 'src/database/a.ts', "export { x } from '../engine/fuse.ts'"],
    [
      'the engine using more than types of the parsers',
      'src/engine/a.ts',
      "import { parse } from '../parsers/parse.ts'",
    ],
    ['the engine reading files', 'src/engine/a.ts', "import { readFileSync } from 'node:fs'"],
    ['the engine waiting', 'src/engine/a.ts', 'export async function a() {}'],
    ['the engine looking at the clock', 'src/engine/a.ts', 'const now = Date.now()'],
    ['the engine rolling dice', 'src/engine/a.ts', 'const a = Math.random()'],
    ['a service that reads the settings', 'src/services/a.ts', "import { readConfig } from '../config.ts'"],
    ['a service that reads a setting type', 'src/services/a.ts', "import type { Config } from '../config.ts'"],
    ['a service that reads the environment', 'src/services/a.ts', "const a = process.env['HOME']"],
    ['a service that makes its own log', 'src/services/a.ts', "import { createLog } from '../observability/log.ts'"],
    ['an open file that hangs on a layer', 'src/limits.ts', "import { x } from './services/plans.ts'"],
    ['the API hanging on a layer', 'src/api/a.ts', "import { x } from '../services/a.ts'"],
    ['the API depending on another layer', 'src/api/a.ts', "import { x } from '../text/a.ts'"],
    ['the API hanging on another package', 'src/api/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['a leaf that uses a schema of the API', 'src/parsers/a.ts', "import { Text } from '../api/values.ts'"],
    ['a file of no layer', 'src/stuff/a.ts', 'export const a = 1'],
  ]
  for (const [what, path, source] of forbidden) {
    it(`forbid ${what}`, () => assert.equal(arrowViolations([{ path, source }]).length, 1))
  }

  const allowed: readonly (readonly [string, string, string])[] = [
    ['a route to use a service', 'src/http/a.ts', "import type { Services } from '../services/services.ts'"],
    ['every layer to use the error table', 'src/objects/a.ts', "import { ApiError } from '../errors.ts'"],
    ['every layer to use a type of the API', 'src/parsers/a.ts', "import type { Warning } from '../api/values.ts'"],
    ['the API to know the limits', 'src/api/a.ts', "import { HITS } from '../limits.ts'"],
    ['every layer to be handed a log', 'src/database/a.ts', "import type { Log } from '../observability/log.ts'"],
    ['the engine to know the shape of a block', 'src/engine/a.ts', "import type { Block } from '../parsers/parser.ts'"],
    ['the engine to hash', 'src/engine/a.ts', "import { createHash } from 'node:crypto'"],
    [
      'the engine to speak of promises',
      'src/engine/a.ts',
      '/** No Promise here. */\n// await nothing\nconst a = "async"',
    ],
    ['the composition to use everything', 'src/compose.ts', "import { openSqlite } from './database/open-sqlite.ts'"],
    ['Lance to be switched', 'src/memory-file/a.ts', "process.env['LANCE_CPU_THREADS'] ??= '2'"],
    ['Lance to be quiet', 'src/memory-file/a.ts', "process.env['LANCEDB_LOG'] ??= 'error'"],
    ['a test to use what it likes', 'src/http/a.test.ts', "import { x } from '../database/jobs.ts'"],
  ]
  for (const [what, path, source] of allowed) {
    it(`allow ${what}`, () => assert.deepEqual(arrowViolations([{ path, source }]), []))
  }
})

describe('listImports', () => {
  it('finds every form of import and distinguishes types from values', () => {
    const source = [
      "import a, { type B } from './a.ts'",
      "import { type C, type D } from '../d.ts'",
      "import type * as E from 'e'",
      "import 'node:test'",
      "export * from './f.ts'",
      "/* import { x } from './not.ts' */",
    ].join('\n')
    const found = listImports({ path: 'src/x/y.ts', source }).map((i) => `${i.target} ${i.isTypeOnly}`)
    assert.deepEqual(found, ['src/x/a.ts false', 'src/d.ts true', 'e true', 'node:test false', 'src/x/f.ts false'])
  })
})
