import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import type { ParseEvent } from '../parse-event.ts'
import { readRtfBytes } from './rtf-reader.ts'

const FONTS = String.raw`{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fcharset204{\*\panose 02}Arial;}{\f2\fcharset2 Symbol;}{\f3\fcharset128 Mincho;}}`
const STYLES = String.raw`{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Anything;}{\s5 heading 2;}{\*\cs10 Font;}}`

function build(body: string): Buffer {
  return Buffer.from(String.raw`{\rtf1\ansi\ansicpg1252\deff0${FONTS}${STYLES}${body}}`, 'latin1')
}

function eventsOf(body: string): ParseEvent[] {
  return [...readRtfBytes(build(body))]
}

function linesOf(body: string): string[] {
  return eventsOf(body).flatMap((event) =>
    'block' in event && event.block.kind !== 'blank' ? [`${event.block.kind}: ${event.block.text.trim()}`] : [],
  )
}

test('decodes text in the character set of its font, and Unicode with its replacement skipped', () => {
  assert.deepEqual(
    linesOf(
      String.raw`\pard Caf\'e9 \u8212\'97 dash {\uc2\u26085\'93\'fa}\~x {\f1\'d1\'ea\'eb\'e0\'e4} {\f3\'93\'fa\'96\'7b} {\f2 a}\u-10188?\u-8445?\par`,
    ),
    ['paragraph: Café — dash 日\u00a0x Склад 日本 α𝌃'],
  )
  const mac = Buffer.from(String.raw`{\rtf1\mac Le bac pay\'8e 9 \'db}`)
  assert.ok([...readRtfBytes(mac)].some((event) => 'block' in event && event.block.text === 'Le bac payé 9 €\n\n'))
})

test('finds headings by style and level, list items with numbers, and the title', () => {
  const body = String.raw`{\info{\title Dues \'e9}{\author Nobody}}\pard\s1 One\par\pard\s5 Two\par\pard\outlinelevel2 Three\par
\pard{\listtext\pard\plain 1.\tab}First\par{\pntext\f2\'b7\tab}\pard Second\par\pard plain\par`
  assert.deepEqual(linesOf(body), [
    ...['heading: One', 'heading: Two', 'heading: Three', 'list-item: 1. First', 'list-item: Second'],
    'paragraph: plain',
  ])
  const events = eventsOf(body)
  assert.deepEqual(events[0], { title: 'Dues é', over: 'file-name' })
  assert.deepEqual(
    events.flatMap((event) => ('block' in event && event.block.level !== undefined ? [event.block.level] : [])),
    [1, 2, 3],
  )
})

test('reads table rows with header, paragraphs of a cell and cells merged over rows', () => {
  const row = (words: string, first = '') =>
    `${String.raw`\trowd${first}\cellx1000\cellx2000\pard\intbl ${words}\row`}\n`
  const table = `${row(String.raw`Item\cell Crates\cell`, String.raw`\trhdr`)}${row(String.raw`Jelly\par red\cell 48\cell`, String.raw`\clvmgf`)}${row(String.raw`\cell 50\cell`, String.raw`\clvmrg`)}`
  assert.deepEqual(linesOf(`${table}${String.raw`\pard after\par`}`), [
    ...['table-header: Item | Crates', 'table-row: Jelly red | 48', 'table-row: Jelly red | 50', 'paragraph: after'],
  ])
  assert.deepEqual(linesOf(String.raw`\trowd\cellx1\pard\intbl lost\cell\pard after\par`), [
    'table-row: lost',
    'paragraph: after',
  ])
})

test('reads notes, comments, boxes and field results in place, headers and footers once at the end', () => {
  const margin = String.raw`{\header\pard Quay office\par}{\footer\pard \chpgn 3\par}`
  const body = String.raw`${margin}\pard One{\footnote\pard\chftn Note.}{\*\atnauthor Ann}{\*\annotation Why?} {\field{\*\fldinst HYPERLINK x}{\fldrslt link}}\par
{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt Box\par}}{\shprslt Box}}Two\par${margin}`
  assert.deepEqual(linesOf(body), [
    ...['paragraph: One link', 'paragraph: Note.', 'paragraph: Comment by Ann: Why?', 'paragraph: Two'],
    ...['paragraph: Box', 'paragraph: Quay office'],
  ])
})

test('skips hidden and deleted text, pictures and unknown groups, and names embedded files', () => {
  const binary = String.raw`{\pict 00ff\bin3 }}{}`
  const body = String.raw`\pard a{\v hidden}{\deleted gone}{\*\unknown x}${binary}b\constructor c\par{\object{\*\objdata 0105}{\result shown}}\par`
  assert.deepEqual(linesOf(body), ['paragraph: abc', 'paragraph: shown'])
  assert.deepEqual(eventsOf(body).at(-1), {
    warning: 'An embedded file was not read: files in RTF files are not supported.',
  })
})

test('reports a truncated file, and refuses endless groups and files without text', () => {
  const cut = [...readRtfBytes(Buffer.from(String.raw`{\rtf1 one\par two`))]
  assert.match(JSON.stringify(cut.at(-1)), /cut.*end is missing/)
  assert.equal(cut.filter((event) => 'block' in event).length, 2)
  const refusals: [string, RegExp][] = [
    [`{\\rtf1 ${'{'.repeat(200_000)}`, /too deeply/],
    [String.raw`{\rtf1\pard\par{\pict 00}}`, /no text/],
  ]
  for (const [file, message] of refusals)
    assert.throws(() => [...readRtfBytes(Buffer.from(file))], { code: 'unprocessable_document', message })
})

test('reads any truncated or changed file, or fails with a clear error', () => {
  const file = build(
    String.raw`\trowd\trhdr\clvmgf\cellx1\pard\intbl A\cell b\cell\row\pard\s1 One{\footnote x}\u8212?\par{\listtext 1.}{\*\annotation y}\'e9\par`,
  )
  for (let at = 0; at < file.length; at += 1) {
    const changed = Buffer.from(file)
    changed.writeUInt8((at * 37 + 11) % 256, at)
    for (const bytes of [file.subarray(0, at), changed]) {
      try {
        for (const event of readRtfBytes(bytes)) assert.ok(typeof event === 'object')
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 'unprocessable_document', String(error))
      }
    }
  }
})

test('reads pictures and control words of a large file in linear time', () => {
  const picture = `{\\pict ${'00ff'.repeat(2_000_000)}}`
  const words = String.raw`\b0\u233\'e9 x{}`.repeat(100_000)
  const before = performance.now()
  assert.ok(eventsOf(`${picture}\\pard ${words}\\par`).length > 1)
  assert.ok(performance.now() - before < 5_000)
})
