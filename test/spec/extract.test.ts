import assert from 'node:assert/strict'
import test from 'node:test'
import { buildPdf, lines } from '../support/build-pdf.ts'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Warning } from './shapes.ts'
import { addText, assertFields, makeKey, makeMemory, readText, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

type Source = { documentId: string; chunkId: string; title: string; page: number | null } & {
  snippet: string
  startOffset: number
  endOffset: number
}
type Field = {
  key: string
  label: string
  data_type: string | null
  found: boolean
  value: unknown
  rawValue: string | null
  confidence: number
  sources: Source[]
}
type Extracted = {
  memoryId: string
  values: Record<string, Record<string, unknown>>
  sections: { id: string; name: string; fields: Field[] }[]
  fieldsTotal: number
  fieldsFound: number
  model: string
  warnings: Warning[]
}

const INVOICE = `Invoice number: INV-7741
Invoice date: 1 March 2026
Total amount: EUR 1,250.50
Quantity: 48
Weight: 12.75
Discount: 7.5 %
Paid: yes
E-mail: desk@harbour.example
Phone: +44 20 7946 0123
Website: https://harbour.example/pay
Items: rope, lamps, paint
Contact person: Mara Lindqvist
`
/** Key, label, type, and the value of the invoice. */
const FIELDS: readonly (readonly [string, string, string | null, unknown])[] = [
  ['number', 'Invoice number', null, 'INV-7741'],
  ['date', 'Invoice date', 'date', '2026-03-01'],
  ['total', 'Total amount', 'currency', { amount: 1250.5, currency: 'EUR' }],
  ['quantity', 'Quantity', 'integer', 48],
  ['weight', 'Weight', 'number', 12.75],
  ['discount', 'Discount', 'percent', 7.5],
  ['paid', 'Paid', 'boolean', true],
  ['email', 'E-mail', 'email', 'desk@harbour.example'],
  ['phone', 'Phone', 'phone', '+442079460123'],
  ['website', 'Website', 'url', 'https://harbour.example/pay'],
  ['items', 'Items', 'list', ['rope', 'lamps', 'paint']],
  ['contact', 'Contact person', 'name of a person', 'Mara Lindqvist'],
]
const SCHEMA = {
  context: 'An invoice of a harbour shop',
  sections: [{ id: 'invoice', name: 'Invoice', fields: FIELDS.map(([key, label, type]) => fieldOf(key, label, type)) }],
}

let memoryId = ''
let invoice = ''

const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  invoice = await addText(started, memoryId, INVOICE, { title: 'Invoice' })
})

function fieldOf(key: string, label: string, type: string | null) {
  return type === null ? { key, label } : { key, label, data_type: type }
}

function extract(memory: string, schema: unknown, key?: string): Promise<Answer<Extracted>> {
  return service.post<Extracted>(`/v1/memories/${memory}/extract`, schema, key === undefined ? {} : { key })
}

test('a schema is filled: every type normalised, each value verbatim at its place', async () => {
  verifies('extract.purpose', 'extract.endpoint', 'extract.answer', 'extract.types', 'extract.data-type')
  verifies('extract.field-label', 'extract.context')
  const answer = await extract(memoryId, SCHEMA)
  assertStatus(answer, 200)
  const { values, sections, fieldsTotal, fieldsFound, model } = answer.json
  assertFields(answer.json, 'memoryId', 'values', 'sections', 'fieldsTotal', 'fieldsFound', 'model', 'warnings')
  assert.deepEqual([answer.json.memoryId, model], [memoryId, 'extractive'])
  assert.deepEqual(values['invoice'], Object.fromEntries(FIELDS.map(([key, , , value]) => [key, value])))
  assert.deepEqual([fieldsTotal, fieldsFound], [FIELDS.length, FIELDS.length])
  const text = await readText(service, memoryId, invoice)
  assert.deepEqual(
    sections.map(({ id, name }) => [id, name]),
    [['invoice', 'Invoice']],
  )
  for (const field of sections[0]?.fields ?? []) {
    assertFields(field, 'key', 'label', 'data_type', 'found', 'value', 'rawValue', 'confidence', 'sources')
    const [source] = field.sources
    assert.ok(source, `${field.key} has a source`)
    assertFields(source, 'documentId', 'chunkId', 'title', 'page', 'snippet', 'startOffset', 'endOffset')
    assert.equal(text.slice(source.startOffset, source.endOffset), field.rawValue)
    assert.ok(field.found && field.confidence > 0 && field.confidence <= 1)
  }
})

test('a missing value is not found, and never guessed', async () => {
  verifies('extract.not-found')
  const fields = [fieldOf('birth', 'Date of birth', 'date'), fieldOf('iban', 'Bank account', null)]
  const { json } = await extract(memoryId, { sections: [{ id: 's', name: 'Person', fields }] })
  assert.deepEqual(json.values, { s: { birth: null, iban: null } })
  for (const field of json.sections[0]?.fields ?? []) {
    assert.deepEqual([field.found, field.value, field.sources], [false, null, []])
  }
  assert.deepEqual([json.fieldsTotal, json.fieldsFound], [2, 0])
})

test('a schema without a section, a name, a key or a label is 400 and names it, as are doubles', async () => {
  verifies('extract.sections', 'extract.section-id', 'extract.section-name', 'extract.field-key')
  verifies('extract.field-label', 'extract.duplicates')
  const field = fieldOf('k', 'Invoice date', 'date')
  const cases: readonly (readonly [unknown, string])[] = [
    [{}, 'sections'],
    [{ sections: [] }, 'sections'],
    [{ sections: [{ name: 'n', fields: [field] }] }, 'sections[0].id'],
    [{ sections: [{ id: 's', fields: [field] }] }, 'sections[0].name'],
    [{ sections: [{ id: 's', name: 'n', fields: [{ label: 'l' }] }] }, 'sections[0].fields[0].key'],
    [{ sections: [{ id: 's', name: 'n', fields: [{ key: 'k' }] }] }, 'sections[0].fields[0].label'],
  ]
  for (const [schema, param] of cases) assertError(await extract(memoryId, schema), 400, 'validation_failed', param)
  const section = { id: 's', name: 'n', fields: [field] }
  assertError(await extract(memoryId, { sections: [section, section] }), 400, 'validation_failed')
  const twice = { ...section, fields: [field, field] }
  assertError(await extract(memoryId, { sections: [twice] }), 400, 'validation_failed')
})

test('a value in a document with pages names its page', async () => {
  verifies('extract.answer')
  const paged = await makeMemory(service)
  const pages = ['The workshop report.', 'Signed on: 4 May 2031']
  const content = new Uint8Array(buildPdf(pages.map((text) => ({ content: lines([text], { x: 72, y: 700 }) }))))
  await uploadReady(service, paged, { content, filename: 'report.pdf' })
  const schema = { sections: [{ id: 's', name: 'Report', fields: [fieldOf('signed', 'Signed on', 'date')] }] }
  const { json } = await extract(paged, schema)
  assert.deepEqual(json.values, { s: { signed: '2031-05-04' } })
  assert.equal(json.sections[0]?.fields[0]?.sources[0]?.page, 2)
})

test('a key of the memory may extract from it, and from no other', async () => {
  verifies('extract.endpoint')
  const { key } = await makeKey(service, memoryId)
  assertStatus(await extract(memoryId, SCHEMA, key), 200)
  assertError(await extract(await makeMemory(service), SCHEMA, key), 404, 'memory_not_found')
})
