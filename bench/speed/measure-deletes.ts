import type { Service } from '../service.ts'
import { type Summary, timeEach } from '../timings.ts'

const DELETES = 20

/** Deletes documents of a memory in sequence. */
export async function measureDeletes(service: Service, memoryId: string): Promise<Summary> {
  const path = `/v1/memories/${memoryId}/documents`
  const { documents } = (await service.send('GET', `${path}?limit=${DELETES}`)) as { documents: { id: string }[] }
  return timeEach(documents, 1, ({ id }) => service.send('DELETE', `${path}/${id}`))
}
