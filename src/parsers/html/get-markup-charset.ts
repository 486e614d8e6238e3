import iconv from 'iconv-lite'

/** Browsers look no further. HTML Living Standard, 13.2.3.2 "Determining the character encoding". */
const MAX_BYTES = 1024 * 4

/**
 * The encoding that the `meta` of an HTML page or the declaration of an XML file names, as `iconv-lite` takes it; `null` when there
 * is none or it is unknown to us. UTF-16 is never true here, as the declaration was read as ASCII.
 */
export function getMarkupCharset(head: Buffer): string | null {
  const text = head.toString('latin1', 0, MAX_BYTES).replaceAll(/<!--.*?-->/gs, '')
  const declared =
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(text)?.[1] ??
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1]
  const charset = declared?.toLowerCase()
  if (charset === undefined || /^(?:utf-?16|utf-?32|ucs-)/.test(charset)) return null
  return iconv.encodingExists(charset) ? charset : null
}
