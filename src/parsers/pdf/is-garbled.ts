/** Fewer letters say nothing of a language. */
const LEAST_LETTERS = 60
/** Of any text in Latin letters 30 to 50 % are vowels; where a font's table is shifted, what shows as vowels are other letters. */
const LEAST_VOWELS = 0.2
/** Shifted small letters show as capitals, and German, with its many R, has more of them that look like vowels. Texts in capitals have 33 % and more. */
const LEAST_VOWELS_IN_CAPITALS = 0.28
/** Marks that no text has: replacement, private use, control. */
const MOST_STRANGE = 0.3
/** Ornaments, which are what glyphs without a code of their own (`a1`, `a2`) are named as in the font that has them: pages of PostScript whose letters are pictures. */
const MOST_ORNAMENTS = 0.5

/**
 * True when a text is not what the page shows, because its font does not say which letters its shapes are: then the page has to be looked at.
 * `unmapped` counts the characters that PDFium itself doubts.
 */
export function isGarbled(text: string, unmapped: number): boolean {
  // Without their accents, letters are those of the basic alphabet in every language that is written in Latin.
  const shown = text.normalize('NFD').replace(/[\s\p{M}]/gu, '')
  if (shown.length < 10) return false
  const strange = shown.match(/(?![\uf000-\uf0ff])[\ufffd\p{Co}\p{Cc}]/gu)?.length ?? 0
  if (strange > MOST_STRANGE * shown.length || unmapped > 0.5 * shown.length) return true
  const ornaments = shown.match(/[\u2701-\u27be]/g)?.length ?? 0
  if (shown.length >= LEAST_LETTERS && ornaments > MOST_ORNAMENTS * shown.length) return true
  const letters = shown.match(/[A-Za-z]/g)?.length ?? 0
  if (letters < LEAST_LETTERS || letters < 0.5 * shown.length) return false
  const vowels = shown.match(/[AEIOUYaeiouy]/g)?.length ?? 0
  const capitals = shown.match(/[A-Z]/g)?.length ?? 0
  const least = capitals > 0.9 * letters ? LEAST_VOWELS_IN_CAPITALS : LEAST_VOWELS
  return vowels < least * letters && !hasWords(text)
}

/** Short words of the common languages in Latin letters: a list of codes has none, and is no garbled text if it has some. */
function hasWords(text: string): boolean {
  return (
    (text.match(/\b(?:the|and|of|to|in|for|is|der|die|und|das|de|la|le|et|el|en|di|il|que|um|van|na|och|att)\b/gi)
      ?.length ?? 0) >= 3
  )
}
