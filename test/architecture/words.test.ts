import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listProjectFiles } from './project-files.ts'
import { wordViolations } from './words.ts'

describe('the files of the project', () => {
  it('name no machine, no folder outside and no registry', () => {
    assert.deepEqual(wordViolations(listProjectFiles()), [])
  })

  const forbidden = [
    `see /${'wo'}rk/main`,
    `cd /tmp/${'ba'}sh_jobs`,
    `../${'sha'}red/spec`,
    `https://registry.${'npm'}js.org/x`,
    `"resol${'ved'}": "http://127.0.0.1:4873/x.tgz"`,
  ]
  for (const line of forbidden) {
    it(`may not say ${JSON.stringify(line)}`, () => {
      assert.deepEqual(wordViolations([{ path: 'a.md', source: `one\n${line}\n` }]).length, 1)
    })
  }

  it('may speak of work, of sharing and of temporary folders', () => {
    const source = 'src/work/a.ts ./shared homework/ os.tmpdir() /tmp/recollect'
    assert.deepEqual(wordViolations([{ path: 'a.md', source }]), [])
  })
})
