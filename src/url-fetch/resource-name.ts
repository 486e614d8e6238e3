/** Longest name that file systems take; a longer one keeps its beginning and its extension. */
const MAX_CHARACTERS = 255

/**
 * The name of a downloaded resource as data: of Content-Disposition (RFC 6266: `filename*` before `filename`), else the
 * last part of the URL's path; `null` when neither gives one. Without folders, control characters and marks that turn
 * the direction of text; at most 255 characters. It never becomes part of a path.
 */
export function readResourceName(contentDisposition: string | undefined, url: URL): string | null {
  const header = (contentDisposition ?? '').slice(0, 4096)
  const named = [extendedName(header), plainName(header), lastSegment(url)]
  return named.map((name) => cleanName(name)).find((name) => name !== null) ?? null
}

/** `filename*=UTF-8''na%C3%AFve.txt` (RFC 8187); `null` in another charset. */
function extendedName(header: string): string | null {
  const [, charset = '', encoded = ''] = /(?:^|;)\s*filename\*\s*=\s*"?([\w-]+)'[^']*'([^\s;"]*)/i.exec(header) ?? []
  if (/^utf-?8$/i.test(charset)) return decodePercents(encoded)
  return /^iso-8859-1$/i.test(charset) ? decodeLatin(encoded) : null
}

function plainName(header: string): string | null {
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]+))/i.exec(header) ?? []
  // A backslash before anything but a quote is no escape but a folder of the sender's machine, as browsers take it.
  const sent = quoted?.replace(/\\(["\\])/g, '$1') ?? token
  if (sent === undefined) return null
  const text = fromHeaderBytes(sent)
  // RFC 6266, appendix D: some servers percent-encode here too; a name with a real %41 in it is rarer.
  return /%[0-9a-f]{2}/i.test(text) ? (decodePercents(text) ?? text) : text
}

function lastSegment(url: URL): string | null {
  const segment = url.pathname.split('/').at(-1) ?? ''
  return decodePercents(segment) ?? segment
}

/** Node gives the bytes of a header as Latin-1; senders that use more than ASCII mean UTF-8 nearly always. */
export function fromHeaderBytes(header: string): string {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header
  const text = Buffer.from(header, 'latin1').toString('utf8')
  return text.includes('�') ? header : text
}

function decodePercents(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function decodeLatin(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function cleanName(name: string | null): string | null {
  const last = (name ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  if (clean === '' || clean === '.' || clean === '..') return null
  if (clean.length <= MAX_CHARACTERS) return clean
  const extension = /\.[^.]{1,20}$/.exec(clean)?.[0] ?? ''
  return (clean.slice(0, MAX_CHARACTERS - extension.length) + extension).toWellFormed()
}

/** What a Content-Type header says, lower-cased; `charset` is `null` where it names none. */
export type MediaType = { readonly type: string; readonly charset: string | null }

/** Reads a Content-Type header; `null` for an absent one and for one that is no media type. */
export function readMediaType(header: string | undefined): MediaType | null {
  const [first = '', ...parameters] = (header ?? '').slice(0, 500).toLowerCase().split(';')
  const type = first.trim()
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type)) return null
  const charsets = parameters.map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(parameter)?.[1])
  return { type, charset: charsets.find((charset) => charset !== undefined) ?? null }
}
