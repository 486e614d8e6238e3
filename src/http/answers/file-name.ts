/** Longest name that file systems take; a longer one keeps its beginning and its extension. */
const MAX_CHARACTERS = 255

/**
 * The name of an uploaded file as data: without folders and control characters, at most 255 characters; `null` when
 * nothing of it is left. It never becomes part of a path.
 */
export function cleanFileName(sent: string | undefined): string | null {
  const last = (sent ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? ''
  // Cc and Cf: control characters, and the marks that turn the direction of text and disguise extensions.
  const clean = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  if (clean === '' || clean === '.' || clean === '..') return null
  if (clean.length <= MAX_CHARACTERS) return clean
  const extension = /\.[^.]{1,20}$/.exec(clean)?.[0] ?? ''
  return (clean.slice(0, MAX_CHARACTERS - extension.length) + extension).toWellFormed()
}

/** A Content-Disposition header that offers this name for saving (RFC 6266, with RFC 5987 for what is not ASCII). */
export function contentDisposition(filename: string | null): string {
  if (filename === null) return 'attachment'
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ascii === filename
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
