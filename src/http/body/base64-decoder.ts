import { type ApiError, invalid } from '../../errors.ts'

/** Maximum length of a data URL prefix. The longest media types with parameters are far shorter. */
const MAX_PREFIX_CHARACTERS = 1000

/** Incremental base64 decoder. Throws `validation_failed` with the field name for invalid input. */
export type Base64Decoder = {
  /** Returns the bytes that are complete so far. */
  write(text: string): Buffer
  /** Returns the last bytes. An empty text is invalid. */
  end(): Buffer
  /** Returns the media type of a data URL, `null` without one. */
  mediaType(): string | null
}

/**
 * Decodes both base64 alphabets (RFC 4648, sections 4 and 5), with or without padding, white space
 * and data URL prefix. `param` is the field name for errors.
 */
export function createBase64Decoder(param: string): Base64Decoder {
  /** Text that may still be a prefix; `null` after the prefix. */
  let prefix: string | null = ''
  let mediaType: string | null = null
  let pending = ''
  let padding = 0
  let isEmpty = true

  function passPrefix(text: string): string {
    if (prefix === null) return text
    const start = (prefix + text).trimStart()
    prefix = start
    if (start.length < 5 && 'data:'.startsWith(start.toLowerCase())) return ''
    const comma = start.indexOf(',')
    const isDataUrl = /^data:/i.test(start)
    if (isDataUrl && comma === -1 && start.length <= MAX_PREFIX_CHARACTERS) return ''
    prefix = null
    if (!isDataUrl) return start
    const [type = '', ...parameters] = start.slice('data:'.length, Math.max(comma, 0)).split(';')
    if (parameters.at(-1)?.trim().toLowerCase() !== 'base64')
      throw invalid(param, 'has a data URL prefix without base64')
    mediaType = type.trim() || null
    return start.slice(comma + 1)
  }

  function decode(letters: string): Buffer {
    const all = pending + letters
    const whole = all.length - (all.length % 4)
    pending = all.slice(whole)
    return Buffer.from(all.slice(0, whole), 'base64')
  }

  return {
    write(text) {
      const clean = passPrefix(text).replace(/\s+/g, '')
      const [letters = '', marks = ''] = splitPadding(clean)
      const wrong = /[^a-z0-9+/_-]/i.exec(letters)?.[0] ?? /[^=]/.exec(marks)?.[0]
      if (wrong !== undefined) throw invalidBase64(param, `it contains ${JSON.stringify(wrong)}`)
      if (padding > 0 && letters !== '') throw invalidBase64(param, 'it continues after the padding')
      padding += marks.length
      isEmpty &&= clean === ''
      return decode(letters)
    },
    end() {
      if (prefix !== null && prefix !== '') throw invalidBase64(param, 'it ends within the data URL prefix')
      if (isEmpty) throw invalid(param, 'must not be empty')
      const isPadded = padding === 0 || (pending.length >= 2 && pending.length + padding === 4)
      if (pending.length === 1 || !isPadded) throw invalidBase64(param, 'it is truncated')
      return Buffer.from(pending, 'base64')
    },
    mediaType: () => mediaType,
  }
}

function splitPadding(text: string): [letters: string, marks: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

function invalidBase64(param: string, why: string): ApiError {
  return invalid(param, `must be base64: ${why}`)
}
