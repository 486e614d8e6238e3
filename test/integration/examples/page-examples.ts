/** The examples of a Markdown page: commands, and the output shown. */

export type Example = {
  /** `sh`, `ts` or `python`. */
  language: string
  code: string
  /** The output shown; `null` without one. */
  expected: string | null
  /** Line of the page, from 1. */
  line: number
}

const BLOCK = /^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm
const RUNNABLE = ['sh', 'console', 'ts', 'python']

/**
 * The examples in order. A block marked `elsewhere` in its first line is skipped: it starts or
 * stops a service. A `json` or `text` block directly after an example is its output. Blocks marked
 * `tab` are one sample in several languages, and an output after them is that of the first. A
 * `console` block contains both, with `$ ` before commands.
 */
export function pageExamples(markdown: string): Example[] {
  const examples: Example[] = []
  let end = 0
  let shown: Example | undefined
  for (const { 0: whole, 1: language = '', 2: note = '', 3: code = '', index } of markdown.matchAll(BLOCK)) {
    const line = markdown.slice(0, index).split('\n').length
    const isNext = markdown.slice(end, index).trim() === ''
    if (['json', 'text'].includes(language) && isNext && shown !== undefined) shown.expected = code.trim()
    else if (RUNNABLE.includes(language) && !note.includes('elsewhere')) {
      examples.push(...(language === 'console' ? readConsole(code, line) : [{ language, code, expected: null, line }]))
      if (!isNext || !note.includes('tab') || language === 'sh') shown = examples.at(-1)
    }
    end = index + whole.length
  }
  return examples
}

/**
 * A command continues over lines of a here-document and after a backslash or a pipe; the lines
 * after the command are its output.
 */
function readConsole(block: string, line: number): Example[] {
  return block
    .split(/^(?=\$ )/m)
    .filter((part) => part.startsWith('$ '))
    .map((part) => {
      const lines = part.slice(2).trimEnd().split('\n')
      const length = commandLines(lines)
      const expected = lines.slice(length).join('\n').trim()
      return {
        language: 'sh',
        code: lines.slice(0, length).join('\n'),
        expected: expected === '' ? null : expected,
        line,
      }
    })
}

function commandLines(lines: readonly string[]): number {
  const mark = /<<'?(\w+)/.exec(lines[0] ?? '')?.[1]
  if (mark !== undefined) return lines.indexOf(mark) + 1
  return lines.findIndex((text) => !/(\\|\|)$/.test(text)) + 1
}

const ID = /"(\w+)":\s*\[?\s*"((?:mem|org|doc|job|key|prj|whk)_[0-9a-z]{26})"/g

/**
 * The differences between shown and actual output, as sentences. Complete JSON must have the same
 * fields with values of the same types. For shortened JSON, with `…`, every shown field must exist.
 * Text must be identical.
 */
export function differences(expected: string, actual: string): string[] {
  if (!/^[{[]/.test(expected))
    return expected === actual.trim() ? [] : [`${expected}\nis shown, and what came is\n${actual}`]
  const shown = expected.replaceAll('\n', ' ')
  const came = lastLine(actual)
  if (!/[,[{]\s*…|:\{…/.test(shown)) return differencesOf(JSON.parse(shown), JSON.parse(came), '')
  const fields = [...shown.matchAll(/"(\w+)":/g)].map(([field]) => field)
  return fields.filter((field) => !came.includes(field)).map((field) => `no ${field} in ${came}`)
}

/** Of several answers the page shows the last. */
function lastLine(text: string): string {
  return (
    text
      .trim()
      .split(/\n(?=\{)|(?<=\})(?=\{)/)
      .at(-1) ?? ''
  )
}

function differencesOf(shown: unknown, came: unknown, place: string): string[] {
  if (typeof shown !== typeof came || (shown === null) !== (came === null)) {
    return [`${place} is ${JSON.stringify(came)} in place of ${JSON.stringify(shown)}`]
  }
  if (typeof shown !== 'object' || shown === null) return []
  const [one, other] = [shown as Record<string, unknown>, came as Record<string, unknown>]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.flatMap((name) =>
    name in one && name in other
      ? differencesOf(one[name], other[name], `${place}.${name}`)
      : [`${place}.${name} is on one side only`],
  )
}

/** Pairs of identifiers on the page and in the output, matched by field name. */
export function pairIds(expected: string, actual: string): [string, string][] {
  const came = new Map([...lastLine(actual).matchAll(ID)].reverse().map(([, field, id]) => [field, id]))
  return [...expected.matchAll(ID)].flatMap(([, field, id]): [string, string][] => {
    const other = came.get(field)
    return other === undefined || id === undefined ? [] : [[id, other]]
  })
}
