import type { Client } from '../client/client.ts'
import { SAMPLE_DOCUMENTS } from './sample-documents.ts'

/** What the sample memory is called, by which it is known again. */
export const SAMPLE_NAME = 'Sample: Seabrook Sailing Club'

/** Makes a memory with a few documents of our own, to look around in, and gives its identifier. */
export async function makeSampleMemory(client: Client): Promise<string> {
  const { id } = await client.memories.create({
    name: SAMPLE_NAME,
    description:
      'A handbook, a price list and the minutes of a meeting, all made up. Delete it when you have seen enough.',
  })
  await client.documents.addTexts(id, SAMPLE_DOCUMENTS)
  await client.corrections.add(id, {
    statement: 'Since May the boat house closes at 21:00, not at 20:00.',
    topics: ['boat house', 'closing time', 'opening hours'],
  })
  return id
}
