import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Block } from '../../parsers/parse-event.ts'
import type { Chunk } from './chunk.ts'
import { createChunker } from './chunker.ts'

const SENTENCE = 'The one on call acknowledges an incident of the first class. '

function chunksOf(blocks: readonly Block[]): Chunk[] {
  const chunker = createChunker()
  return [...blocks.flatMap((block) => chunker.push(block)), ...chunker.flush()]
}

function heading(level: number, words: string): Block {
  return { kind: 'heading', level, heading: words, text: `${'#'.repeat(level)} ${words}\n` }
}

function paragraph(characters: number): Block {
  return {
    kind: 'paragraph',
    text: `${SENTENCE.repeat(Math.ceil(characters / SENTENCE.length)).slice(0, characters - 2)}\n\n`,
  }
}

function rows(count: number, kind: Block['kind'] = 'table-row'): Block[] {
  return Array.from({ length: count }, (_, index) => ({
    kind,
    text: `${index},value of row ${index},and one more column\n`,
  }))
}

function checkOffsets(blocks: readonly Block[], chunks: readonly Chunk[]): void {
  const text = blocks.map((block) => block.text).join('')
  let end = 0
  for (const chunk of chunks) {
    assert.equal(chunk.text, text.slice(chunk.startOffset, chunk.endOffset))
    assert.equal(chunk.text, chunk.text.trim())
    assert.ok(chunk.text.length > 0 && chunk.startOffset >= end)
    assert.equal(text.slice(end, chunk.startOffset).trim(), '')
    end = chunk.endOffset
  }
  assert.equal(text.slice(end).trim(), '')
}

const BLOCK = fc.record({
  text: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc
      .tuple(fc.constantFrom(SENTENCE, 'wort ', 'x', '\n', '東京。', '😀'), fc.nat(700))
      .map(([unit, count]) => unit.repeat(count)),
  ),
  kind: fc.constantFrom<Block['kind'][]>(
    'heading',
    'paragraph',
    'list-item',
    'table-header',
    'table-row',
    'code',
    'record',
    'blank',
  ),
  level: fc.integer({ min: 1, max: 6 }),
  page: fc.integer({ min: 1, max: 9 }),
})

describe('chunks', () => {
  it('cover the text without gaps, each the exact slice of its offsets', () => {
    fc.assert(
      fc.property(fc.array(BLOCK, { maxLength: 25 }), (blocks) => {
        const made = blocks.map((block) => (block.kind === 'blank' ? { ...block, text: ' \n' } : block))
        checkOffsets(made, chunksOf(made))
      }),
      { numRuns: 200 },
    )
  })

  it('never split a surrogate pair and are bounded', () => {
    for (const unit of ['😀', 'x', `${SENTENCE}\n`, 'a,b;']) {
      for (const kind of ['paragraph', 'record', 'code', 'table-row', 'list-item'] as const) {
        for (const chunk of chunksOf([{ kind, text: unit.repeat(20_000) }])) {
          assert.ok(chunk.text.isWellFormed())
          assert.ok(chunk.text.length <= 2600, `${chunk.text.length}`)
        }
      }
    }
  })

  it('are independent of how a parser splits a long line', () => {
    const text = SENTENCE.repeat(400)
    const pieces = Array.from({ length: Math.ceil(text.length / 777) }, (_, index) =>
      text.slice(index * 777, index * 777 + 777),
    )
    const cut = chunksOf(pieces.map((piece) => ({ kind: 'paragraph', text: piece })))
    for (const chunk of cut) assert.match(chunk.text, /\.$/)
  })

  it('are about a thousand characters of prose, cut between sentences', () => {
    const chunks = chunksOf([paragraph(10_000)])
    for (const chunk of chunks.slice(0, -1)) {
      assert.ok(chunk.text.length > 800 && chunk.text.length <= 1200)
      assert.match(chunk.text, /\.$/)
    }
  })

  it('keep paragraphs whole while they fit', () => {
    const chunks = chunksOf([paragraph(600), paragraph(500), paragraph(950)])
    assert.deepEqual(
      chunks.map((chunk) => chunk.text.length > 1000),
      [true, false],
    )
  })

  it('are one for a short document of paragraphs only, and several otherwise', () => {
    const short = [paragraph(1100), paragraph(900)]
    assert.deepEqual(
      chunksOf(short).map((chunk) => chunk.text.length > 1900),
      [true],
    )
    const more = [
      [...short, paragraph(50)],
      [...short, blank(50)],
      [heading(2, 'Escalation'), ...short],
      short.map((block, index) => ({ ...block, page: index + 1 })),
    ]
    for (const blocks of more) {
      checkOffsets(blocks, chunksOf(blocks))
      assert.ok(chunksOf(blocks).length > 1)
    }
  })

  it('are empty for a document of white space', () => {
    assert.deepEqual(
      chunksOf([
        { kind: 'blank', text: '\n\n' },
        { kind: 'paragraph', text: '  \n' },
      ]),
      [],
    )
  })

  it('have first and last page', () => {
    const [chunk] = chunksOf([
      { ...paragraph(200), page: 3 },
      { ...paragraph(200), page: 4 },
    ])
    assert.deepEqual([chunk?.page, chunk?.pageEnd], [3, 4])
  })

  it('never begin with blanks of the previous page or section', () => {
    const sentence = `${'Each '.repeat(38)}of these. `
    const full: Block = { kind: 'paragraph', page: 1, text: `${sentence.repeat(9).trim()}\n\n` }
    const next: Block[] = [heading(1, 'Second chapter'), paragraph(500)].map((block) => ({ ...block, page: 2 }))
    const chunks = chunksOf([{ ...heading(1, 'First chapter'), page: 1 }, full, ...next])
    assert.deepEqual(
      chunks.map(({ page, section }) => [page, section]),
      [
        [1, 'First chapter'],
        [1, 'First chapter'],
        [2, 'Second chapter'],
      ],
    )
  })
})

describe('sections', () => {
  it('begin a chunk and have the headings above', () => {
    const chunks = chunksOf([
      heading(1, 'Playbook'),
      heading(2, 'First'),
      paragraph(500),
      heading(2, 'Second'),
      paragraph(500),
    ])
    assert.deepEqual(
      chunks.map((chunk) => chunk.section),
      ['Playbook > First', 'Playbook > Second'],
    )
    assert.match(chunks[0]?.text ?? '', /^# Playbook\n## First\n/)
  })

  it('are merged under their parent if tiny', () => {
    const tiny: Block = { kind: 'paragraph', text: 'Two words.\n' }
    const chunks = chunksOf([heading(1, 'Top'), heading(2, 'A'), tiny, heading(2, 'B'), tiny, heading(1, 'Next'), tiny])
    assert.deepEqual(
      chunks.map((chunk) => chunk.section),
      ['Top', 'Next'],
    )
  })

  it('keep the heading with the next text', () => {
    const chunks = chunksOf([paragraph(900), heading(2, 'Escalation'), paragraph(1100)])
    assert.match(chunks[1]?.text ?? '', /^## Escalation\n/)
  })
})

describe('lists and tables', () => {
  it('stay whole with their introduction while they fit', () => {
    const items = rows(12, 'list-item')
    const chunks = chunksOf([paragraph(900), { kind: 'paragraph', text: 'The steps are:\n' }, ...items])
    assert.equal(chunks.length, 2)
    assert.match(chunks[1]?.text ?? '', /^The steps are:\n0,/)
  })

  it('are cut between rows, never within one, and carry their header to later chunks', () => {
    const chunks = chunksOf([{ kind: 'table-header', text: 'number,value,more\n' }, ...rows(200)])
    assert.ok(chunks.length > 5)
    assert.deepEqual(
      chunks.map((chunk) => chunk.header),
      [null, ...chunks.slice(1).map(() => 'number,value,more')],
    )
    for (const chunk of chunks) assert.match(chunk.text, /more(?: column)?$/)
  })

  it('leave the rule below a Markdown header out of it', () => {
    const header: Block[] = [
      { kind: 'table-header', text: '| a | b |\n' },
      { kind: 'table-header', text: '|---|:-:|\n' },
    ]
    assert.equal(chunksOf([...header, ...rows(60)])[1]?.header, '| a | b |')
  })

  it('end with the next paragraph', () => {
    const chunks = chunksOf([{ kind: 'table-header', text: 'a,b\n' }, ...rows(20), paragraph(800), ...rows(3)])
    assert.equal(chunks.at(-1)?.header, null)
  })

  it('end at the next table, whose rows do not have the previous header', () => {
    const [first, ...others] = rows(40)
    assert.ok(first)
    const one: Block[] = [{ kind: 'table-header', text: 'a,b\n', beginsTable: true }, ...rows(40)]
    const other: Block[] = [{ ...first, beginsTable: true }, ...others]
    assert.equal(chunksOf([...one, ...other]).at(-1)?.header, null)
    assert.equal(chunksOf([...one, first, ...others]).at(-1)?.header, 'a,b')
    assert.equal(chunksOf([...one.slice(0, 1), ...one]).at(-1)?.header, 'a,b')
  })

  it('do not end with a term, which stays with its definition', () => {
    const list = Array.from({ length: 30 }, (_, number): Block[] => [
      { kind: 'list-item', text: `term ${number}\n`, leads: true },
      { kind: 'list-item', text: `${SENTENCE.repeat(2 + (number % 3)).trim()}\n` },
    ]).flat()
    const chunks = chunksOf(list)
    assert.ok(chunks.length > 3)
    for (const { text } of chunks) assert.match(text, /^term \d+\n/)
  })

  it('begin with a record if several share a line', () => {
    const records = Array.from({ length: 40 }, (_, id) => `{"id":${id},"note":"${'word '.repeat(30)}"},`)
    const chunks = chunksOf(records.map((text) => ({ kind: 'record', text })))
    assert.ok(chunks.length > 1)
    for (const { text } of chunks) assert.match(text, /^\{.*\},$/)
  })

  it('keep a record whole up to twice the usual size', () => {
    const record: Block = { kind: 'record', text: `{"text":"${'word '.repeat(360)}"}\n` }
    assert.deepEqual(
      chunksOf([record, record]).map((chunk) => chunk.text),
      [record.text.trim(), record.text.trim()],
    )
  })
})

describe('a long run of white space', () => {
  it('within a block is read once: this input took an hour', { timeout: 20_000 }, () => {
    assert.equal(chunksOf([{ kind: 'paragraph', text: `x${'\n'.repeat(1_000_000)}x` }]).length, 2)
  })

  it('is not buffered: earlier chunks are emitted, and later offsets are correct', () => {
    const blocks: Block[] = [paragraph(200), ...Array.from({ length: 40 }, () => blank(8000)), paragraph(300)]
    const chunker = createChunker()
    const early = blocks.slice(0, 4).flatMap((block) => chunker.push(block))
    assert.equal(early.length, 1)
    checkOffsets(blocks, [...early, ...blocks.slice(4).flatMap((block) => chunker.push(block)), ...chunker.flush()])
  })
})

function blank(characters: number): Block {
  return { kind: 'paragraph', text: `${' '.repeat(characters - 1)}\n` }
}
