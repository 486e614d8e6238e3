import { assertStatus } from '../../spec/answer.ts'
import type { Service } from '../../spec/service.ts'
import { addInBackground, addTexts, endOfJob, makeMemory } from '../../spec/steps.ts'

/** The resources that large answers are requested for. */
export type LargeMemory = { memoryId: string; spareId: string; documentId: string; jobId: string; projectId: string }

const DOCUMENTS = 60
/** Three bytes in UTF-8. */
const WIDE = '€'

/**
 * A memory whose documents have maximum-size fields, a second memory to add to, and one of each
 * other resource.
 */
export async function makeLargeMemory(service: Service): Promise<LargeMemory> {
  const memoryId = await makeMemory(service, WIDE.repeat(1000))
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`key${at}`, WIDE.repeat(2000)]))
  const tags = Array.from({ length: 20 }, (_, at) => `${at}${WIDE.repeat(190)}`)
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({
    title: `Lift ${at} ${WIDE.repeat(900)}`,
    text: Array.from({ length: 20 }, (_, line) => `The lift number ${at} of house ${line} stands still.`).join('\n'),
    metadata,
    tags,
  }))
  const added = await addTexts(service, memoryId, documents)
  assertStatus(added, 200)
  const project = await service.post<{ id: string }>('/v1/projects', { name: 'Large' })
  assertStatus(project, 201)
  const spareId = await makeMemory(service, 'Spare')
  const job = await addInBackground(service, spareId, 'Read later.')
  await endOfJob(service, job.json.jobId)
  const [documentId = ''] = added.json.documentIds
  return { memoryId, spareId, documentId, jobId: job.json.jobId, projectId: project.json.id }
}
