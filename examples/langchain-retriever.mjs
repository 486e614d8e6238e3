/**
 * A retriever for LangChain.js: returns passages of a memory as documents, with their places in
 * `metadata`.
 *
 * `npm run test:scale` runs it with @langchain/core 1.4.
 */
import { Document } from '@langchain/core/documents'
import { BaseRetriever } from '@langchain/core/retrievers'

/** Finds in one memory. Rejects with what the service says when it refuses. */
export class RecollectRetriever extends BaseRetriever {
  lc_namespace = ['recollect']

  constructor({ url, apiKey, memoryId, limit = 5, ...rest }) {
    super(rest)
    this.address = `${url}/v1/memories/${memoryId}/find`
    this.apiKey = apiKey
    this.limit = limit
  }

  async _getRelevantDocuments(query) {
    const answer = await fetch(this.address, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, options: { limit: this.limit } }),
    })
    const { hits, error } = await answer.json()
    if (!answer.ok) throw new Error(`${error.code}: ${error.message}`)
    return hits.map(({ text, chunkId, ...metadata }) => new Document({ id: chunkId, pageContent: text, metadata }))
  }
}
