import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readTrustSets, type TrustGroup, type TrustQuestion } from '../../../bench/trust/trust-set.ts'

const DATA = join(import.meta.dirname, '../../../bench/trust/data')
const NEEDS_PATTERN = new Set(['answer', 'corrected', 'corrected-sibling', 'edition'])
const KINDS = new Set([...NEEDS_PATTERN, 'decline', 'sibling'])

for (const [set, groups] of readTrustSets(DATA)) {
  describe(`the trust set ${set}`, () => {
    for (const group of groups) {
      it(`can be answered as ${group.name} says`, () => {
        const texts = textsOf(group)
        for (const question of group.questions) checkQuestion(question, texts)
        const names = group.documents.map(({ name }) => name)
        assert.equal(new Set(names).size, names.length, 'two documents have one name')
        for (const { kind, newer, older, text } of group.questions) {
          if (kind === 'edition') assert.ok(names.includes(newer) && names.includes(older), text)
          if (kind.startsWith('corrected')) assert.ok(group.corrections.length > 0, text)
        }
      })
    }
  })
}

/** Every wanted pattern occurs in one text of the group, and every pattern is valid. */
function checkQuestion({ kind, text, must, mustNot, accept }: TrustQuestion, texts: readonly string[]): void {
  assert.ok(KINDS.has(kind), `${text}: ${kind}`)
  assert.ok(must.length > 0 || !NEEDS_PATTERN.has(kind), `${text}: no pattern`)
  for (const pattern of must) {
    const expression = new RegExp(pattern, 'iu')
    assert.ok(
      texts.some((one) => expression.test(one)),
      `${text}: ${pattern}`,
    )
  }
  for (const pattern of [...mustNot, ...accept]) assert.doesNotThrow(() => new RegExp(pattern, 'iu'), text)
}

function textsOf({ documents, corrections }: TrustGroup): string[] {
  const texts = [...documents.flatMap(({ name, text }) => [name, text]), ...corrections.map((one) => one.statement)]
  return texts.map((text) => text.replace(/\s+/g, ' '))
}
