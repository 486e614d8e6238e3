import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runProgram } from '../../../src/cli/program.ts'
import { createService } from '../../spec/service.ts'
import { addTexts, endOfJob, makeMemory, readMemory } from '../../spec/steps.ts'
import { fakeCliContext } from '../../support/fake-cli-context.ts'
import { startGate } from '../../support/model-server/gate.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'

const models = await startModelServer()
const gate = await startGate(models.url)
const service = createService({ RECOLLECT_EMBEDDER: 'openai:mini', OPENAI_BASE_URL: gate.url })
let memoryId = ''
before(async () => {
  await service.start()
  memoryId = await makeMemory(service, 'Harbour')
  const crane = { title: 'Crane', text: 'It lifts nine tonnes.' }
  await addTexts(service, memoryId, [crane], { embeddingModel: 'embedded' })
})
after(async () => {
  await service.dispose()
  await gate.close()
  await models.close()
})

async function run(...args: string[]) {
  const { context, written } = fakeCliContext({
    environment: { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey },
    fetch: globalThis.fetch,
  })
  return { status: await runProgram(['reembed', ...args], context), ...written }
}

const modelOf = async () => (await readMemory(service, memoryId)).embeddingModel

describe('recollect reembed', () => {
  it('waits until the memory has the other model, and says how many chunks that were', async () => {
    const { status, out, error } = await run('Harbour', 'mini')
    assert.equal(status, 0, error)
    assert.match(out, /\nRe-embedded 1 chunk with mini\.\n$/)
    assert.equal(await modelOf(), 'mini')
  })

  it('prints the finished job as JSON, or its id without waiting', async () => {
    const { status, out } = await run('Harbour', 'embedded', '--json')
    const { jobType, status: ended, result } = JSON.parse(out)
    assert.deepEqual([status, jobType, ended, result.chunksCreated], [0, 'reembedding', 'completed', 1])
    const begun = await run('Harbour', 'mini', '--no-wait')
    assert.match(begun.out, /^job_\w+\n$/)
    assert.equal((await endOfJob(service, begun.out.trim())).status, 'completed')
  })

  it('fails where the model is not configured, and says which are', async () => {
    const { status, error } = await run('Harbour', 'no-such-model')
    assert.equal(status, 1)
    assert.match(error, /is not configured\. Available: static-multi, mini/)
  })

  it('fails for a cancelled job, and says that the memory is unchanged', async () => {
    assert.equal((await run('Harbour', 'embedded')).status, 0)
    await addTexts(service, memoryId, [{ title: 'Quay', text: 'It is closed on Sundays.' }])
    gate.shut()
    const running = run('Harbour', 'mini')
    await gate.arrived()
    const { json } = await service.get<{ jobs: { id: string }[] }>('/v1/jobs?limit=1')
    await service.post(`/v1/jobs/${json.jobs[0]?.id}/cancel`, {})
    const { status, error } = await running
    gate.open()
    assert.equal(status, 1)
    assert.match(error, /The memory was not re-embedded and is unchanged: /)
    assert.equal(await modelOf(), 'static-multi')
  })
})
