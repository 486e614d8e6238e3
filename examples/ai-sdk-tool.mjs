/**
 * A tool for the Vercel AI SDK: a model looks into a memory by itself, and can cite what it finds.
 *
 * `npm run test:scale` runs it with ai 7 and zod 4.
 */
import { tool } from 'ai'
import { z } from 'zod'

/** The tool for one memory. What the service refuses goes to the model as a sentence, so that it can try otherwise. */
export function createFindTool({ url, apiKey, memoryId, limit = 5 }) {
  return tool({
    description:
      'Finds passages in the documents of this organization. Cite each passage you use by its title and page.',
    inputSchema: z.object({ query: z.string().describe('What is looked for, in plain words.') }),
    execute: async ({ query }, { abortSignal }) => {
      const answer = await fetch(`${url}/v1/memories/${memoryId}/find`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, options: { limit } }),
        signal: abortSignal,
      })
      const { hits, error } = await answer.json()
      if (!answer.ok) return { error: `${error.message} ${error.remedy}` }
      return hits.map(({ title, page, section, text, documentId, startOffset, endOffset }) => {
        return { title, page, section, text, documentId, startOffset, endOffset }
      })
    },
  })
}
