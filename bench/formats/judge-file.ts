import type { Outcome } from '../upload.ts'
import type { Expectation, Structure } from './manifest.ts'
import { hasTable, matchPhrase } from './match-phrase.ts'

/** The result for one file. */
export type Judgement = {
  /** True when the outcome matches the manifest. */
  isGood: boolean
  /** Phrases expected and found. A few missing phrases count as found when most were found. */
  expected: number
  found: number
  counted: number
  /** Violations of the manifest, as sentences. */
  complaints: string[]
  /** Accepted deviations: phrases in a different case or missing, where enough were found. */
  remarks: string[]
}

const NOTHING = { expected: 0, found: 0, counted: 0, remarks: [] }
/** Codes that help a client; any further code points to a fault of the bench or the service. */
const CLEAR_CODES = ['unprocessable_document', 'image_unreadable', 'unsupported_file_type']
const SENTENCE_CHARACTERS = 20

/** Compares the outcome of a file and its extracted text with the manifest. */
export function judgeFile(expect: Expectation, outcome: Outcome, text: string): Judgement {
  if (expect.kind === 'error') return judgeError(expect.cause, outcome)
  if (outcome.end === 'broken' || outcome.end === 'refused' || outcome.end === 'failed') {
    const expected = expect.kind === 'text' ? expect.phrases.length : 0
    return { ...NOTHING, isGood: false, expected, complaints: [describe(outcome)] }
  }
  if (expect.kind === 'no text') {
    const complaints = text.trim() === '' ? [] : [`a text was found where there is none: "${text.slice(0, 80)}"`]
    return { ...NOTHING, isGood: complaints.length === 0, complaints }
  }
  const absent = expect.phrases.filter((phrase) => matchPhrase(text, phrase) === 'absent')
  const inOtherCase = expect.phrases.filter((phrase) => matchPhrase(text, phrase) === 'other case')
  const expected = expect.phrases.length
  const found = expected - absent.length
  const isEnough = found >= expect.needed
  const structures = expect.structures.filter((structure) => !hasStructure(text, structure)).map(describeStructure)
  const missing = absent.map((phrase) => `not found: "${phrase}"`)
  const complaints = [...(isEnough ? [] : missing), ...structures]
  const remarks = [...(isEnough ? missing : []), ...inOtherCase.map((phrase) => `in other capitals: "${phrase}"`)]
  return { isGood: complaints.length === 0, expected, found, counted: isEnough ? expected : found, complaints, remarks }
}

function hasStructure(text: string, structure: Structure): boolean {
  if ('rows' in structure) return hasTable(text, structure)
  return text.split('\n').some((line) => line.replace(/^#+\s*/, '').trim() === structure.heading)
}

function describeStructure(structure: Structure): string {
  if ('rows' in structure) return `no ${structure.rows} rows of ${structure.columns} cells`
  return `"${structure.heading}" has no line of its own`
}

function judgeError(cause: string, outcome: Outcome): Judgement {
  const message = outcome.message ?? ''
  const isRefused = outcome.end === 'refused' || outcome.end === 'failed'
  const isClear = isRefused && CLEAR_CODES.includes(outcome.code ?? '') && message.length >= SENTENCE_CHARACTERS
  const namesCause = cause !== 'encrypted' || /password|encrypted|protected/i.test(message)
  const isGood = isClear && namesCause
  return { ...NOTHING, isGood, complaints: isGood ? [] : [`is ${cause}, but: ${describe(outcome)}`] }
}

/** The outcome of a file as one line. */
export function describe({ status, end, code, message }: Outcome): string {
  return [`${status} ${end}`, code, message].filter((part) => part !== null).join(', ')
}
