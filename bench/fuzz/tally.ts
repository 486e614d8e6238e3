import type { Outcome } from '../upload.ts'

/** The outcomes of many mutated files of a format. */
export type Tally = {
  /** By status and end. */
  ends: Map<string, number>
  /** By the sentence of the error, numbers and names taken out. */
  sentences: Map<string, number>
  /** 5xx, or no answer: file and symptom. */
  broken: string[]
  /** Read as empty without a complaint. */
  silent: string[]
  /** Refused, or read in part, without a sentence or a code. */
  unclear: string[]
  slowest: { file: string; elapsedMs: number }
}

/** An empty tally. */
export function createTally(): Tally {
  return {
    ends: new Map(),
    sentences: new Map(),
    broken: [],
    silent: [],
    unclear: [],
    slowest: { file: '', elapsedMs: 0 },
  }
}

/** Counts an outcome. Returns the reason why the outcome is not allowed, or `null`. */
export function count(tally: Tally, file: string, outcome: Outcome): string | null {
  const { status, end, code, message, document, elapsedMs } = outcome
  add(tally.ends, `${status} ${end}`)
  if (message !== null) add(tally.sentences, generalize(message))
  if (elapsedMs > tally.slowest.elapsedMs) tally.slowest = { file, elapsedMs }
  if (end === 'broken') return note(tally.broken, `${file}: ${status} ${code}, ${message}`)
  if (end === 'ready' && document?.characterCount === 0) return note(tally.silent, `${file}: ready, and empty`)
  const isRefused = end === 'refused' || end === 'failed'
  if ((isRefused && code === null) || ((isRefused || end === 'partial') && !message)) {
    return note(tally.unclear, `${file}: ${status} ${end}, ${code}, ${message}`)
  }
  return null
}

function note(notes: string[], what: string): string {
  notes.push(what)
  return what
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function generalize(message: string): string {
  return message
    .replace(/"[^"]*"|“[^”]*”|\S+\/\S+/g, '…')
    .replace(/\d[\d,.]*/g, 'n')
    .slice(0, 140)
}
