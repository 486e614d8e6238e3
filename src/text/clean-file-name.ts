/** Limit of file systems. Longer names keep their start and extension. */
const MAX_CHARACTERS = 255

/**
 * Cleans a file name from an untrusted source: removes folders and control characters, at most 255
 * characters. Returns `null` if nothing is left. The result is data only and never part of a path.
 */
export function cleanFileName(sent: string | undefined): string | null {
  const last = (sent ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? ''
  // Cc and Cf: control characters, and direction marks that disguise extensions.
  const clean = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  if (clean === '' || clean === '.' || clean === '..') return null
  if (clean.length <= MAX_CHARACTERS) return clean
  const extension = /\.[^.]{1,20}$/.exec(clean)?.[0] ?? ''
  return (clean.slice(0, MAX_CHARACTERS - extension.length) + extension).toWellFormed()
}
