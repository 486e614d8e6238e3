import type { Entry } from './entry.ts'

const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[[\]{}]|(?<![\w"])(?:-?\d[\d.eE+-]*|true|false|null)(?![\w"])/g
const TRUST = 1

type Open = { key: string; mark: string; start: number; isPlain: boolean }

/** True for a text that is made of JSON, or of a part of one. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text) && /"[^"\n]+"\s*:/.test(text)
}

/**
 * The properties of a JSON text, also of a part that was cut out of one: keys are labels, the keys around them stand
 * beside. A value of `null` is no entry; an array of plain values is one.
 */
export function readJson(text: string): Entry[] {
  const entries: Entry[] = []
  const open: Open[] = []
  let key = ''

  function add(label: string, start: number, end: number): void {
    const besides = open.map((around) => around.key).join(' ')
    if (label !== '' && end > start) entries.push({ label, besides, start, end, blockEnd: end, trust: TRUST })
  }

  function close(end: number): void {
    const closed = open.pop()
    if (closed?.mark === '[' && closed.isPlain) add(closed.key, closed.start, end)
  }

  for (const { index, 0: token, 1: string, 2: colon } of text.matchAll(TOKEN)) {
    const end = index + token.length
    if (colon !== undefined) {
      key = string ?? ''
      continue
    }
    if (token === '{' || token === '[') {
      for (const around of open.slice(-1)) around.isPlain = false
      open.push({ key, mark: token, start: index, isPlain: true })
    } else if (token === '}' || token === ']') close(end)
    else if (string !== undefined) add(key, index + 1, end - 1)
    else if (token !== 'null') add(key, index, end)
    key = ''
  }
  return entries
}
