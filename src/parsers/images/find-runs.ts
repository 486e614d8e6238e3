/** A range of a page's characters; `end` is exclusive. */
type Run = { start: number; end: number }

/** Shorter pieces occur in too many places. */
const MIN_PIECE_CHARACTERS = 3

/**
 * Finds the words of a passage among the characters of a page. Characters are in file order, the
 * passage in reading order.
 *
 * Tries the whole passage after the words in `before`; on a page with columns, the longest
 * contiguous pieces. Ignores white space, case, ligatures and hyphens at line ends. Words not found
 * are skipped.
 */
export function findRuns(characters: readonly string[], { before, wanted }: { before: string; wanted: string }): Run[] {
  const page = normalizeCharacters(characters)
  const context = normalizeCharacters([...before]).text
  const words = wanted.split(/\s+/).map((word) => normalizeCharacters([...word]).text)
  const pieces = words.filter((word) => word !== '')
  const runs: Run[] = []
  // Start after the context, if the page has it.
  let from = Math.max(0, page.text.indexOf(context) + context.length)
  if (context !== '' && !page.text.includes(context)) from = 0
  for (let at = 0; at < pieces.length; ) {
    const found = findLongestPiece(page.text, pieces, { at, from })
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

/** Finds the longest run of words from `at`: after the previous match, else anywhere. */
function findLongestPiece(
  page: string,
  words: readonly string[],
  { at, from }: { at: number; from: number },
): Piece | null {
  let piece = ''
  let best: Piece | null = null
  for (let next = at; next < words.length; next += 1) {
    piece += words[next]
    const behind = page.indexOf(piece, from)
    const start = behind >= 0 ? behind : page.indexOf(piece)
    if (start < 0) break
    if (piece.length >= MIN_PIECE_CHARACTERS) best = { start, end: start + piece.length, words: next - at + 1 }
  }
  return best
}

/** Normalized text, and for each of its characters the original index. */
function normalizeCharacters(characters: readonly string[]): { text: string; places: number[] } {
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
