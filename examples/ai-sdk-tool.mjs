/**
 * A tool for the Vercel AI SDK: lets a model search a memory and cite the results.
 *
 * `npm run test:scale` runs it with ai 7 and zod 4.
 */
import { tool } from 'ai'
import { z } from 'zod'

/** Creates the tool for one memory. The model gets errors as text, so that it can try again. */
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
