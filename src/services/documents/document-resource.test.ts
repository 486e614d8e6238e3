import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UNTITLED } from '../../api/fields.ts'
import { getOwnTitle } from './document-resource.ts'

describe('getOwnTitle', () => {
  it('returns a descriptive title', () => {
    assert.equal(getOwnTitle({ title: 'Pump guide', filename: null }), 'Pump guide')
    assert.equal(getOwnTitle({ title: 'Pump guide', filename: 'p1.pdf' }), 'Pump guide')
    assert.equal(getOwnTitle({ title: 'Untitled lands', filename: null }), 'Untitled lands')
  })

  it('returns null for a file name or a placeholder', () => {
    assert.equal(getOwnTitle({ title: 'p1', filename: 'p1.pdf' }), null)
    assert.equal(getOwnTitle({ title: 'p1', filename: 'plans/p1.pdf' }), null)
    assert.equal(getOwnTitle({ title: UNTITLED, filename: null }), null)
  })
})
