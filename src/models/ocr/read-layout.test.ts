import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GrayPage } from './gray-page.ts'
import { type ReadOnce, readLayout } from './read-layout.ts'

type Place = readonly [left: number, top: number, letters: number]

/** Letters of 6 by 10 pixels. */
function paint(lines: readonly Place[]): GrayPage {
  const [width, height] = [700, 500]
  const data = new Uint8Array(width * height).fill(255)
  for (const [left, top, letters] of lines)
    for (let y = top; y < top + 10; y += 1)
      for (let at = 0; at < letters; at += 1) data.fill(0, y * width + left + at * 8, y * width + left + at * 8 + 6)
  return { data, width, height }
}

const PROSE: readonly Place[] = [40, 60, 440, 460].map((top) => [50, top, 70] as const)
const TABLE: readonly Place[] = Array.from({ length: 8 }, (_, at) => [
  [50, 120 + at * 30, 9] as const,
  [400, 120 + at * 30, 5] as const,
]).flat()

function row(text: string, [left, top, letters]: Place, line: number): string {
  return [5, 1, 1, 1, line, 1, left, top, letters * 8, 10, 90, text].join('\t')
}

/** An engine that sees these places, each as a word. */
function fakeEngine(seen: { auto: readonly Place[]; block: readonly Place[] }) {
  const pages: { page: GrayPage; layout: string; dpi: number | null }[] = []
  const readOnce: ReadOnce = async (page, { layout, dpi }) => {
    pages.push({ page, layout, dpi })
    const places = layout === 'block' ? seen.block : seen.auto
    return places.map((place, at) => row(`${layout}${at}`, place, at)).join('\n')
  }
  return { pages, readOnce }
}

const layoutOf = (page: GrayPage) => ({ page, tables: [], letterHeight: 10, threshold: 128 })

test('a table is read as a block, in rows, at its place between the texts above and below', async () => {
  const page = paint([...PROSE, ...TABLE])
  // The block begins ten pixels left of the table, and five above.
  const inBlock = TABLE.map(([left, top, letters]) => [left - 40, top - 115, letters] as const)
  const { pages, readOnce } = fakeEngine({ auto: PROSE, block: [...inBlock].reverse() })
  const { words, unread } = await readLayout(layoutOf(page), { readOnce, light: 'even', isBlock: false })
  assert.deepEqual(
    pages.map(({ layout, dpi }) => [layout, dpi]),
    [
      ['auto', 120],
      ['block', 120],
    ],
  )
  assert.equal(pages[0]?.page.data[125 * page.width + 52], 255)
  assert.equal(pages[1]?.page.data[5 * (pages[1]?.page.width ?? 0) + 10], 0)
  assert.deepEqual(
    words.map(({ box: [left, top] }) => [left, top]),
    [...PROSE.slice(0, 2), ...TABLE, ...PROSE.slice(2)].map(([left, top]) => [left, top]),
  )
  assert.equal(new Set(words.slice(2, -2).map(({ line }) => line)).size, 8)
  assert.equal(unread, 0)
})

test('a page that is only a table is read once, and a page without one by the layout of the engine', async () => {
  for (const [lines, layout] of [
    [TABLE, 'block'],
    [PROSE, 'auto'],
  ] as const) {
    const { pages, readOnce } = fakeEngine({ auto: [], block: [] })
    await readLayout(layoutOf(paint(lines)), { readOnce, light: 'even', isBlock: false })
    assert.deepEqual(
      pages.map((read) => read.layout),
      [layout],
    )
  }
})

test('letters that no word covers are unread', async () => {
  const { readOnce } = fakeEngine({ auto: PROSE.slice(1), block: [] })
  const { unread } = await readLayout(layoutOf(paint(PROSE)), { readOnce, light: 'even', isBlock: false })
  assert.equal(unread, 0.25)
})
