/**
 * The text as every store takes it: unpaired surrogates and U+0000 become U+FFFD, so that no database or encoder
 * changes it later. The length in UTF-16 code units stays the same, and so do offsets.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD')
}
