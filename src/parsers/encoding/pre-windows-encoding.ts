import iconv from 'iconv-lite'

/** The code pages of DOS and of the old Mac OS, in the order in which they are taken when nothing tells them apart; cp437 has the letters of cp850. */
const CANDIDATES = ['cp850', 'cp852', 'macintosh'] as const
/** Of the words with bytes above ASCII: as many must read well in an old code page, and no more in the encoding told otherwise. */
const LEAST_SHARE = 0.95
const MOST_SHARE = 0.75
/** Fewer are no proof: signs and names are shaped as they like. */
const LEAST_WORDS = 4

/**
 * The code page from before Windows that a text in Latin letters is in, `null` where `told` may do. Such texts are rare, and their letters are
 * signs in windows-1252 (`m”chten`, `d‚j…`), which part words: here they count as parts of them, and an old code page has to win clearly.
 */
export function detectPreWindowsEncoding(sample: Buffer, told: string): string | null {
  if (scoreWords(iconv.decode(sample, told)).share > MOST_SHARE) return null
  const scores = CANDIDATES.map((encoding) => ({ encoding, ...scoreWords(iconv.decode(sample, encoding)) }))
  const best = scores.reduce((one, other) => (other.share > one.share ? other : one))
  return best.share >= LEAST_SHARE && best.words >= LEAST_WORDS ? best.encoding : null
}

/** All that no letter of another encoding comes out as: ASCII but for letters, white space, the lines and blocks of DOS. */
const SEPARATOR = /[\s\u2500-\u259F\0-@[-`{-\x7f]+/u
/** Letters of one case, capitals first or throughout, with an apostrophe or a dash between; marks and signs before it, and those that can stand behind. */
const WORD =
  /^[\p{P}\p{S}]*(?:(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+)(?:[’‘–—…\u00AD](?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+))*)?(?:(?![‚„•])[\p{P}\p{S}\p{No}])*$/u

/** How many words have letters beyond ASCII, and which share of those with anything beyond it is shaped as words are. */
function scoreWords(text: string): { words: number; share: number } {
  const parts = text.split(SEPARATOR).filter((part) => part.length > 1 && /[^\p{ASCII}]/u.test(part))
  const words = parts.filter((part) => /(?!\p{ASCII})\p{L}/u.test(part)).length
  return { words, share: parts.length === 0 ? 1 : parts.filter((part) => WORD.test(part)).length / parts.length }
}
