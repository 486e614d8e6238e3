import type { Entry, Ledger } from './ledger.ts'

/**
 * Where several clients replaced the same document at once: what is wrong with the one that is left, as sentences. Which of them it is nobody can say,
 * but it is one, and none that was acknowledged before another was even sent. Those that were replaced are gone from now on.
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
