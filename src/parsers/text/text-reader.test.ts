import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from './read-text.ts'
import { createLogReader, createTextReader } from './text-reader.ts'

function read(text: string) {
  return [...readText(createTextReader, text)].flatMap((event) => ('block' in event ? [event.block] : []))
}

test('ends a paragraph at blank lines, which belong to it', () => {
  assert.deepEqual(read('one\ntwo\n\n\nthree'), [
    { kind: 'paragraph', text: 'one\ntwo\n\n\n' },
    { kind: 'paragraph', text: 'three' },
  ])
})

test('emits leading blank lines as a separate block', () => {
  assert.deepEqual(
    read('\n \nword').map((block) => block.kind),
    ['blank', 'paragraph'],
  )
})

test('reads an underlined line as a heading', () => {
  const [title, part] = read('Storage\r\n=======\r\n\r\nCold rooms\r\n----------\r\ntext')
  assert.deepEqual(title, { kind: 'heading', level: 1, heading: 'Storage', text: 'Storage\r\n=======\r\n\r\n' })
  assert.equal(part?.level, 2)
})

test('assigns reStructuredText levels by order of underlines, with optional overlines', () => {
  const headings = (text: string) =>
    read(text).flatMap(({ level, heading }) => (level === undefined ? [] : [[level, heading]]))
  const guide = '======\nQuays\n======\n\none\n\nMoles\n=====\n\ntwo\n\nEast Mole\n~~~~~~~~~\n\nthree\n\nTides\n=====\n'
  assert.deepEqual(headings(guide), [
    [1, 'Quays'],
    [2, 'Moles'],
    [3, 'East Mole'],
    [2, 'Tides'],
  ])
  assert.deepEqual(headings('The storm came.\n***\nAll was over.\n\nA word^^^\n~~~\n'), [])
})

test('reads headings of wikis, AsciiDoc and TeX', () => {
  const marked = (line: string) => read(`before.\n\n${line}\nafter.`)[1]
  for (const line of ['== Moles ==', '==Moles==', '== Moles', '\\section{Moles}', '\\section*{Moles}'])
    assert.deepEqual([marked(line)?.level, marked(line)?.heading], [2, 'Moles'], line)
  assert.equal(read('before\n=== Moles ===\nafter')[1]?.heading, 'Moles')
  for (const line of ['== 5', '== so it is.', '===', 'a == b', '== a = b', '\\sectionmark{Moles}'])
    assert.equal(marked(line)?.heading, undefined, line)
  assert.equal(read('if a\n== Moles\n')[1], undefined)
})

test('reads a chapter number, alone or with its title, as a heading', () => {
  assert.equal(read('CHAPTER II.\nThe Boat\n\nIt came.')[0]?.heading, 'CHAPTER II. The Boat')
  assert.equal(read('Chapter 2.\n\nIt came.')[0]?.heading, 'Chapter 2.')
  assert.equal(read('CHAPTER II.\nThe boat came.\n\nAll saw it.')[0]?.kind, 'paragraph')
})

test('does not read a rule across the page as an underline', () => {
  assert.ok(read(`Total 12\n${'-'.repeat(70)}\nmore`).every((block) => block.kind === 'paragraph'))
})

test('reads separate lines that name a section as headings', () => {
  for (const title of [
    'Chapter 3',
    'Appendix B',
    'CHAPTER IV The Storm',
    '4.2 Terms of payment',
    'DISCLAIMER OF WARRANTY',
  ]) {
    assert.equal(read(`before.\n\n${title}\n\nafter.`)[1]?.heading, title, title)
  }
})

test('keeps ambiguous short lines as paragraphs', () => {
  for (const line of ['Yours sincerely', 'OK', 'Part of the cake.', 'SKU-20931', 'Velmora']) {
    assert.equal(read(`before.\n\n${line}\n\nafter.`)[1]?.kind, 'paragraph', line)
  }
})

test('reads list items with their continuation lines', () => {
  assert.deepEqual(
    read('- one\n  more\n- two\n* three\n1) four\n').map((block) => block.kind),
    ['list-item', 'list-item', 'list-item', 'list-item'],
  )
})

function readLog(text: string): string[] {
  return [...readText(createLogReader, text)].flatMap((event) => ('block' in event ? [event.block.text] : []))
}

test('reads each log line as a record', () => {
  assert.deepEqual(readLog('one\ntwo\nthree'), ['one\n', 'two\n', 'three'])
})

test('keeps a stack trace with its record', () => {
  const trace = '2026-01-02 03:04:05 ERROR boom\njava.lang.Error: x\n\tat a.b(c.java:1)\nCaused by: y\n\t... 3 more\n'
  assert.deepEqual(readLog(`${trace}2026-01-02 03:04:06 INFO on\n`), [trace, '2026-01-02 03:04:06 INFO on\n'])
})

test('keeps lines apart in a log without time stamps', () => {
  assert.deepEqual(readLog('starting\n  with options\nstarted\n'), ['starting\n  with options\n', 'started\n'])
})

test('starts a record at common time stamps', () => {
  for (const stamp of [
    'Jan  2 03:04:05 host',
    '[02/Jan/2026:03:04:05 +0000]',
    '1767322800 x',
    '03:04:05.120 x',
    '<34>Oct 11 x',
  ]) {
    assert.equal(readLog(`2026-01-02 first\n${stamp} second\n`).length, 2, stamp)
  }
})

test('cuts an endless record', () => {
  const lines = Array.from({ length: 500 }, (_, line) => `  continued ${line}\n`)
  assert.ok(readLog(`2026-01-02 first\n${lines.join('')}`).every((text) => text.length < 5000))
})
