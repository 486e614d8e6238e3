import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MIN_OPEN_FILES, planOpenFiles, RECOMMENDED_OPEN_FILES } from './open-files.ts'

function plan(limit: number, nowMs = () => 0) {
  const warned: string[] = []
  const files = planOpenFiles(
    limit,
    { warn: (_facts: object, message?: string) => void warned.push(String(message)) },
    nowMs,
  )
  return { files, warned }
}

test('what is shared out never comes to more than the process may open', () => {
  for (const limit of [MIN_OPEN_FILES, 1024, 4096, 65_536]) {
    const { maxOfMemoryFiles, ofServer } = plan(limit).files
    assert.ok(maxOfMemoryFiles + 2 * ofServer.maxConnections + 160 <= limit, String(limit))
    assert.ok(maxOfMemoryFiles >= 170 && ofServer.maxConnections >= 80, String(limit))
  }
  assert.equal(plan(Infinity).files.ofServer.maxConnections, 4096)
})

test('a small limit is warned of, and one that is too small refuses the start and says what to do', () => {
  assert.match(plan(1024).warned.join(), /may open only 1024 files.*LimitNOFILE/)
  assert.deepEqual(plan(RECOMMENDED_OPEN_FILES).warned, [])
  assert.throws(() => plan(MIN_OPEN_FILES - 1), /may open 511 files, and needs 512 at least; raise the limit/)
})

test('the service is not ready while it can open no more, and for some seconds behind that', async () => {
  let now = 0
  const { files } = plan(1024, () => now)
  await files.check()
  files.noteExhausted()
  await assert.rejects(files.check(), /as many files open/)
  now = 10_000
  await files.check()
})
