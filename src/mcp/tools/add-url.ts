import { Type } from 'typebox'
import { AddedSchema, describeAdded } from '../describe-added.ts'
import { requireMemory } from '../require-memory.ts'
import { DeduplicateArgument, MemoryArgument } from '../schemas.ts'
import { defineTool } from '../tool.ts'

/** What a URL names as a new document. */
export const ADD_URL = defineTool({
  name: 'add_url',
  title: 'Add what a URL names',
  description: `Downloads what an http or https URL names and adds it to a memory: web pages, PDF, Office files, text, tables. Pictures by themselves are not taken.
Use it when the user wants a public page or file remembered. Addresses inside private networks are refused. At most 100 MB.
Large files and long scans are read in the background: the answer then has a jobId, and list_documents shows the document as pending or processing until it is ready.`,
  input: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'With http:// or https://.' }),
    memory: MemoryArgument,
    deduplicate: DeduplicateArgument,
  }),
  output: AddedSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async run({ url, memory: named, deduplicate = false }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    const input = { path: { id: memory.id }, body: { url, options: { deduplicate } } }
    return describeAdded(memory, await surroundings.call('addDocuments', input, { signal: surroundings.signal }))
  },
})
