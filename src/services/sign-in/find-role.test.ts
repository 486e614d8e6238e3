import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRole } from './find-role.ts'

const VALUES = { admin: ['root', 'boss'], writer: ['editor'], reader: ['staff'] }

test('the highest role of a text or a list counts', () => {
  assert.equal(findRole({ roles: 'editor' }, 'roles', VALUES), 'writer')
  assert.equal(findRole({ roles: ['staff', 'boss', 'editor'] }, 'roles', VALUES), 'admin')
  assert.equal(findRole({ roles: ['other'] }, 'roles', VALUES), null)
  assert.equal(findRole({ roles: [] }, 'roles', VALUES), null)
})

test('a claim is found by its name with dots, else by its path', () => {
  const claims = {
    'https://acme.example/roles': ['staff'],
    realm_access: { roles: ['editor'] },
    'a.b': 'boss',
    a: { b: 'staff' },
  }
  assert.equal(findRole(claims, 'https://acme.example/roles', VALUES), 'reader')
  assert.equal(findRole(claims, 'realm_access.roles', VALUES), 'writer')
  assert.equal(findRole(claims, 'a.b', VALUES), 'admin')
  assert.equal(findRole(claims, 'realm_access.roles.length', VALUES), null)
})

test('parts of texts, other types and inherited names give no role', () => {
  for (const roles of ['staff,boss', 'bos', 1, true, null, undefined, { boss: true }, [['boss']], [{ name: 'boss' }]])
    assert.equal(findRole({ roles }, 'roles', VALUES), null)
  assert.equal(findRole({}, 'constructor.name', { ...VALUES, admin: ['Object'] }), null)
  // An empty setting gives its role to no one.
  assert.equal(findRole({ roles: ['', undefined] }, 'roles', { admin: [], writer: [], reader: [] }), null)
})
