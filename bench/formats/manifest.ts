import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The expected outcome of a file. */
export type Expectation =
  | { kind: 'text'; phrases: string[]; structures: Structure[]; needed: number }
  | { kind: 'no text' }
  | { kind: 'error'; cause: string }

/** Expected structure beside words: a heading on a separate line, or a number of rows and cells. */
export type Structure = { heading: string } | { rows: number; columns: number }

/** A file of the folder. `format` is the word of the manifest: `md`, `tif`. */
export type ManifestRow = { file: string; format: string; expect: Expectation }

/** One wrong word in three may come from recognition or from the mark-up. */
const LENIENT_FORMATS = ['html', 'xml']
const LENIENT_SHARE = 2 / 3

/**
 * The rows of `MANIFEST.tsv`: file, origin, licence, format, expect. `expect` is a behaviour
 * ("encrypted: must fail cleanly", "image with no readable text: …") or phrases joined by ` ; `.
 * Phrases in pictures follow "OCR …:". Throws when the folder has no manifest.
 */
export function readManifest(folder: string): ManifestRow[] {
  const [, ...lines] = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').split(/\r?\n/)
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [file = '', , , format = '', ...expect] = line.split('\t')
      return { file, format, expect: readExpectation(expect.join('\t').trim(), format) }
    })
}

function readExpectation(expect: string, format: string): Expectation {
  const cause = /^(\w[\w ]*):.*must fail/.exec(expect)?.[1]
  if (cause !== undefined) return { kind: 'error', cause }
  if (/no readable text/.test(expect)) return { kind: 'no text' }
  const recognized = /^OCR\b[^:]*:\s*/.exec(expect)?.[0]
  const wanted = expect
    .slice(recognized?.length ?? 0)
    .split(' ; ')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
  const structures = wanted.flatMap((phrase) => readStructure(phrase))
  const phrases = wanted.filter((phrase) => readStructure(phrase).length === 0)
  const isLenient = recognized !== undefined || LENIENT_FORMATS.includes(format)
  const needed = isLenient ? Math.round(phrases.length * LENIENT_SHARE) : phrases.length
  return { kind: 'text', phrases, structures, needed }
}

function readStructure(phrase: string): Structure[] {
  const heading = /^heading "(.+)"$/.exec(phrase)?.[1]
  if (heading !== undefined) return [{ heading }]
  const [, rows, columns] = /^table (\d+)x(\d+)$/.exec(phrase) ?? []
  return rows === undefined ? [] : [{ rows: Number(rows), columns: Number(columns) }]
}
