/**
 * The form of an API key (contract, "Keys and scopes"): `rcl_`, 40 random base62 characters, and 6 base62 characters of
 * their CRC-32, by which a mistyped key is told without a look-up.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 40
const CHECK_CHARACTERS = 6
const FORM = /^rcl_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/

/** A new key with 238 bits of chance. */
export function newKeyText(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  return `rcl_${random}${checkCharacters(random)}`
}

/** True when the text has the form of a key, but its check characters do not fit: somebody mistyped it. */
export function isMistypedKey(text: string): boolean {
  const [, random, check] = FORM.exec(text) ?? []
  return random !== undefined && check !== checkCharacters(random)
}

/** SHA-256 of the key, lower-case hex: what is stored and looked up. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** First 8 and last 4 characters, `rcl_ab12…wxyz`. */
export function previewKey(text: string): string {
  return `${text.slice(0, 8)}…${text.slice(-4)}`
}

function checkCharacters(random: string): string {
  let rest = crc32(random)
  let characters = ''
  for (let index = 0; index < CHECK_CHARACTERS; index += 1) {
    characters = `${DIGITS[rest % DIGITS.length]}${characters}`
    rest = Math.floor(rest / DIGITS.length)
  }
  return characters
}
