/** Words that must not stand in a file of the project: they would tie it to one machine or one registry. */
import type { ProjectFile } from './project-files.ts'

/** Put together from halves, so that this file does not name what it looks for. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`(?<![\w.])/${'wo'}rk/`), 'a path of one machine'],
  [new RegExp(`/tmp/${'ba'}sh|/tmp/${'br'}ief|/home/[a-z]+/|/Users/[A-Za-z]+/`), 'a path of one machine'],
  [new RegExp(String.raw`\.\./${'sha'}red\b`), 'a folder outside of the project'],
  [new RegExp(`registry\\.${'npm'}js\\.org|${'"resol'}ved": "https?:|${'verd'}accio|${'arti'}factory`), 'a registry'],
]

/** Each such word with its file and line. Binary files are passed over. */
export function wordViolations(files: readonly ProjectFile[]): string[] {
  return files.flatMap(({ path, source }) => (source.includes('\0') ? [] : linesWithWords(path, source)))
}

function linesWithWords(path: string, source: string): string[] {
  // One look at the whole file first: nearly every file has none.
  const present = FORBIDDEN.filter(([pattern]) => pattern.test(source))
  if (present.length === 0) return []
  return source.split('\n').flatMap((line, index) => {
    const found = present.filter(([pattern]) => pattern.test(line))
    return found.map(([, what]) => `${path}:${index + 1} names ${what}`)
  })
}
