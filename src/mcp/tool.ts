import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { Client } from '../client/client.ts'

/** How a tool reaches the service: operations by their identifiers, as the client has them. */
export type Call = Client['call']

/** What a tool gives: what the model reads, and the same as data. */
export type ToolAnswer = { text: string; facts: Record<string, unknown> }

/** What a tool works with beside its arguments. */
export type ToolSurroundings = { call: Call; signal: AbortSignal }

type Description<Input extends TObject> = {
  name: string
  title: string
  /** For a model: what it does, when to use it, what its limits are. */
  description: string
  input: Input
  /** Of `facts`. */
  output: TObject
  annotations: ToolAnnotations
}

/** A tool. `run` rejects with an {@link ArgumentError} for arguments that do not fit, and as the operations it calls do. */
export type Tool = Description<TObject> & {
  run(args: unknown, surroundings: ToolSurroundings): Promise<CallToolResult>
}

/** An argument of a tool that is missing or does not fit; the message names it. */
export class ArgumentError extends Error {}

/** A tool whose arguments are checked by its schema before they reach it. */
export function defineTool<const Input extends TObject>({
  run,
  ...description
}: Description<Input> & {
  run(args: Static<Input>, surroundings: ToolSurroundings): Promise<ToolAnswer>
}): Tool {
  return {
    ...description,
    async run(args, surroundings) {
      const { text, facts } = await run(readArguments(description.input, args), surroundings)
      return {
        content: [{ type: 'text', text: text + describeUnknown(description, args) }],
        structuredContent: facts,
      }
    },
  }
}

/** What was sent and is no argument, such as `tag` for `tags`: without a word a model takes the answer for what it asked for. */
function describeUnknown({ name: tool, input }: Pick<Description<TObject>, 'name' | 'input'>, args: unknown): string {
  const known = Object.keys(input.properties)
  const unknown = Object.keys(args ?? {}).filter((name) => !known.includes(name))
  if (unknown.length === 0) return ''
  const said = unknown.slice(0, 10).map((name) => name.slice(0, 100))
  return `\n\nIgnored, since ${tool} has no such argument: ${said.join(', ')}. It takes ${known.join(', ')}.`
}

/** `null` stands for what is left out: models write it so. */
function readArguments<Input extends TObject>(schema: Input, args: unknown): Static<Input> {
  const given = Object.entries(args ?? {}).filter(([name, value]) => value !== null && name in schema.properties)
  const value: unknown = Object.fromEntries(given)
  const [error] = Value.Errors(schema, value)
  if (error === undefined) return value as Static<Input>
  const at = error.instancePath.slice(1).replaceAll('/', '.')
  throw new ArgumentError(at === '' ? `The arguments ${error.message}.` : `${at} ${error.message}.`)
}
