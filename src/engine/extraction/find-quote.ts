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
 * marks and dashes. `null` where it does not have them, and for a quotation without a letter or digit.
 */
export function findQuote(text: string, quote: string): Place | null {
  const trimmed = quote.trim()
  if (!/[\p{L}\p{N}]/u.test(trimmed)) return null
  const literal = text.indexOf(trimmed)
  if (literal >= 0) return { start: literal, end: literal + trimmed.length }
  const own = withoutSpace(text)
  const wanted = withoutSpace(trimmed).signs
  const at = own.signs.indexOf(wanted)
  const start = own.places[at]
  const last = own.places[at + wanted.length - 1]
  return at < 0 || start === undefined || last === undefined ? null : { start, end: last + 1 }
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
