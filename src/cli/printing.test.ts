import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describePlace, manyLines, oneLine, plainSnippet, shortTime } from './printing.ts'

describe('what is printed', () => {
  it('carries nothing that a terminal obeys', () => {
    const hostile = 'red \u001b[31m\u0007 and \u202ebackwards\u2069'
    assert.equal(oneLine(hostile), 'red ·[31m· and ·backwards·')
    assert.equal(manyLines(`a\n\tb\r${hostile}`), 'a\n\tb·red ·[31m· and ·backwards·')
    assert.equal(plainSnippet(hostile, false), 'red ·[31m· and ·backwards·')
    assert.equal(describePlace({ title: 'a\u001b]0;x', page: 2 }), 'a·]0;x, page 2')
  })

  it('is one line where it has to be', () => {
    assert.equal(oneLine(' two\n\n lines\t'), 'two lines')
    assert.equal(plainSnippet('two\n<mark>lines</mark>', false), 'two lines')
  })

  it('shows a snippet as the text was, its matches bold on a terminal', () => {
    const snippet = 'a &lt;b&gt; &amp;amp; <mark>match</mark> &quot;c&quot; &#39;d&#39;'
    assert.equal(plainSnippet(snippet, false), 'a <b> &amp; match "c" \'d\'')
    assert.equal(plainSnippet('<mark>match</mark>', true), '\u001b[1mmatch\u001b[22m')
  })

  it('gives times in minutes', () => {
    assert.equal(shortTime('2026-11-21T10:04:05.678Z'), '2026-11-21 10:04')
    assert.equal(shortTime(null), '-')
  })
})
