import iconv from 'iconv-lite'
import { detectLegacyEncoding } from '../encoding/legacy-encoding.ts'

/** Code pages by the primary language (low ten bits) of a Windows language number; all others are windows-1252. MS-LCID. */
const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [0x01, 'windows-1256'],
  [0x02, 'windows-1251'],
  [0x04, 'gbk'],
  [0x05, 'windows-1250'],
  [0x08, 'windows-1253'],
  [0x0d, 'windows-1255'],
  [0x0e, 'windows-1250'],
  [0x11, 'shift_jis'],
  [0x12, 'cp949'],
  [0x15, 'windows-1250'],
  [0x18, 'windows-1250'],
  [0x19, 'windows-1251'],
  [0x1a, 'windows-1250'],
  [0x1b, 'windows-1250'],
  [0x1c, 'windows-1250'],
  [0x1e, 'windows-874'],
  [0x1f, 'windows-1254'],
  [0x20, 'windows-1256'],
  [0x22, 'windows-1251'],
  [0x23, 'windows-1251'],
  [0x24, 'windows-1250'],
  [0x25, 'windows-1257'],
  [0x26, 'windows-1257'],
  [0x27, 'windows-1257'],
  [0x29, 'windows-1256'],
  [0x2a, 'windows-1258'],
  [0x2f, 'windows-1251'],
])

/** Chinese in these countries is written in Big5. */
const BIG5_LANGUAGES: ReadonlySet<number> = new Set([0x0404, 0x0c04, 0x1404])
/** Serbian in Cyrillic. */
const CYRILLIC_SERBIAN = 0x0c1a
/** Western texts have about one such byte in twenty. */
const MAX_WESTERN_SHARE = 0.25
const SAMPLE_BYTES = 64 * 1024

/** The encoding of a text in 8-bit characters, by the language of its file, or by the text where that says Western but is not. */
export function chooseCodePage(language: number, text: Buffer): string {
  if (BIG5_LANGUAGES.has(language)) return 'big5'
  if (language === CYRILLIC_SERBIAN) return 'windows-1251'
  const known = CODE_PAGES.get(language & 0x3ff)
  if (known !== undefined) return known
  const sample = text.subarray(0, SAMPLE_BYTES)
  const high = sample.reduce((count, byte) => count + (byte >= 0xc0 ? 1 : 0), 0)
  return high > sample.length * MAX_WESTERN_SHARE ? detectLegacyEncoding(sample) : 'windows-1252'
}

/** Decodes 8-bit text; every byte of a single-byte encoding is one character. */
export function decodeText(bytes: Buffer, codePage: string): string {
  return iconv.decode(bytes, codePage)
}
