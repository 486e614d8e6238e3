import { findEncoding } from './decode-file.ts'

/** Encodings of code pages that have other names. */
const ENCODINGS: ReadonlyMap<number, string> = new Map([
  [1200, 'utf-16le'],
  [10_000, 'macintosh'],
  [10_006, 'macgreek'],
  [10_007, 'x-mac-cyrillic'],
  [10_029, 'maccenteuro'],
  [10_081, 'macturkish'],
  [65_001, 'utf-8'],
])

/**
 * Returns the encoding of a Windows code page, as `decodeBytes` takes it; `windows-1252` for an
 * unknown number.
 */
export function getCodePageEncoding(codePage: number): string {
  return ENCODINGS.get(codePage) ?? findEncoding(`cp${codePage}`) ?? 'windows-1252'
}
