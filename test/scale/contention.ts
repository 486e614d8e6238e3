import type { Entry, Ledger } from './ledger.ts'

/**
 * Checks a document that several clients replaced concurrently; returns problems as sentences. The
 * survivor is unknown, but exactly one remains, and never a version acknowledged before another
 * version was sent. Replaced versions count as gone afterwards.
 */
export function contentionProblems(ledger: Ledger, found: ReadonlySet<Entry>): string[] {
  const contended = [...ledger.entries.values()].filter((entry) => entry.isContended && entry.memory.state === 'there')
  const groups = Map.groupBy(contended, ({ memory, externalId }) => `${memory.id} ${externalId}`)
  return [...groups].flatMap(([name, entries]) => groupProblems(ledger, { name, entries, found }))
}

type Group = { name: string; entries: readonly Entry[]; found: ReadonlySet<Entry> }

function groupProblems(ledger: Ledger, { name, entries, found }: Group): string[] {
  const left = entries.filter((entry) => found.has(entry))
  const acknowledged = entries.filter(({ shownAt }) => shownAt !== null)
  if (left.length > 1) return [`${name} is there ${left.length} times`]
  const [last] = left
  if (last === undefined) return acknowledged.length > 0 ? [`${name} was acknowledged and is lost`] : []
  const younger = acknowledged.find(({ sentAt }) => last.shownAt !== null && sentAt > last.shownAt)
  if (younger !== undefined) return [`${name} is ${last.id}, which ${younger.id} replaced later`]
  for (const entry of acknowledged) if (entry !== last && entry.state === 'there') ledger.end(entry)
  return []
}
