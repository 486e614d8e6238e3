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
