import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isInNetwork, parseIpAddress, parseIpNetwork } from './ip-address.ts'

describe('parseIpAddress', () => {
  const same: readonly (readonly [string, string])[] = [
    ['::1', '0:0:0:0:0:0:0:1'],
    ['2001:db8::a:0:1', '2001:DB8:0:0:0:A:0:1'],
    ['1::', '1:0:0:0:0:0:0:0'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1'],
    ['::10.0.0.1', '::a00:1'],
  ]
  for (const [one, other] of same) {
    it(`reads ${one} and ${other} as the same address`, () => {
      assert.notEqual(parseIpAddress(one), null)
      assert.deepEqual(parseIpAddress(one), parseIpAddress(other))
    })
  }

  const none = ['', '1.2.3', '1.2.3.4.5', '01.2.3.4', '0x7f.0.0.1', '256.1.1.1', '1.2.3.4 ', '127.0.0.1.', '١.٢.٣.٤']
  const none6 = [':', ':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::', '::12345', '::g']
  const others = [
    '::1%lo',
    'fe80::1%25eth0',
    '[::1]',
    '::1.2.3',
    '::1.2.3.256',
    '1.2.3.4::',
    'localhost',
    '1:2:3:4:5:6:7:',
  ]
  for (const text of [...none, ...none6, ...others]) {
    it(`reads no address in ${JSON.stringify(text)}`, () => assert.equal(parseIpAddress(text), null))
  }

  it('agrees with Node on what is an address, whatever the text', () => {
    const texts = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc
        .array(fc.constantFrom(':', '::', '.', '0', '1', '255', 'ffff', 'a'), { maxLength: 17 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => assert.equal(parseIpAddress(text) !== null, isIP(text) !== 0, text)),
      { numRuns: 1000 },
    )
  })
})

describe('isInNetwork', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['10.255.255.255', '10.0.0.0/8', true],
    ['11.0.0.0', '10.0.0.0/8', false],
    ['10.1.2.3', '10.9.9.9/8', true],
    ['1.2.3.4', '0.0.0.0/0', true],
    ['1.2.3.4', '1.2.3.4/32', true],
    ['1.2.3.5', '1.2.3.4/32', false],
    ['::1', '::/0', true],
    ['1.2.3.4', '::/0', false],
    ['::ffff:10.0.0.1', '10.0.0.0/8', true],
    ['fdff::1', 'fc00::/7', true],
    ['fe00::1', 'fc00::/7', false],
  ]
  for (const [address, network, expected] of cases) {
    it(`puts ${address} ${expected ? 'into' : 'outside of'} ${network}`, () => {
      const [parsed, block] = [parseIpAddress(address), parseIpNetwork(network)]
      assert.ok(parsed !== null && block !== null)
      assert.equal(isInNetwork(parsed, block), expected)
    })
  }

  for (const text of ['10.0.0.0', '10.0.0.0/33', '::/129', '/8', '10.0.0.0/', '10.0.0.0/8/8', '::ffff:10.0.0.0/104']) {
    it(`takes no network from ${text}`, () => assert.equal(parseIpNetwork(text), null))
  }
})
