import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEMORY_ID } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const PATH = `/v1/memories/${MEMORY_ID}/extract`
const FIELD = { key: 'k', label: 'Invoice date' }

function schemaOf(...fields: readonly object[]) {
  return { sections: [{ id: 's', name: 'Invoice', fields }] }
}

test('a schema reaches the service with its hints, and unknown fields give a warning', async (t) => {
  const { sendJson, calls } = await startServer(t)
  const body = { ...schemaOf({ ...FIELD, data_type: 'date' }, { ...FIELD, key: 'j', colour: 1 }), context: 'Invoices' }
  const response = await sendJson('POST', PATH, body)
  assert.equal(response.status, 200)
  const { warnings } = (await response.json()) as { warnings: { param: string }[] }
  assert.deepEqual(
    warnings.map(({ param }) => param),
    ['sections[0].fields[1].colour'],
  )
  const fields = [
    { ...FIELD, dataType: 'date' },
    { ...FIELD, key: 'j', dataType: null },
  ]
  const asked = { sections: [{ id: 's', name: 'Invoice', fields }], context: 'Invoices', filter: null }
  assert.deepEqual(
    calls.filter(([name]) => name === 'extract.extract'),
    [['extract.extract', asked]],
  )
})

test('a schema without a section, a name or a label is refused, and the field is named', async (t) => {
  const { sendJson } = await startServer(t)
  const cases: readonly [object, string][] = [
    [{}, 'sections'],
    [{ sections: [] }, 'sections'],
    [{ sections: [{ id: 's', fields: [FIELD] }] }, 'sections[0].name'],
    [schemaOf({ key: 'k' }), 'sections[0].fields[0].label'],
    [schemaOf({ ...FIELD, label: ' ' }), 'sections[0].fields[0].label'],
    [schemaOf({ ...FIELD, data_type: 5 }), 'sections[0].fields[0].data_type'],
  ]
  for (const [body, param] of cases) {
    const response = await sendJson('POST', PATH, body)
    assert.equal(response.status, 400, param)
    assert.equal((await readError(response)).param, param)
  }
})
