import iconv from 'iconv-lite'

/** Encodings of code pages that iconv-lite knows under other names. */
const ENCODINGS: ReadonlyMap<number, string> = new Map([
  [1200, 'utf-16le'],
  [10_000, 'macroman'],
  [10_006, 'macgreek'],
  [10_007, 'maccyrillic'],
  [10_029, 'maccenteuro'],
  [10_081, 'macturkish'],
  [65_001, 'utf-8'],
])

/** Returns the encoding of a Windows code page; `windows-1252` for an unknown number. */
export function getCodePageEncoding(codePage: number): string {
  const known = ENCODINGS.get(codePage)
  if (known !== undefined) return known
  return iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : 'windows-1252'
}
