import { formatNumber } from './format-number.ts'
import type { List, ListLevel, Lists } from './numbering.ts'

/** Counts through the lists of a document as Word does. */
export type ListCounters = {
  /**
   * The next number of a paragraph in list `id` at `level` (from 0; `null`: the level that belongs to the style), as it is
   * shown: `4.2`, `(b)`. Empty for bullets; `null` when there is no such list.
   */
  next(id: string, level: number | null, styleId: string | null): string | null
}

const LEVELS = 9

/** Makes the counters of one document. (ECMA-376 part 1, section 17.9.) */
export function createListCounters(lists: Lists): ListCounters {
  /** Last number given out, by definition and level. */
  const counts = new Map<string, (number | null)[]>()
  const begun = new Set<string>()

  function countersOf(list: List): (number | null)[] {
    const counters = counts.get(list.definitionId) ?? Array.from({ length: LEVELS }, () => null)
    counts.set(list.definitionId, counters)
    return counters
  }

  function beginList(id: string, list: List, counters: (number | null)[]): void {
    if (begun.has(id)) return
    begun.add(id)
    for (const [level, start] of list.starts) if (level < LEVELS) counters[level] = start - 1
  }

  return {
    next(id, level, styleId) {
      const list = lists.get(id)
      if (list === undefined) return null
      const at = Math.min(Math.max(level ?? levelOfStyle(list, styleId) ?? 0, 0), LEVELS - 1)
      const counters = countersOf(list)
      beginList(id, list, counters)
      const count = (counters[at] ?? (list.levels.get(at)?.start ?? 1) - 1) + 1
      counters[at] = count
      for (let deeper = at + 1; deeper < LEVELS; deeper += 1) {
        if (restarts(list.levels.get(deeper), at)) counters[deeper] = null
      }
      return showNumber(list, at, counters)
    },
  }
}

function levelOfStyle(list: List, styleId: string | null): number | null {
  if (styleId === null) return null
  for (const [level, { styleId: own }] of list.levels) if (own === styleId) return level
  return null
}

function restarts(deeper: ListLevel | undefined, at: number): boolean {
  const after = deeper?.restartAfter ?? null
  return after === null || (after > 0 && at < after)
}

function showNumber(list: List, at: number, counters: readonly (number | null)[]): string {
  const level = list.levels.get(at)
  if (level === undefined || level.format === 'bullet' || level.format === 'none') return ''
  return level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const other = list.levels.get(Number(digit) - 1)
    const count = counters[Number(digit) - 1] ?? other?.start ?? 1
    return formatNumber(count, level.isLegal ? 'decimal' : (other?.format ?? 'decimal'))
  })
}
