import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Block } from '../../../parsers/parse-event.ts'
import { chooseTitle, type TitleSources } from './choose-title.ts'

const HEADING: Block = { kind: 'heading', level: 1, text: '# Quays\n', heading: 'Quays' }
const NONE: TitleSources = { given: null, own: null, blocks: [], fallback: 'quays.docx' }
const property = (title: string | null) => ({ title, over: 'file-name' }) as const

describe('the title of a document', () => {
  test('is the title from the caller', () => {
    const own = { title: 'Harbour', over: 'headings' } as const
    assert.equal(chooseTitle({ ...NONE, given: 'Mine', own, blocks: [HEADING] }), 'Mine')
  })

  test('is the first heading before the title property', () => {
    assert.equal(chooseTitle({ ...NONE, own: property('Harbour'), blocks: [HEADING] }), 'Quays')
    const later: Block = { kind: 'paragraph', text: 'Words.\n' }
    assert.equal(chooseTitle({ ...NONE, own: property('Harbour'), blocks: [later, HEADING] }), 'Harbour')
    const front: Block = { kind: 'code', text: '---\ntags: [sea]\n---\n' }
    assert.equal(chooseTitle({ ...NONE, blocks: [front, HEADING] }), 'Quays')
    assert.equal(chooseTitle({ ...NONE, blocks: [{ kind: 'code', text: '```\nls\n```\n' }, HEADING] }), 'quays.docx')
  })

  test('is the title property in formats whose headings are not titles', () => {
    assert.equal(chooseTitle({ ...NONE, own: { title: 'Stock', over: 'headings' }, blocks: [HEADING] }), 'Stock')
    assert.equal(chooseTitle({ ...NONE, own: { title: null, over: 'headings' }, blocks: [HEADING] }), 'quays.docx')
  })

  test('is a single line of limited length', () => {
    assert.equal(chooseTitle({ ...NONE, own: property(' The\r\n harbour\u0000 of\tVranja ') }), 'The harbour of Vranja')
    assert.equal(chooseTitle({ ...NONE, own: property('a'.repeat(5000)) }).length, 300)
  })

  for (const made of [
    '',
    ' - ',
    '()',
    'Microsoft Word - report_final.doc',
    'Microsoft PowerPoint - Slides',
    'PowerPoint Presentation',
    'PowerPoint-Präsentation',
    'Présentation PowerPoint',
    'Presentación de PowerPoint',
    'Untitled',
    'untitled document',
    'Unbenannt 1',
    'Sans titre',
    'Sin título',
    'Document1',
    'Book 1',
    'Mappe1',
    'Slide 1',
    'Title',
    'Normal',
    'report.docx',
    'D:\\numbers\\quarterly numbers',
    '/thesis/draft two',
    'thesis.dvi',
    'Full page photo',
    '(anonymous)',
  ])
    test(`is not "${made}", which a program generated`, () => {
      assert.equal(chooseTitle({ ...NONE, own: property(made) }), 'quays.docx')
    })

  for (const real of [
    'Document management in small harbours',
    'Book of tides',
    'Untitled lands: a history of the coast and of its people',
    '2024',
    'PowerPoint for beginners, volume 2',
    'Print shops of Vranja',
    'Either/or',
    '東京の港',
  ])
    test(`may be "${real}"`, () => {
      assert.equal(chooseTitle({ ...NONE, own: property(real) }), real)
    })
})
