import type { JsonSchema } from '../chat-model.ts'
import { ModelFailure } from './model-failure.ts'

/** Reads the value out of an answer that should be JSON. */
export type ObjectReader = (text: string) => unknown

const FENCE = /^```[a-z]*\s*\n([\s\S]*?)\n?```\s*$/i

/**
 * A reader for answers in the shape of a schema. Models that were only asked in words put a fence or a sentence around their JSON, which is taken
 * off. The reader throws {@link ModelFailure} of kind `garbage` for what is no JSON and for what does not fit, naming the place and never the value.
 */
export async function createObjectReader(schema: JsonSchema): Promise<ObjectReader> {
  // Loaded when first needed: 20 MB that an installation without a model does not pay.
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  return (text) => {
    const value = parse(text)
    if (validator.Check(value)) return value
    const [, [first]] = validator.Errors(value)
    throw new ModelFailure(
      'garbage',
      `gave JSON that does not fit the schema${first === undefined ? '' : ` at ${first.instancePath || '/'}`}`,
    )
  }
}

function parse(text: string): unknown {
  const trimmed = text.trim()
  const [, fenced = trimmed] = FENCE.exec(trimmed) ?? []
  const start = fenced.search(/[[{]/)
  const end = Math.max(fenced.lastIndexOf('}'), fenced.lastIndexOf(']'))
  for (const candidate of [fenced, start === -1 ? '' : fenced.slice(start, end + 1)]) {
    try {
      return JSON.parse(candidate)
    } catch {
      // The next candidate is shorter; when none is JSON, that is the failure.
    }
  }
  throw new ModelFailure('garbage', 'gave no JSON where JSON was asked for')
}
