import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { Client } from '../client/client.ts'

/** Calls an operation of the service by its `operationId`. */
export type Call = Client['call']

/** The result of a tool: text for the model, and the same facts as structured data. */
export type ToolAnswer = { text: string; facts: Record<string, unknown> }

/** Everything that a tool receives besides its arguments. */
export type ToolContext = { call: Call; signal: AbortSignal }

type Description<Input extends TObject> = {
  name: string
  title: string
  /** Purpose, usage and limits, written for a model. */
  description: string
  input: Input
  /** The schema of `facts`. */
  output: TObject
  annotations: ToolAnnotations
}

/**
 * A tool. `run` rejects with an {@link ArgumentError} for invalid arguments, and passes on errors
 * of operations.
 */
export type Tool = Description<TObject> & {
  run(args: unknown, context: ToolContext): Promise<CallToolResult>
}

/** A missing or invalid tool argument; the message names the argument. */
export class ArgumentError extends Error {}

/** Defines a tool. Its input schema validates the arguments before `run` receives them. */
export function defineTool<const Input extends TObject>({
  run,
  ...description
}: Description<Input> & {
  run(args: Static<Input>, context: ToolContext): Promise<ToolAnswer>
}): Tool {
  return {
    ...description,
    async run(args, context) {
      const { text, facts } = await run(readArguments(description.input, args), context)
      return {
        content: [{ type: 'text', text: text + describeUnknownArguments(description, args) }],
        structuredContent: facts,
      }
    },
  }
}

/**
 * Names unknown arguments, such as `tag` for `tags`. Without this note, models trust the unfiltered
 * result.
 */
function describeUnknownArguments(
  { name: tool, input }: Pick<Description<TObject>, 'name' | 'input'>,
  args: unknown,
): string {
  const known = Object.keys(input.properties)
  const unknown = Object.keys(args ?? {}).filter((name) => !known.includes(name))
  if (unknown.length === 0) return ''
  const shown = unknown.slice(0, 10).map((name) => name.slice(0, 100))
  return `\n\nIgnored unknown arguments of ${tool}: ${shown.join(', ')}. Known arguments: ${known.join(', ')}.`
}

/**
 * Validates arguments. Models often send `null` for an absent argument, so `null` counts as absent.
 */
function readArguments<Input extends TObject>(schema: Input, args: unknown): Static<Input> {
  const given = Object.entries(args ?? {}).filter(([name, value]) => value !== null && name in schema.properties)
  const value: unknown = Object.fromEntries(given)
  const [error] = Value.Errors(schema, value)
  if (error === undefined) return value as Static<Input>
  const at = error.instancePath.slice(1).replaceAll('/', '.')
  throw new ArgumentError(at === '' ? `The arguments object ${error.message}.` : `${at} ${error.message}.`)
}
