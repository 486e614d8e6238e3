import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JudgedGroup, OWN_SETS, readJudgedSets } from './read-judged-sets.ts'

const sets = new Map(readJudgedSets(OWN_SETS).map((set) => [set.name, set]))

function requireGroups(name: string): readonly JudgedGroup[] {
  const set = sets.get(name)
  assert.ok(set, name)
  return set.groups
}

describe('the sets of the project', () => {
  it('quote words of the relevant document that no other document of the memory has', () => {
    for (const { documents, queries } of [...sets.values()].flatMap(({ groups }) => groups)) {
      for (const { id, quote, gains } of queries) {
        const holders = documents.filter(({ text }) => text.includes(quote ?? ''))
        assert.deepEqual([id, holders.map((document) => document.id)], [id, [...gains.keys()]])
      }
    }
  })

  it('ask 25 questions and more in each language about work and support, with four classes', () => {
    const groups = requireGroups('workplace')
    assert.equal(groups.length, 12)
    for (const { name, queries } of groups) {
      assert.ok(queries.length >= 25, name)
      const classes = new Set(queries.map(({ parts }) => parts['class']))
      assert.deepEqual([...classes].sort(), ['compound', 'paraphrase', 'synonym', 'typing mistake'], name)
    }
  })

  it('ask across languages, a fifth of it unanswerable', () => {
    const groups = requireGroups('across-languages')
    const [answerable, unanswerable] = [
      groups.flatMap(({ queries }) => queries),
      groups.flatMap((one) => one.unanswerable),
    ]
    const all = [...answerable, ...unanswerable]
    assert.ok(all.length >= 120)
    assert.ok(new Set(all.map(({ parts }) => parts['language'])).size >= 8)
    const share = unanswerable.length / all.length
    assert.ok(share > 0.18 && share < 0.22, String(share))
    for (const { documents, queries } of groups) {
      const languages = new Map(documents.map(({ id, language }) => [id, language]))
      for (const { id, gains, parts } of queries) {
        for (const document of gains.keys()) assert.notEqual(languages.get(document), parts['language'], id)
      }
    }
  })
})
