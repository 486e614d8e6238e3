import { cleanFileName } from '../text/clean-file-name.ts'

/**
 * Name of a downloaded resource, from Content-Disposition (RFC 6266: `filename*` before
 * `filename`), else the last path segment of the URL; `null` for none. Cleaned by {@link
 * cleanFileName}.
 */
export function readResourceName(contentDisposition: string | undefined, url: URL): string | null {
  const header = (contentDisposition ?? '').slice(0, 4096)
  const named = [extendedName(header), plainName(header), lastSegment(url)]
  return named.map((name) => cleanFileName(name ?? undefined)).find((name) => name !== null) ?? null
}

/** `filename*=UTF-8''na%C3%AFve.txt` (RFC 8187); `null` for other charsets. */
function extendedName(header: string): string | null {
  const [, charset = '', encoded = ''] = /(?:^|;)\s*filename\*\s*=\s*"?([\w-]+)'[^']*'([^\s;"]*)/i.exec(header) ?? []
  if (/^utf-?8$/i.test(charset)) return decodePercents(encoded)
  return /^iso-8859-1$/i.test(charset) ? decodeLatin(encoded) : null
}

function plainName(header: string): string | null {
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]+))/i.exec(header) ?? []
  // A backslash before anything but a quote is a Windows path separator, not an escape, as in
  // browsers.
  const sent = quoted?.replace(/\\(["\\])/g, '$1') ?? token
  if (sent === undefined) return null
  const text = fromHeaderBytes(sent)
  // RFC 6266, appendix D: some servers percent-encode here too; a name with a literal %41 is rarer.
  return /%[0-9a-f]{2}/i.test(text) ? (decodePercents(text) ?? text) : text
}

function lastSegment(url: URL): string | null {
  const segment = url.pathname.split('/').at(-1) ?? ''
  return decodePercents(segment) ?? segment
}

/** Node decodes headers as Latin-1; senders of non-ASCII bytes nearly always mean UTF-8. */
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

/** Content of a Content-Type header in lower case; `charset` is `null` for none. */
type MediaType = { readonly type: string; readonly charset: string | null }

/** Parses a Content-Type header; `null` if absent or not a media type. */
export function readMediaType(header: string | undefined): MediaType | null {
  const [first = '', ...parameters] = (header ?? '').slice(0, 500).toLowerCase().split(';')
  const type = first.trim()
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type)) return null
  const charsets = parameters.map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(parameter)?.[1])
  return { type, charset: charsets.find((charset) => charset !== undefined) ?? null }
}
