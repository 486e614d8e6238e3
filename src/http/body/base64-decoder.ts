import { type ApiError, invalid } from '../../errors.ts'

/** Characters of a data URL before its comma; the longest media type with parameters has far fewer. */
const MAX_PREFIX = 1000

/** Base64 that comes in pieces; throws `validation_failed`, naming its field, for what is none. */
export type Base64Decoder = {
  /** The bytes that are whole by now. */
  write(text: string): Buffer
  /** The last bytes; an empty text is none. */
  end(): Buffer
  /** The type that a data URL's prefix names, `null` without one. */
  mediaType(): string | null
}

/**
 * Decodes base64 of either alphabet (RFC 4648, sections 4 and 5), with or without padding, with white space in it, with the prefix of a
 * data URL or without. `param` is the field that errors name.
 */
export function createBase64Decoder(param: string): Base64Decoder {
  /** What has come while it may still be a prefix; `null` when that is over. */
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
    if (isDataUrl && comma === -1 && start.length <= MAX_PREFIX) return ''
    prefix = null
    if (!isDataUrl) return start
    const [type = '', ...parameters] = start.slice('data:'.length, Math.max(comma, 0)).split(';')
    if (parameters.at(-1)?.trim().toLowerCase() !== 'base64')
      throw invalid(param, 'has the prefix of a data URL that does not say base64')
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
      if (wrong !== undefined) throw notBase64(param, `${JSON.stringify(wrong)} stands in it`)
      if (padding > 0 && letters !== '') throw notBase64(param, 'it goes on after its end')
      padding += marks.length
      isEmpty &&= clean === ''
      return decode(letters)
    },
    end() {
      if (prefix !== null && prefix !== '') throw notBase64(param, 'it ends in the prefix of a data URL')
      if (isEmpty) throw invalid(param, 'must not be empty')
      const isPadded = padding === 0 || (pending.length >= 2 && pending.length + padding === 4)
      if (pending.length === 1 || !isPadded) throw notBase64(param, 'it is cut off')
      return Buffer.from(pending, 'base64')
    },
    mediaType: () => mediaType,
  }
}

function splitPadding(text: string): [letters: string, marks: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

function notBase64(param: string, why: string): ApiError {
  return invalid(param, `must be base64: ${why}`)
}
