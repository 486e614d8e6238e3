/**
 * Decodes a character of a symbol font, given by its hexadecimal code, to Unicode. Unknown fonts
 * use the code without the private-use offset. Empty when nothing printable remains.
 */
export function decodeSymbol(font: string | null, code: string | null): string {
  const point = Number.parseInt(code ?? '', 16)
  if (!Number.isFinite(point) || point < 0x20 || point > 0xffff) return ''
  const own = point >= 0xf000 && point <= 0xf0ff ? point - 0xf000 : point
  const name = (font ?? '').toLowerCase()
  if (name === 'symbol') return SYMBOL[own] ?? toPrintableAscii(own)
  if (name.startsWith('wingdings')) return name === 'wingdings' ? (WINGDINGS[own] ?? '') : (WINGDINGS_2[own] ?? '')
  return point >= 0xe000 && point <= 0xf8ff ? toPrintableAscii(own) : String.fromCharCode(point)
}

function toPrintableAscii(code: number): string {
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ''
}

/** Adobe's Symbol encoding: Greek letters and common symbols. */
const SYMBOL: Readonly<Record<number, string>> = {
  ...mapRange(0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'),
  ...mapRange(0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'),
  ...mapRange(0xa1, 'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…'),
  ...mapRange(0xc4, '⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊'),
  34: '∀',
  36: '∃',
  39: '∋',
  45: '−',
  64: '≅',
  94: '⊥',
  126: '∼',
  229: '∑',
  242: '∫',
}

const WINGDINGS: Readonly<Record<number, string>> = {
  110: '■',
  111: '□',
  113: '❑',
  168: '◻',
  216: '➢',
  224: '→',
  223: '←',
  225: '↑',
  226: '↓',
  232: '➔',
  240: '⇨',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
  74: '☺',
  76: '☹',
}

const WINGDINGS_2: Readonly<Record<number, string>> = { 79: '✗', 80: '✓', 81: '☒', 82: '☑', 163: '□' }

function mapRange(first: number, characters: string): Record<number, string> {
  return Object.fromEntries([...characters].map((character, index) => [first + index, character]))
}
