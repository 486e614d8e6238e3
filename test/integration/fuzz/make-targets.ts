import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from './attacked-service.ts'
import type { Targets } from './targets.ts'

type Ask = (method: string, path: string, body?: unknown) => Promise<Json>

const TEXT = '# Escalation\n\nA P1 incident is acknowledged within 10 minutes. 東京 🚑\n'
const SPARES = 8
/** A host that never resolves (RFC 2606, section 2). */
const RECEIVER = { url: 'http://hooks.invalid/' }
const SOURCE = { type: 'website', paused: true, website: { startUrls: ['http://pages.invalid/'] } }

/** Creates one resource of every kind in a new service, and spare resources for deletions. */
export async function makeTargets(key: string, ask: Ask): Promise<Targets> {
  const repeat = (count: number, make: () => Promise<string>) => Promise.all(Array.from({ length: count }, make))
  const create = async (path: string, body: object, field = 'id') => String((await ask('POST', path, body))[field])
  const memories = await repeat(2, () => create('/v1/memories', { name: 'Attacked', projectName: 'Attacked' }))
  const addTo = async (memory: string | undefined): Promise<string> => {
    const documents = [{ title: 'Escalation', text: TEXT, tags: ['ops'], metadata: { team: 'ops' } }]
    const added = await ask('POST', `/v1/memories/${memory}/documents`, { documents, options: { storeSource: true } })
    return (added['documentIds'] as string[])[0] ?? ''
  }
  const addAsJob = (memory: string | undefined) => {
    const documents = [{ title: 'By a job', text: TEXT }]
    return create(`/v1/memories/${memory}/documents`, { documents, options: { async: true } }, 'jobId')
  }
  const documents = [await addTo(memories[0]), await addTo(memories[1])]
  await ask('POST', `/v1/memories/${memories[0]}/correct`, { statement: 'A P1 is acknowledged within 5 minutes.' })
  const jobs = [await addAsJob(memories[0]), await addAsJob(memories[1])]
  const projects = [await create('/v1/projects', { name: 'Main' })]
  const webhooks = await repeat(2, () => create('/v1/webhooks', RECEIVER))
  const addSource = () => create(`/v1/memories/${memories[0]}/sources`, SOURCE)
  const keys = await Promise.all(
    memories.map((memoryId) => ask('POST', '/v1/keys', { scope: 'memory', memoryId, name: 'scoped' })),
  )
  const revoked = await ask('POST', '/v1/keys', { name: 'revoked' })
  await ask('DELETE', `/v1/keys/${revoked['id']}`)
  const sources = await repeat(2, addSource)
  const spare = {
    memories: await repeat(SPARES, () => create('/v1/memories', { name: 'Spare' })),
    documents: await repeat(SPARES, () => addTo(memories[0])),
    jobs,
    projects: await Promise.all(
      Array.from({ length: SPARES }, (_, at) => create('/v1/projects', { name: `Spare ${at}` })),
    ),
    keys: await repeat(SPARES, () => create('/v1/keys', { name: 'Spare' })),
    webhooks: await repeat(SPARES, () => create('/v1/webhooks', RECEIVER)),
    sources: await repeat(SPARES, addSource),
  }
  for (const job of jobs) while ((await ask('GET', `/v1/jobs/${job}`))['status'] !== 'completed') await pause(20)
  const lists = [`memories`, `memories/${memories[0]}/documents`, 'jobs', 'projects', 'keys', 'webhooks']
  const pages = await Promise.all(lists.map((list) => ask('GET', `/v1/${list}?limit=1`)))
  return {
    keys: [key, ...keys.map((one) => String(one['key']))],
    wrongKeys: [
      String(revoked['key']),
      'wrong',
      `rcl_${'0'.repeat(46)}`,
      `rcl_${'a'.repeat(45)}`,
      `${key}x`,
      key.toUpperCase(),
    ],
    ids: { memories, documents, jobs, projects, keys: keys.map((one) => String(one['id'])), webhooks, sources },
    spare,
    cursors: pages.map((page) => String(page['nextCursor'])),
  }
}
