import type { DatabaseCheck, DatabaseProblem } from '../../database/database-check.ts'
import { isDamage } from '../../errors.ts'
import type { Damage } from './damage.ts'

/** Lines of the database's own that are named. */
const NAMED = 5

/** What the database's own check found, in our words: one damage of its pages, and one of each kind of rows whose other half is gone. */
export function* examineDatabase({ problems }: DatabaseCheck): Generator<Damage> {
  const ofPages = problems.filter(({ part }) => part !== 'reference')
  const isOfTable = ofPages.some(({ part }) => part === 'table')
  if (ofPages.length > 0) yield toDamage(isOfTable ? 'damaged_database' : 'damaged_database_index', describe(ofPages))
  for (const { part, detail } of problems) if (part === 'reference') yield toDamage('broken_reference', detail)
}

/** What rests on the database, which may reject since that is damaged: then this is the last damage that can be named. */
export async function* untilDamage(damages: AsyncIterable<Damage>, isKnown: () => boolean): AsyncGenerator<Damage> {
  try {
    yield* damages
  } catch (error) {
    if (!isDamage(error)) throw error
    const { cause } = error
    if (!isKnown()) yield toDamage('damaged_database', cause instanceof Error ? cause.message : error.message)
  }
}

function toDamage(kind: Damage['kind'], detail: string): Damage {
  return { kind, memoryId: null, documentId: null, detail }
}

function describe(problems: readonly DatabaseProblem[]): string {
  const named = problems.slice(0, NAMED).map(({ detail }) => detail)
  const left = problems.length - named.length
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')
}
