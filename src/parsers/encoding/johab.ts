import iconv from 'iconv-lite'

/**
 * Johab, the Korean encoding of DOS (KS C 5601-1992, annex 3; code page 1361). Fifteen bits of a
 * pair name the initial, medial and final letter of a syllable. Symbols and Chinese characters
 * follow in the order of KS X 1001.
 */
export const JOHAB = 'johab'

/** Letters by their five bits; a space is the filler, U+FFFD is not assigned. */
const INITIALS = '\uFFFD ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const MEDIALS = '\uFFFD\uFFFD ㅏㅐㅑㅒㅓ\uFFFD\uFFFDㅔㅕㅖㅗㅘㅙ\uFFFD\uFFFDㅚㅛㅜㅝㅞㅟ\uFFFD\uFFFDㅠㅡㅢㅣ'
const FINALS = '\uFFFD ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁ\uFFFDㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'
const FIRST_SYLLABLE = 0xac00
const MEDIAL_COUNT = 21
const FINAL_COUNT = 28

const [FIRST_LEAD, LAST_SYLLABLE_LEAD, FIRST_SYMBOL_LEAD, FIRST_HAN_LEAD, LAST_LEAD] = [0x84, 0xd3, 0xd9, 0xe0, 0xf9]
/** Characters in a row of KS X 1001, and the numbers of its first row and first row of Han. */
const ROW_LENGTH = 94
const [FIRST_ROW, FIRST_HAN_ROW] = [0xa1, 0xca]

/** Creates a streaming decoder; bytes that are no character become U+FFFD. */
export function createJohabDecoder(): { write(bytes: Buffer): string; end(): string } {
  let lead: number | null = null
  return {
    write(bytes) {
      let text = ''
      for (const byte of bytes) {
        if (lead !== null) {
          text += decodePair(lead, byte)
          lead = null
        } else if (byte < 0x80) text += String.fromCharCode(byte)
        else if (byte < FIRST_LEAD || byte > LAST_LEAD) text += '\uFFFD'
        else lead = byte
      }
      return text
    },
    end: () => (lead === null ? '' : '\uFFFD'),
  }
}

function decodePair(lead: number, trail: number): string {
  if (lead <= LAST_SYLLABLE_LEAD) return decodeSyllable((lead << 8) | trail)
  if (lead < FIRST_SYMBOL_LEAD || lead === FIRST_HAN_LEAD - 1 || trail < 0x31 || (trail > 0x7e && trail < 0x91))
    return '\uFFFD'
  const column = trail - (trail < 0x91 ? 0x31 : 0x43)
  const row =
    lead < FIRST_HAN_LEAD ? FIRST_ROW + 2 * (lead - FIRST_SYMBOL_LEAD) : FIRST_HAN_ROW + 2 * (lead - FIRST_HAN_LEAD)
  const place = [row + Math.floor(column / ROW_LENGTH), 0xa1 + (column % ROW_LENGTH)]
  return iconv.decode(Buffer.from(place), 'euc-kr')
}

function decodeSyllable(pair: number): string {
  const initial = INITIALS[(pair >> 10) & 31] ?? '\uFFFD'
  const medial = MEDIALS[(pair >> 5) & 31] ?? '\uFFFD'
  const final = FINALS[pair & 31] ?? '\uFFFD'
  const letters = (initial + medial + final).replaceAll(' ', '')
  if (letters.includes('\uFFFD')) return '\uFFFD'
  if (initial === ' ' || medial === ' ') return letters
  const [first, second, third] = [order(INITIALS, initial), order(MEDIALS, medial), order(FINALS, final)]
  const number = ((first - 1) * MEDIAL_COUNT + second - 1) * FINAL_COUNT + third
  return String.fromCharCode(FIRST_SYLLABLE + number)
}

/** The position among the assigned letters; 0 is the filler. */
function order(letters: string, letter: string): number {
  return letters.replaceAll('\uFFFD', '').indexOf(letter)
}

/** Fewer syllables are no proof. */
const MIN_SYLLABLES = 8
const MIN_COMMON_SHARE = 0.95

/**
 * True if the bytes decode to Korean. KS X 1001 has 2,350 of the 11,172 syllables, which are nearly
 * all in use; bytes of other encodings decode to any.
 */
export function isJohab(sample: Buffer): boolean {
  const text = createJohabDecoder().write(sample)
  const syllables = text.match(/[가-힣]/g) ?? []
  const others = text.match(/[^\p{ASCII}가-힣]/gu) ?? []
  const invalid = others.filter((character) => character === '\uFFFD').length
  if (syllables.length < Math.max(MIN_SYLLABLES, others.length) || invalid * 100 > syllables.length) return false
  const common = syllables.filter((syllable) => iconv.encode(syllable, 'euc-kr').every((byte) => byte >= 0xa1))
  return common.length >= syllables.length * MIN_COMMON_SHARE
}
