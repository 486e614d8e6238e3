/**
 * The known name a mistyped one most likely means: the one with the fewest edits (Levenshtein), at most a third of
 * the name without its common prefix. `null` when none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = name.toUpperCase()
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(wanted, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  const most = Math.max(2, Math.floor((wanted.length - 'RECOLLECT_'.length) / 3))
  return best !== undefined && best.edits <= most ? best.candidate : null
}

function countEdits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
