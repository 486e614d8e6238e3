import { getCodePageEncoding } from '../encoding/code-page.ts'
import { decodeBytes } from '../encoding/decode-file.ts'
import { decodeSymbol } from '../ooxml/docx/decode-symbol.ts'

/** A font of the font table. */
export type RtfFont = { name: string; charset: number | null; codePage: number | null }

/** Code pages by character set of a font. RTF 1.9.1, "Font Table". */
const CHARSET_CODE_PAGES: ReadonlyMap<number, number> = new Map([
  [0, 1252],
  [77, 10_000],
  [128, 932],
  [129, 949],
  [130, 1361],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
])
const SYMBOL_CHARSET = 2

/** Decodes bytes of a run in its font; `documentPage` applies to fonts without a character set. */
export function decodeRun(bytes: string, font: RtfFont | undefined, documentPage: number): string {
  if (font?.charset === SYMBOL_CHARSET)
    return Array.from(bytes, (byte) => decodeSymbol(font.name, byte.charCodeAt(0).toString(16))).join('')
  // The lower half is equal in all code pages, apart from trail bytes, which follow others.
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes
  const page = font?.codePage ?? CHARSET_CODE_PAGES.get(font?.charset ?? -1) ?? documentPage
  return decodeBytes(Buffer.from(bytes, 'latin1'), getCodePageEncoding(page))
}

/** Decodes a 16-bit character of `\u`; a private character is one of a symbol font. */
export function decodeUnicode(value: number, font: RtfFont | undefined): string {
  const unit = value & 0xffff
  if (unit < 0xf000 || unit > 0xf0ff) return String.fromCharCode(unit)
  return decodeSymbol(font?.name ?? null, unit.toString(16))
}

/** Characters written as control words. RTF 1.9.1, "Special Characters". */
export const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  softline: '\n',
  '~': '\u00a0',
  _: '-',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  zwj: '\u200d',
  zwnj: '\u200c',
  // Cells and rows of a table within a cell are words of that cell.
  nestcell: ' ',
  nestrow: ' ',
}
