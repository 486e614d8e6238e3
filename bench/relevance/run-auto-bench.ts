import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import { startService } from '../service.ts'
import { fillAutoMemory, listMisses, type Miss, mostMisses, readAutoQueries } from './auto-set.ts'

const MODES = ['auto', 'hybrid', 'lexical', 'semantic']

/**
 * The rate of correct first passages by query category and mode over the project's query set
 * (`auto-set`), and the misses of `auto`. False when `auto` finds too few of a category.
 */
export async function runAutoBench(): Promise<boolean> {
  const data = mkdtempSync(join(tmpdir(), 'recollect-auto-'))
  const service = await startService(data)
  try {
    print(describeMachine())
    const memory = await fillAutoMemory(service)
    const queries = readAutoQueries()
    const misses = new Map<string, Miss[]>()
    for (const mode of MODES) misses.set(mode, await listMisses(service, memory, { queries, modeOf: () => mode }))
    const sorts = [...Map.groupBy(queries, ({ sort }) => sort)]
    const missesIn = (mode: string, sort: string) => misses.get(mode)?.filter((miss) => miss.sort === sort).length ?? 0
    const rows = sorts.map(([sort, own]) => [
      sort,
      String(own.length),
      ...MODES.map((mode) => String(own.length - missesIn(mode, sort))),
    ])
    const all = [
      'all',
      String(queries.length),
      ...MODES.map((mode) => String(queries.length - (misses.get(mode)?.length ?? 0))),
    ]
    print(table('The right passage comes first', ['sort of query', 'queries', ...MODES], [...rows, all]))
    const told = misses
      .get('auto')
      ?.map(({ query, mode, documents, filename }) => [query, mode, documents.join(', '), filename])
    print(table('What auto misses', ['query', 'mode', 'wanted', 'came first'], told ?? []))
    return sorts.every(([sort, own]) => missesIn('auto', sort) <= mostMisses(sort, own.length))
  } finally {
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
