import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { batches } from '../../database/statements.ts'
import { ApiError } from '../../errors.ts'
import type { Finding, Passage } from '../../extraction/field.ts'
import { verifyQuote } from '../../extraction/verify-quote.ts'
import type { ChatModel } from '../../models/chat-model.ts'
import { pluralize } from '../../text/pluralize.ts'
import { renderPassage } from '../render-passage.ts'
import { buildExtractionPrompt, READINGS_SCHEMA, type Readings } from './extraction-prompt.ts'
import type { FieldReader, FieldToRead } from './field-reader.ts'

/**
 * Fields per model request: fields share passages, but the model overlooks fields in longer
 * requests.
 */
const FIELDS_PER_REQUEST = 20
const MAX_CONCURRENT_REQUESTS = 3
/** Tokens per quote and value, including the JSON. */
const TOKENS_PER_FIELD = 150
const TOKEN_OVERHEAD = 1500
/**
 * A low estimate, so that the prompt fits: English has about four characters per token, other
 * scripts fewer.
 */
const CHARACTERS_PER_TOKEN = 2.5

/**
 * Creates a reader that calls a language model. Each quote is verified in its passage: an unknown
 * quote is dropped, and the value is parsed from the quote by rule. When the model fails, `rules`
 * reads its fields, with a warning.
 */
export function createModelReader({ model, rules }: { model: ChatModel; rules: FieldReader }): FieldReader {
  async function ask(fields: readonly FieldToRead[], languages: readonly string[], signal: AbortSignal) {
    const passages = listPassages(fields, maxCharactersOf(model, fields.length))
    const maxOutputTokens = TOKENS_PER_FIELD * fields.length + TOKEN_OVERHEAD
    const messages = buildExtractionPrompt(fields, passages)
    const { value } = await model.generateObject({ messages, schema: READINGS_SCHEMA, maxOutputTokens, signal })
    return fields.map((field, index) =>
      verifyReading(field, index, { readings: value as Readings, shown: passages, languages }),
    )
  }

  async function readByRule(fields: readonly FieldToRead[], languages: readonly string[], signal: AbortSignal) {
    const read = await rules.read(fields, languages, signal)
    const count = pluralize(fields.length, 'field')
    const message = `The model ${model.name} did not respond. From here on, ${count} were extracted by rules.`
    return { ...read, warnings: [{ code: 'model_failed', message, param: fields[0]?.param ?? null }, ...read.warnings] }
  }

  return {
    async read(fields, languages, signal) {
      const answers = await mapConcurrent(
        [...batches(fields, FIELDS_PER_REQUEST)],
        MAX_CONCURRENT_REQUESTS,
        async (question) => {
          try {
            return { model: model.name, findings: await ask(question, languages, signal), warnings: [] }
          } catch (error) {
            if (!(error instanceof ApiError) || error.code !== 'model_failed') throw error
            return await readByRule(question, languages, signal)
          }
        },
      )
      const readers = answers.map((answer) => answer.model)
      return {
        model: readers.includes(model.name) ? model.name : (readers[0] ?? model.name),
        findings: answers.flatMap(({ findings }) => findings),
        warnings: answers.flatMap(({ warnings }) => warnings),
      }
    },
  }
}

function verifyReading(
  { field, passages }: FieldToRead,
  index: number,
  { readings, shown, languages }: { readings: Readings; shown: readonly Passage[]; languages: readonly string[] },
): Finding | null {
  const reading = readings.fields.find((one) => one.field === index + 1)
  if (reading === undefined) return null
  const text = shown[reading.passage - 1]?.text
  // The passage may belong to another field of the request, and then cannot be cited here.
  const place = passages.findIndex((passage) => passage.text === text)
  return place < 0 ? null : verifyQuote(passages, { ...reading, index: place }, { dataType: field.dataType, languages })
}

/** Lists all passages without duplicates, the best of every field first, up to the limit. */
function listPassages(fields: readonly FieldToRead[], maxCharacters: number): Passage[] {
  const most = Math.max(0, ...fields.map(({ passages }) => passages.length))
  const listed = new Map<string, Passage>()
  let characters = 0
  for (let rank = 0; rank < most; rank += 1) {
    for (const { passages } of fields) {
      const passage = passages[rank]
      if (passage === undefined || listed.has(passage.text)) continue
      const { length } = renderPassage(passage)
      if (characters + length > maxCharacters) continue
      listed.set(passage.text, passage)
      characters += length
    }
  }
  return [...listed.values()]
}

function maxCharactersOf({ contextTokens }: ChatModel, fields: number): number {
  return CHARACTERS_PER_TOKEN * Math.max(0, contextTokens - TOKENS_PER_FIELD * fields - 2 * TOKEN_OVERHEAD)
}
