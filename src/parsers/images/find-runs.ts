/** Characters of a page that are to be marked, as places in the list they were found in: `end` is not one of them. */
type Run = { start: number; end: number }

/** Shorter pieces of a word stand in too many places to say which is meant. */
const SHORTEST = 3

/**
 * Where the words of a passage stand among the characters of a page. A page's characters come in the order of its file, the
 * passage in reading order: it is looked for whole, behind the words that stand `before` it, and where a page is laid out
 * in columns, in the longest pieces that stand together. White space, case, ligatures and hyphens at line ends are no difference. What stands
 * nowhere is left out.
 */
export function findRuns(characters: readonly string[], { before, wanted }: { before: string; wanted: string }): Run[] {
  const page = toComparable(characters)
  const context = toComparable([...before]).text
  const words = wanted.split(/\s+/).map((word) => toComparable([...word]).text)
  const pieces = words.filter((word) => word !== '')
  const runs: Run[] = []
  // Behind the context, where that stands on the page.
  let from = Math.max(0, page.text.indexOf(context) + context.length)
  if (context !== '' && !page.text.includes(context)) from = 0
  for (let at = 0; at < pieces.length; ) {
    const found = longestFrom(page.text, pieces, { at, from })
    if (found === null) at += 1
    else {
      runs.push({ start: page.places[found.start] ?? 0, end: (page.places[found.end - 1] ?? 0) + 1 })
      at += found.words
      from = found.end
    }
  }
  return runs
}

type Piece = { start: number; end: number; words: number }

/** The most words from `at` on that stand together: after the last ones found, or else anywhere. */
function longestFrom(page: string, words: readonly string[], { at, from }: { at: number; from: number }): Piece | null {
  let piece = ''
  let best: Piece | null = null
  for (let next = at; next < words.length; next += 1) {
    piece += words[next]
    const behind = page.indexOf(piece, from)
    const start = behind >= 0 ? behind : page.indexOf(piece)
    if (start < 0) break
    if (piece.length >= SHORTEST) best = { start, end: start + piece.length, words: next - at + 1 }
  }
  return best
}

/** The text that is compared, and for each of its characters the place it comes from. */
function toComparable(characters: readonly string[]): { text: string; places: number[] } {
  const places: number[] = []
  let text = ''
  characters.forEach((character, place) => {
    const form = character
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s\p{Pd}\u00ad\p{Cc}\p{M}]/gu, '')
    for (const unit of form) {
      text += unit
      for (let step = 0; step < unit.length; step += 1) places.push(place)
    }
  })
  return { text, places }
}
