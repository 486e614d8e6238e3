import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { parseAllowPrivate, parseOtlpHeaders, parseOwnKey } from './parsers.ts'

test('a key of the operator is one that a header carries, and nothing of it is repeated where it is none', () => {
  assert.deepEqual(parseOwnKey(' a key with spaces, ~20 \n'), { value: 'a key with spaces, ~20' })
  for (const key of ['clé-à-moi-de-vingt-lettres', 'ключ-которого-никто-не-угадает', 'tab\tin-the-middle-of-a-key']) {
    const parsed = parseOwnKey(key)
    assert.ok('problem' in parsed, key)
    assert.match(parsed.problem, /ASCII alone.*choose another/)
    assert.ok(!parsed.problem.includes(key))
  }
  assert.match(JSON.stringify(parseOwnKey('x'.repeat(19))), /20 characters or more/)
})

describe('parseAllowPrivate', () => {
  it('reads hosts, addresses and networks, with blanks around them', () => {
    const text = 'NAS.lan:8080, 10.0.0.0/8,127.0.0.1:9000 , [FD00::5]:443,fd00::/8, 192.168.1.7/32'
    assert.deepEqual(parseAllowPrivate(text), {
      value: [
        { host: 'nas.lan', port: 8080 },
        { network: '10.0.0.0/8' },
        { host: '127.0.0.1', port: 9000 },
        { host: 'fd00::5', port: 443 },
        { network: 'fd00::/8' },
        { network: '192.168.1.7/32' },
      ],
    })
  })

  it('opens nothing where nothing is set', () => assert.deepEqual(parseAllowPrivate(' '), { value: [] }))

  const wrong = [
    'nas.lan',
    '10.0.0.1',
    'http://nas.lan:80',
    'nas.lan:0',
    'nas.lan:65536',
    'nas.lan:80x',
    'nas lan:80',
    '*.lan:80',
    ':80',
    'fd00::5:443',
    '[nas.lan]:80',
    '[10.0.0.1]:80',
    '[fe80::1%eth0]:80',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0/8',
    'nas.lan/8',
    '::ffff:10.0.0.0/104',
    '10.0.0.0/8:80',
    '10.0.0.0/8,,',
    '10.0.0.0/8;nas:80',
  ]
  for (const text of wrong) {
    it(`refuses ${JSON.stringify(text)} and names the entry`, () => {
      const parsed = parseAllowPrivate(text)
      assert.ok('problem' in parsed)
      assert.match(parsed.problem, /^must be a comma-separated list .+ is neither$/)
    })
  }
})

test('headers are pairs with commas between them, their values percent-encoded', () => {
  assert.deepEqual(parseOtlpHeaders('api-key=abc%20d==, x-team = search ,,=nothing,odd=100%'), {
    'api-key': 'abc d==',
    'x-team': 'search',
    odd: '100%',
  })
  assert.deepEqual(parseOtlpHeaders(''), {})
})
