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

/**
 * Cleans a path from an untrusted source: no drive, root, `.` or `..`, and no control characters.
 * A path of more than 255 characters loses its first folders. Returns `null` if nothing is left.
 * The result is data only and never part of a path.
 */
export function cleanFilePath(sent: string): string | null {
  const names = sent
    .replace(/^[a-z]:/i, '')
    .split(/[/\\]/)
    .flatMap((name) => cleanFileName(name) ?? [])
  while (names.length > 1 && names.join('/').length > MAX_CHARACTERS) names.shift()
  return names.length === 0 ? null : names.join('/')
}
