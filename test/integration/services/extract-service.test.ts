import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import type { ExtractRequest } from '../../../src/services/extract/extract-service.ts'
import { createExtractService, type ExtractDeps } from '../../../src/services/extract/extract-service.ts'
import { createRuleReader } from '../../../src/services/extract/field-reader.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { addStranger, refusedAs } from './fixtures.ts'
import { openIngestFixture, textDocument } from './ingest-fixture.ts'

const INVOICE = `Harrow & Pike Ltd
accounts@harrow.example

INVOICE

Invoice number: HP-0117
Invoice date: 1 March 2026
Due date: 31 March 2026

Subtotal                 £1,050.00
VAT (20%)                  £210.00
Total due                £1,260.00
`

const NEVER = new AbortController().signal

function field(label: string, dataType: string | null = null) {
  return { key: label.toLowerCase().replaceAll(' ', '_'), label, dataType }
}

function schema(...fields: readonly ReturnType<typeof field>[]): ExtractRequest {
  return { sections: [{ id: 'invoice', name: 'Invoice', fields }], context: 'Invoices of a supplier' }
}

async function openExtraction(t: Parameters<typeof openIngestFixture>[0], given: Partial<ExtractDeps> = {}) {
  const fixture = await openIngestFixture(t)
  const search = createSearchService({ ...fixture.parts, rerank: true })
  const { extract } = createExtractService({ db: fixture.parts.db, search, reader: createRuleReader(), ...given })
  return {
    ...fixture,
    extract: (request: ExtractRequest) => extract(fixture.caller, fixture.memory.id, { ...request, signal: NEVER }),
    service: extract,
  }
}

test('a schema is filled with values whose sources are exact places of the text', async (t) => {
  const { add, extract, memory } = await openExtraction(t)
  const added = await add({}, [textDocument(INVOICE, { title: 'Invoice 117' })])
  const total = field('Total amount', 'currency')
  const answer = await extract(schema(field('Invoice date', 'date'), total, field('Delivery date', 'date')))
  assert.deepEqual(answer.values, {
    invoice: { invoice_date: '2026-03-01', total_amount: { amount: 1260, currency: 'GBP' }, delivery_date: null },
  })
  assert.deepEqual([answer.memoryId, answer.model], [memory.id, 'extractive'])
  assert.deepEqual([answer.fieldsTotal, answer.fieldsFound, answer.warnings], [3, 2, []])
  const [date, , missing] = answer.sections[0]?.fields ?? []
  const [source] = date?.sources ?? []
  assert.equal(date?.data_type, 'date')
  assert.equal(date?.rawValue, '1 March 2026')
  assert.equal(INVOICE.slice(source?.startOffset, source?.endOffset), '1 March 2026')
  assert.equal(source?.documentId, added.documentIds[0])
  assert.equal(source?.title, 'Invoice 117')
  assert.match(source?.snippet ?? '', /Invoice date: 1 March 2026 Due date/)
  assert.match(source?.snippet ?? '', /Harrow &amp; Pike/)
  const none = { found: false, value: null, rawValue: null, confidence: 0, sources: [] }
  assert.deepEqual(missing, { key: 'delivery_date', label: 'Delivery date', data_type: 'date', ...none })
})

test('offsets count from the beginning of the document, wherever the passage begins', async (t) => {
  const { add, extract } = await openExtraction(t)
  const text = `${'The harbour was quiet and the boats lay still. '.repeat(60)}\n\n${INVOICE}`
  await add({}, [textDocument(text)])
  const answer = await extract(schema(field('Invoice date', 'date')))
  const [source] = answer.sections[0]?.fields[0]?.sources ?? []
  assert.equal(text.slice(source?.startOffset, source?.endOffset), '1 March 2026')
})

test('a value names its own page in a passage over several pages', async (t) => {
  const fixture = await openIngestFixture(t)
  const { db } = fixture.parts
  const search = createSearchService({ ...fixture.parts, rerank: true })
  const overTwoPages: ExtractDeps['search'] = {
    find: async (...asked) => {
      const found = await search.find(...asked)
      return { ...found, hits: found.hits.map((hit) => ({ ...hit, page: 1, pageEnd: 2 })) }
    },
  }
  await fixture.add({}, [textDocument(INVOICE)])
  const first = INVOICE.indexOf('Due date')
  const lengths = [first, INVOICE.length - first]
  const pages = JSON.stringify(lengths.map((characters, index) => ({ page: index + 1, characters })))
  await db.updateTable('documents').set({ pages }).execute()
  const { extract } = createExtractService({ db, search: overTwoPages, reader: createRuleReader() })
  const asked = schema(field('Invoice date', 'date'), field('Due date', 'date'))
  const answer = await extract(fixture.caller, fixture.memory.id, { ...asked, signal: NEVER })
  const found = answer.sections[0]?.fields.map(({ rawValue, sources }) => [rawValue, sources[0]?.page])
  assert.deepEqual(found, [
    ['1 March 2026', 1],
    ['31 March 2026', 2],
  ])
})

test('section ids and the keys within a section are unique; two sections may share a key', async (t) => {
  const { extract } = await openExtraction(t)
  const twice = schema(field('Date'), field('Date'))
  await assert.rejects(extract(twice), (error: ApiError) => error.facts.param === 'sections[0].fields[1].key')
  const [section] = schema(field('Date')).sections
  assert.ok(section)
  const same = { sections: [section, section], context: null }
  await assert.rejects(extract(same), (error: ApiError) => error.facts.param === 'sections[1].id')
  const answer = await extract({ sections: [section, { ...section, id: 'other' }], context: null })
  assert.deepEqual(answer.values, { invoice: { date: null }, other: { date: null } })
})

test('two hundred fields are filled in one call', async (t) => {
  const { add, extract } = await openExtraction(t)
  await add({}, [textDocument(INVOICE)])
  const fields = Array.from({ length: 200 }, (_, index) => ({ ...field('Invoice number'), key: `k${index}` }))
  const answer = await extract(schema(...fields))
  assert.equal(answer.fieldsFound, 200)
  assert.equal(answer.values['invoice']?.['k199'], 'HP-0117')
})

test('a correction that names the field goes before the document', async (t) => {
  const { add, extract, parts, caller, memory } = await openExtraction(t)
  await add({}, [textDocument(INVOICE)])
  const { createCorrectionsService } = await import('../../../src/services/corrections/corrections-service.ts')
  const statement = 'The invoice date is 2 March 2026.'
  await createCorrectionsService(parts).add(caller, memory.id, {
    corrections: [{ statement, topics: ['invoice date'], boost: 2 }],
    signal: NEVER,
  })
  const answer = await extract(schema(field('Invoice date', 'date')))
  assert.equal(answer.values['invoice']?.['invoice_date'], '2026-03-02')
})

test('a field that cannot be searched for is a warning, and only where all are the call fails', async (t) => {
  const fixture = await openIngestFixture(t)
  const search = createSearchService({ ...fixture.parts, rerank: true })
  const failing: ExtractDeps['search'] = {
    find: (searched, request) =>
      request.query.startsWith('Broken')
        ? Promise.reject(new ApiError('model_failed'))
        : search.find(searched, request),
  }
  const { extract } = createExtractService({ db: fixture.parts.db, search: failing, reader: createRuleReader() })
  const ask = (request: ExtractRequest) => extract(fixture.caller, fixture.memory.id, { ...request, signal: NEVER })
  await fixture.add({}, [textDocument(INVOICE)])
  const answer = await ask(schema(field('Broken'), field('Invoice number')))
  assert.equal(answer.values['invoice']?.['invoice_number'], 'HP-0117')
  assert.deepEqual(
    answer.warnings.map(({ code, param }) => [code, param]),
    [['field_not_searched', 'sections[0].fields[0]']],
  )
  await assert.rejects(ask(schema(field('Broken'))), refusedAs('model_failed'))
})

test('search warnings are reported once, of the service before those of one field', async (t) => {
  const fixture = await openIngestFixture(t)
  const search = createSearchService({ ...fixture.parts, rerank: true })
  const warningOf = (code: string, param: string | null) => ({ code, message: code, param })
  const poor: ExtractDeps['search'] = {
    find: async (searched, request) => {
      const found = await search.find(searched, request)
      const first = request.query.startsWith('Invoice number') ? 'query' : null
      const warnings = [warningOf('semantic_unavailable', first), warningOf('reranker_unavailable', null)]
      return { ...found, warnings }
    },
  }
  const { extract } = createExtractService({ db: fixture.parts.db, search: poor, reader: createRuleReader() })
  await fixture.add({}, [textDocument(INVOICE)])
  const ask = async (...fields: ReturnType<typeof field>[]) => {
    const { warnings } = await extract(fixture.caller, fixture.memory.id, { ...schema(...fields), signal: NEVER })
    return warnings.map(({ code, param }) => [code, param]).sort()
  }
  const reranker = ['reranker_unavailable', null]
  assert.deepEqual(await ask(field('Due date'), field('Invoice number')), [reranker, ['semantic_unavailable', null]])
  assert.deepEqual(await ask(field('Invoice number'), field('Due date')), [reranker, ['semantic_unavailable', null]])
  const named = ['semantic_unavailable', 'sections[0].fields[0]']
  assert.deepEqual(await ask(field('Invoice number')), [reranker, named])
})

test('several values for one field are said in a warning', async (t) => {
  const { add, extract } = await openExtraction(t)
  await add({}, [textDocument(INVOICE), textDocument(INVOICE.replace('HP-0117', 'HP-0118'))])
  const answer = await extract(schema(field('Invoice number')))
  assert.deepEqual(
    answer.warnings.map(({ code, param }) => [code, param]),
    [['several_values', 'sections[0].fields[0]']],
  )
})

test('the memory of another organization is not found', async (t) => {
  const { service, memory, parts } = await openExtraction(t)
  const stranger = await addStranger(parts.db)
  await assert.rejects(
    service(stranger, memory.id, { ...schema(field('Date')), signal: NEVER }),
    refusedAs('memory_not_found'),
  )
})

test('a call whose time is up ends with the reason', async (t) => {
  const { service, memory, caller } = await openExtraction(t)
  const signal = AbortSignal.abort(new ApiError('request_timeout'))
  await assert.rejects(service(caller, memory.id, { ...schema(field('Date')), signal }), refusedAs('request_timeout'))
})

test('a disconnected client aborts the running searches', async (t) => {
  const leaving = new AbortController()
  const find: ExtractDeps['search']['find'] = (_searched, { signal }) => {
    setImmediate(() => leaving.abort(new ApiError('request_timeout')))
    return once(signal as AbortSignal, 'abort').then(() => Promise.reject(signal?.reason))
  }
  const { service, memory, caller } = await openExtraction(t, { search: { find } })
  const asked = service(caller, memory.id, { ...schema(field('Date')), signal: leaving.signal })
  await assert.rejects(asked, refusedAs('request_timeout'))
})
