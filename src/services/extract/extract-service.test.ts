import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../../errors.ts'
import { validateSchema } from './extract-service.ts'

function section(id: string, ...keys: string[]) {
  return { id, name: id, fields: keys.map((key) => ({ key, label: key, dataType: null })) }
}

function refusedParam(...sections: ReturnType<typeof section>[]): string | null {
  try {
    validateSchema({ sections })
    return null
  } catch (error) {
    return (error as ApiError).facts.param ?? ''
  }
}

test('requires unique section ids, and unique keys in a section', () => {
  assert.equal(refusedParam(section('a', 'x', 'y'), section('b', 'x')), null)
  assert.equal(refusedParam(section('a', 'x'), section('b'), section('a')), 'sections[2].id')
  assert.equal(refusedParam(section('a'), section('b', 'x', 'y', 'x')), 'sections[1].fields[2].key')
})

test('accepts at most a thousand fields', () => {
  const keys = Array.from({ length: 500 }, (_, index) => `k${index}`)
  assert.equal(refusedParam(section('a', ...keys), section('b', ...keys)), null)
  assert.equal(refusedParam(section('a', ...keys), section('b', ...keys), section('c', 'k')), 'sections')
})
