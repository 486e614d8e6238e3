import assert from 'node:assert/strict'
import test from 'node:test'
import { splitSentences } from './answering/split-sentences.ts'
import { type DatedPassage, findEditions } from './editions.ts'

type Facts = Partial<Pick<DatedPassage, 'title' | 'section' | 'document' | 'createdAt'>>

function passage(text: string, facts: Facts): DatedPassage {
  const nothing = { section: null, language: null, code: [], vectors: null, semantic: null, createdAt: null }
  const place = { kind: 'document', startOffset: 0, score: 1, title: null } as const
  return { ...nothing, ...place, document: facts.title ?? 'd', ...facts, text, sentences: splitSentences(text) }
}

/** The newer text for a quote of the first passage; `null` without editions. */
function newest(quoted: string, passages: readonly DatedPassage[], question = 'How long is probation?') {
  const start = passages[0]?.text.indexOf(quoted) ?? 0
  const found = findEditions({ passage: 0, start, end: start + quoted.length }, passages, question)
  return found === null ? null : found.newer.text
}

const [short, long] = ['Probation lasts three months.', 'Probation lasts six months.'] as const

test('the newer edition has the later date or version in title or text, or was added later', () => {
  const of = (one: Facts, other: Facts) => newest(short, [passage(short, one), passage(long, other)])
  assert.equal(of({ title: 'Handbook 2025' }, { title: 'Handbook 2023' }), short)
  assert.equal(of({ title: 'Policy, version 3 (2024)' }, { title: 'Policy, version 4 (2026)' }), long)
  assert.equal(of({ title: 'Policy v1.9' }, { title: 'Policy v1.10' }), long)
  assert.equal(of({ title: 'Handbuch, 3. Auflage' }, { title: 'Handbuch, 2. Auflage' }), short)
  assert.equal(of({ title: '员工手册2023年版' }, { title: '员工手册2025年修订版' }), long)
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
  const twice = { title: 'Handbook', document: 'b' }
  assert.equal(of({ title: 'Handbook', createdAt: early }, { ...twice, createdAt: late }), long)
  const dated = [`Valid from 1 May 2024 until 31 December 2027.\n\n${short}`, `Valid from 1 June 2026.\n\n${long}`]
  assert.equal(newest(short, [passage(dated[0] ?? '', { title: 'Rules' }), passage(dated[1] ?? '', twice)]), null)
  const [old, recent] = dated.map((text, at) => passage(text, { title: 'Rules', document: `${at}` }))
  assert.ok(old && recent)
  assert.equal(newest(short, [old, recent]), long)
  const first = passage(`Valid from 1 May 2024.\n\n${short}`, { title: 'Rules', document: 'first' })
  const named = passage(`Replaces the rules of 1 May 2024. From 1 June 2026.\n\n${long}`, { title: 'Rules' })
  assert.equal(newest(short, [first, named]), long)
})

test('sections of one document are editions if their headings differ in the date or version', () => {
  const handbook = (first: string, second: string) => {
    const text = `# Handbook\n\n## ${first}\n\n${short}\n\n## ${second}\n\n${long}`
    return newest(short, [passage(text, { title: 'Handbook' })])
  }
  assert.equal(handbook('Rules of 2023', 'Rules of 2025'), long)
  assert.equal(handbook('Rules of 2025', 'Rules of 2023'), short)
  assert.equal(handbook('2.9.0', '2.10.0'), long)
  assert.equal(handbook('2023年规定', '2025年规定'), long)
  assert.equal(handbook('Managers', 'Clerks'), null)
  assert.equal(handbook('Managers 2023', 'Clerks 2025'), null)
  assert.equal(handbook('Rules', 'Rules of 2025'), null)
})

test('documents and sections with other names are siblings', () => {
  const find = (one: string, other: string) =>
    newest(short, [passage(short, { title: one }), passage(long, { title: other })])
  assert.equal(find('Handbook Hull', 'Handbook Leeds'), null)
  assert.equal(find('Handbook Hull 2023', 'Handbook Leeds 2025'), null)
  assert.equal(find('Report quarter 1 2026', 'Report quarter 2 2026'), null)
  assert.equal(find('Letter of 9 March 2026', 'Letter of 2 April 2026'), long)
  assert.equal(find('东京手册', '大阪手册'), null)
  const dated = `From March 2026 ${long.toLowerCase()}`
  const two = (title: string) => [passage(short, { title: 'Policy A' }), passage(dated, { title })]
  assert.equal(newest(short, two('Policy B')), dated)
  assert.equal(newest(short, two('Rules for guests')), null)
  const below = (heading: string, text: string, title: string) => passage(`## ${heading}\n\n${text}`, { title })
  const headed = [below('Hull', short, 'Rules 2023'), below('Leeds', long, 'Rules 2025')]
  assert.equal(newest(short, headed), null)
})

test('the most similar statement of an edition is compared, and a named edition is kept', () => {
  const rows = (one: string, other: string) => `| Hall | ${one} |\n| Hall, small | ${other} |`
  const passages = [
    passage(rows('80 €', '50 €'), { title: 'Fees 2023' }),
    passage(rows('95 €', '60 €'), { title: 'Fees 2025' }),
  ]
  assert.match(newest('| Hall, small | 50 € |', passages, 'Price?') ?? '', /60 €/)
  const editions = [passage(short, { title: 'Handbook 2023' }), passage(long, { title: 'Handbook 2025' })]
  assert.equal(newest(short, editions, 'How long was probation in 2023?'), null)
})
