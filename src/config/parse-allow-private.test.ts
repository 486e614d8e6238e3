import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAllowPrivate } from './parse-allow-private.ts'

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
