/** A place in a text, in UTF-16 code units. */
export type Place = { start: number; end: number }

/** Signs that are copied in one form or the other. */
const ALIKE: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
}
const SPACE = /\s/

/**
 * Where a text has the words of a quotation: literally, else without regard to white space, capitals and the forms of quotation
 * marks and dashes; the first place that cuts neither word nor number. `null` where it does not have them so, and for a quotation without a
 * letter or digit.
 */
export function findQuote(text: string, quote: string): Place | null {
  const trimmed = quote.trim()
  if (!/[\p{L}\p{N}]/u.test(trimmed)) return null
  const literal = listStarts(text, trimmed).map((start) => ({ start, end: start + trimmed.length }))
  return choosePlace(text, literal) ?? choosePlace(text, listAlike(text, trimmed))
}

function listStarts(text: string, words: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) starts.push(at)
  return starts
}

function listAlike(text: string, quote: string): Place[] {
  const { signs, places } = withoutSpace(text)
  const wanted = withoutSpace(quote).signs
  return listStarts(signs, wanted).flatMap((at) => {
    const start = places[at]
    const last = places[at + wanted.length - 1]
    return start === undefined || last === undefined ? [] : [{ start, end: last + 1 }]
  })
}

function choosePlace(text: string, places: readonly Place[]): Place | null {
  const isWhole = (at: number) => !cutsNumber(text, at) && !cutsWord(text, at)
  return places.find(({ start, end }) => isWhole(start) && (isWhole(end) || endsBeforeUnit(text, end))) ?? null
}

/** Enough to see whether a number goes on. */
const NEAR_CHARACTERS = 4

/** "4,500" says the same as "4,500.00". */
const NOTHING_MORE = /^[.,]00?(?!\d)/

/** Between digits, or beside the mark of decimals or thousands within a number; "2026" of "1.3.2026" is a number of its own. */
function cutsNumber(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - NEAR_CHARACTERS), at)
  const after = text.slice(at, at + NEAR_CHARACTERS)
  if (/\d$/.test(before)) return /^[.,]?\d/.test(after) && !NOTHING_MORE.test(after)
  return /\d[.,]$/.test(before) && /^\d{1,3}(?!\d)/.test(after)
}

/** Scripts without spaces have no place between words, and some join small words to others: there any will do. */
const IN_WORD = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{M}\\p{Nd}]'
const WORD_BEFORE = new RegExp(`${IN_WORD}$`, 'u')
const WORD_AFTER = new RegExp(`^${IN_WORD}`, 'u')

function cutsWord(text: string, at: number): boolean {
  return WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at)) && WORD_AFTER.test(text.slice(at, at + 2))
}

/** The 10 of "10kg". */
function endsBeforeUnit(text: string, at: number): boolean {
  return /^\d\p{L}/u.test(text.slice(Math.max(0, at - 1), at + 2)) && !cutsNumber(text, at)
}

/** The signs of a text that count, each one code unit, and where they stand. */
function withoutSpace(text: string): { signs: string; places: number[] } {
  const places: number[] = []
  let signs = ''
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index)
    if (SPACE.test(sign)) continue
    const lower = sign.toLowerCase()
    signs += ALIKE[sign] ?? (lower.length === 1 ? lower : sign)
    places.push(index)
  }
  return { signs, places }
}
