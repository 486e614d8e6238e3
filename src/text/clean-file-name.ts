/** Longest name that file systems take; a longer one keeps its beginning and its extension. */
const MAX_CHARACTERS = 255

/**
 * The name of a file that a stranger gave, as data: without folders and control characters, at most 255 characters; `null` when
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
