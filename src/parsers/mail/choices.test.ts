import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextKind } from './body.ts'
import { type Choices, createChoices } from './choices.ts'

function collect(use: (choices: Choices, add: (text: string, kind?: TextKind) => void) => void): string[] {
  const given: string[] = []
  const choices = createChoices(({ text }) => given.push(text))
  use(choices, (text, kind = 'plain') => choices.add([{ text, kind: 'paragraph' }], kind))
  return given
}

test('a choice gives the text, the page where the text is a stub, and what is for programs where there is nothing else', () => {
  const choose = (plain: string, page: string, other: string) =>
    collect((choices, add) => {
      choices.begin()
      add(plain)
      add(page, 'page')
      add(other, 'other')
      choices.end()
    }).join('')
  assert.equal(choose('text', 'page', 'event'), 'text')
  assert.equal(choose('text', 'page'.repeat(100), 'event'), 'page'.repeat(100))
  assert.equal(choose(' ', 'page', 'event'), 'page')
  assert.equal(choose('', '', 'event'), 'event')
})

test('a choice within a choice is a page of it', () => {
  const given = collect((choices, add) => {
    choices.begin()
    add('outer')
    choices.begin()
    add('inner')
    choices.end()
    add('page '.repeat(100), 'page')
    choices.end()
  })
  assert.deepEqual(given, ['inner', 'page '.repeat(100)])
})

test('what is settled is given before what comes then', () => {
  const given = collect((choices, add) => {
    choices.begin()
    add('before')
    choices.settle()
    assert.equal(add('after'), undefined)
    choices.end()
    add('behind')
  })
  assert.deepEqual(given, ['before', 'after', 'behind'])
})

test('a choice among parts without number takes time linear in them', () => {
  const given = collect((choices, add) => {
    choices.begin()
    for (let part = 0; part < 200_000; part += 1) add('text')
    choices.end()
  })
  assert.equal(given.length, 200_000)
})
