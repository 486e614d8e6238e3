import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { dataFolder } from '../../src/files/data-folder.ts'
import { createLanceMemoryFile } from '../../src/memory-file/lance-memory-file.ts'

/** A sweep runs every minute and may be slow on a busy machine. */
const PATIENCE_MS = 180_000
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

type Row = { id: string; memory_id: string; status: string; chunk_count: number; has_source: number }

/**
 * Looks into the data folder of a running service: nothing in it may belong to nothing, and nothing
 * may be missing. Looks again while the sweep is at work; returns what is still wrong then, as
 * sentences. No client may be running.
 */
export async function auditDataFolder(dataDir: string): Promise<string[]> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const problems = await lookOnce(dataDir).catch(orGone)
    if (problems.length === 0 || Date.now() > until) return problems
    await setTimeout(200)
  }
}

/** A running job or sweep may remove files during a scan; the scan then repeats. */
function orGone(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error
  return [error.message]
}

async function lookOnce(dataDir: string): Promise<string[]> {
  const folder = dataFolder(dataDir)
  const { rows, memoryIds, open } = readRows(folder.database)
  const temporary = [...(await filesIn(folder.temporary)), ...(await filesIn(join(folder.objects, 'temporary')))]
  return [
    ...open,
    ...temporary.filter((name) => !name.startsWith('job-')).map((name) => `a temporary file is left: ${name}`),
    ...objectProblems(await filesIn(join(folder.objects, 'objects')), rows),
    ...(await chunkProblems(folder.memoryFiles, rows, memoryIds)),
  ]
}

function readRows(path: string): { rows: Map<string, Row>; memoryIds: Set<string>; open: string[] } {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const all = <Found>(sql: string) => database.prepare(sql).all() as Found[]
    const documents = all<Row>('select id, memory_id, status, chunk_count, has_source from documents')
    const memoryIds = new Set(all<{ id: string }>('select id from memories').map(({ id }) => id))
    // The removal of a memory repeats for ten minutes, so its row may remain.
    const open = [
      ...all<{ id: string }>('select document_id as id from intents').map(({ id }) => `an intent is left: ${id}`),
      ...all<{ id: string }>("select id from removals where kind != 'memory'").map(
        ({ id }) => `a removal is left: ${id}`,
      ),
      ...documents.filter((row) => !memoryIds.has(row.memory_id)).map(({ id }) => `${id} has no memory`),
    ]
    return { rows: new Map(documents.map((row) => [row.id, row])), memoryIds, open }
  } finally {
    database.close()
  }
}

async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

function objectProblems(names: readonly string[], rows: ReadonlyMap<string, Row>): string[] {
  const present = new Set(names)
  const orphans = names.filter((name) => {
    const [, , , id = '', part] = name.split('/')
    const row = rows.get(id)
    if (row === undefined) return true
    return row.status === 'ready' && (part === 'upload' || (part === 'source' && row.has_source === 0))
  })
  const missing = [...rows.values()]
    .filter(({ status, has_source }) => status === 'ready' && has_source === 1)
    .filter(({ id, memory_id }) => !present.has(`memories/${memory_id}/documents/${id}/source`))
  return [
    ...orphans.map((name) => `an object belongs to nothing: ${name}`),
    ...missing.map(({ id }) => `the original of ${id} is missing`),
  ]
}

async function chunkProblems(
  directory: string,
  rows: ReadonlyMap<string, Row>,
  memoryIds: ReadonlySet<string>,
): Promise<string[]> {
  const names = (await readdir(join(directory, 'memories'))).map((name) => name.replace(/\.lance$/, ''))
  const problems = names
    .filter((name) => !memoryIds.has(name))
    .map((name) => `a memory file belongs to nothing: ${name}`)
  const memoryFile = await createLanceMemoryFile({ directory, log: SILENT })
  try {
    for (const memoryId of memoryIds) {
      const counts = names.includes(memoryId) ? await memoryFile.count(memoryId) : new Map<string, number>()
      const own = [...rows.values()].filter((row) => row.memory_id === memoryId)
      problems.push(...countProblems(counts, own))
    }
  } finally {
    await memoryFile.close()
  }
  return problems
}

function countProblems(counts: ReadonlyMap<string, number>, rows: readonly Row[]): string[] {
  const known = new Set(rows.map(({ id }) => id))
  const orphans = [...counts.keys()].filter((id) => !known.has(id))
  const ready = rows.filter(({ status }) => status === 'ready')
  return [
    ...orphans.map((id) => `chunks belong to nothing: ${id}`),
    ...ready
      .filter(({ id, chunk_count }) => (counts.get(id) ?? 0) !== chunk_count)
      .map(({ id, chunk_count }) => `${id} has ${counts.get(id) ?? 0} of ${chunk_count} chunks`),
  ]
}
