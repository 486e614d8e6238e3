/** Words that no file may contain, since they tie the project to one machine or registry. */
import type { ProjectFile } from './project-files.ts'

/** Assembled from halves, so this file does not contain the words. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`(?<![\w.])/${'wo'}rk/`), 'a path of one machine'],
  [new RegExp(`/tmp/${'ba'}sh|/tmp/${'br'}ief|/home/[a-z]+/|/Users/[A-Za-z]+/`), 'a path of one machine'],
  [new RegExp(String.raw`\.\./${'sha'}red\b`), 'a folder outside of the project'],
  [new RegExp(`registry\\.${'npm'}js\\.org|${'"resol'}ved": "https?:|${'verd'}accio|${'arti'}factory`), 'a registry'],
]

/** Each forbidden word with file and line. Binary files are skipped. */
export function wordViolations(files: readonly ProjectFile[]): string[] {
  return files.flatMap(({ path, source }) => (source.includes('\0') ? [] : linesWithWords(path, source)))
}

function linesWithWords(path: string, source: string): string[] {
  // Tests the whole file first, since almost no file contains a match.
  const present = FORBIDDEN.filter(([pattern]) => pattern.test(source))
  if (present.length === 0) return []
  return source.split('\n').flatMap((line, index) => {
    const found = present.filter(([pattern]) => pattern.test(line))
    return found.map(([, what]) => `${path}:${index + 1} names ${what}`)
  })
}
