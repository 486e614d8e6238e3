import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Block } from '../../parsers/parse-event.ts'
import type { Chunk } from './chunk.ts'
import { createChunker } from './chunker.ts'
import { sentenceSpans } from './split-text.ts'

type Sizes = Parameters<typeof createChunker>[0]

function chunksOf(blocks: readonly Block[], sizes: Sizes = null): Chunk[] {
  const chunker = createChunker(sizes)
  return [...blocks.flatMap((block) => chunker.push(block)), ...chunker.flush()]
}

const textOf = (blocks: readonly Block[]) => blocks.map((block) => block.text).join('')

/** A paragraph of sentences of about 60 characters, each with its number. */
function prose(first: number, count: number, more: Partial<Block> = {}): Block {
  const sentences = Array.from({ length: count }, (_, index) => {
    return `Sentence number ${first + index} says what the keeper saw from the tower.`
  })
  return { kind: 'paragraph', text: `${sentences.join(' ')}\n\n`, ...more } as Block
}

const heading = (words: string): Block => ({ kind: 'heading', level: 1, heading: words, text: `# ${words}\n` })

/** Documents of all kinds of blocks, the same in each run. */
function sampleDocuments(): Block[][] {
  let state = 7
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const blockOf = (place: number): Block => {
    const size = 1 + random(random(4) === 0 ? 60 : 8)
    const page = { page: 1 + Math.floor(place / 7) }
    const lines = Array.from({ length: size }, (_, row) => `${row},value of row ${row},one more column`).join('\n')
    const kinds: readonly Block[] = [
      prose(place, size, page),
      prose(place, size, page),
      heading(`Part ${place}`),
      { kind: 'list-item', text: `- ${prose(place, 1 + (size % 5)).text.trim()}\n`, ...page },
      { kind: 'table-row', text: `${lines.split('\n')[0]}\n`, ...page },
      { kind: 'code', text: `${lines}\n`, ...page },
      { kind: 'record', text: `${lines.replaceAll('\n', ' ')}\n`, ...page },
      { kind: 'paragraph', text: 'The steps are:\n', ...page },
      { kind: 'paragraph', text: `${'word '.repeat(40 * size)}\n`, ...page },
      { kind: 'blank', text: '\n\n' },
    ]
    return kinds[random(kinds.length)] as Block
  }
  return Array.from({ length: 120 }, () => Array.from({ length: 1 + random(60) }, (_, place) => blockOf(place)))
}

describe('the sizes of chunks', () => {
  it('are by default what they were before they could be chosen', () => {
    const chunks = sampleDocuments().map((blocks) => chunksOf(blocks))
    assert.equal(
      hash('sha256', JSON.stringify(chunks)),
      '8b58225df77df7925f945228b90fbffd3e1bc47728f14757520474e72e1f9251',
    )
  })

  it('are bounded by maxCharacters, and the chunks cover the text in order with exact offsets', () => {
    for (const maxCharacters of [200, 333, 1200, 4000])
      for (const overlap of [0, 50, 100])
        for (const blocks of sampleDocuments()) checkChunks(blocks, { maxCharacters, overlap })
  })

  it('hold for any text', () => {
    const kinds = fc.constantFrom('paragraph', 'list-item', 'code', 'record', 'table-row', 'table-header')
    const words = fc.array(fc.constantFrom('one', 'two. ', ' ', '\n', 'A', 'ß', '😀', 'x'.repeat(90)), {
      maxLength: 80,
    })
    const block = fc.record({ kind: kinds, text: words.map((parts) => parts.join(' ')) }) as fc.Arbitrary<Block>
    const sizes = fc.integer({ min: 200, max: 700 }).chain((maxCharacters) => {
      return fc.record({ maxCharacters: fc.constant(maxCharacters), overlap: fc.nat(maxCharacters >> 1) })
    })
    fc.assert(fc.property(fc.array(block, { maxLength: 12 }), sizes, checkChunks), { numRuns: 300 })
  })
})

function checkChunks(blocks: readonly Block[], sizes: { maxCharacters: number; overlap: number }): void {
  const text = textOf(blocks)
  let [start, end] = [-1, 0]
  for (const chunk of chunksOf(blocks, sizes)) {
    assert.equal(chunk.text, text.slice(chunk.startOffset, chunk.endOffset))
    assert.equal(chunk.text, chunk.text.trim())
    assert.ok(chunk.text.length <= sizes.maxCharacters, `${chunk.text.length} characters`)
    assert.ok(chunk.startOffset > start && chunk.endOffset > end, 'chunks go forward')
    assert.ok(end - chunk.startOffset <= sizes.overlap, `${end - chunk.startOffset} characters are repeated`)
    if (chunk.startOffset > end) assert.equal(text.slice(end, chunk.startOffset).trim(), '')
    ;[start, end] = [chunk.startOffset, chunk.endOffset]
  }
  assert.equal(text.slice(end).trim(), '')
}

/** The text that each chunk repeats from the one before. */
function repeatedIn(chunks: readonly Chunk[], text: string): string[] {
  return chunks.slice(1).map(({ startOffset }, place) => text.slice(startOffset, chunks[place]?.endOffset ?? 0).trim())
}

describe('overlapping chunks', () => {
  const sizes = { maxCharacters: 600, overlap: 150 }

  it('of prose begin with the last whole sentences of the one before', () => {
    for (const blocks of [[prose(100, 60)], Array.from({ length: 20 }, (_, place) => prose(100 + 7 * place, 7))]) {
      const repeated = repeatedIn(chunksOf(blocks, sizes), textOf(blocks))
      assert.ok(repeated.length > 5)
      for (const sentences of repeated) {
        assert.equal(sentenceSpans(sentences, 1000).length, 2)
        assert.match(sentences, /^Sentence number \d+ .*\. Sentence number \d+ .*\.$/s)
      }
    }
  })

  it('repeat nothing across sections, pages and tables', () => {
    const row: Block = { kind: 'table-row', text: `${'cell,'.repeat(60)}\n` }
    for (const blocks of [
      [prose(1, 9), heading('Next'), prose(20, 9), heading('Last'), prose(40, 9)],
      [prose(1, 8, { page: 1 }), prose(20, 8, { page: 2 }), prose(40, 8, { page: 3 })],
      [row, row, row, row, prose(1, 8), row, row, row],
    ])
      assert.deepEqual(new Set(repeatedIn(chunksOf(blocks, sizes), textOf(blocks))), new Set(['']))
  })

  it('never repeat the whole of the one before', () => {
    const chunks = chunksOf([prose(1, 2), prose(3, 2), prose(5, 2), prose(7, 30)], { maxCharacters: 200, overlap: 100 })
    for (const [place, { startOffset }] of chunks.slice(1).entries())
      assert.ok(startOffset > (chunks[place]?.startOffset ?? 0))
  })
})
