import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { findAddressRule, isInNetwork, parseIpAddress, parseIpNetwork } from './ip-address.ts'

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

  it('agrees with Node on any text', () => {
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

function ruleOf(text: string): string | null {
  const address = parseIpAddress(text)
  assert.ok(address !== null, text)
  return findAddressRule(address)?.name ?? null
}

describe('findAddressRule', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1'],
    private: ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1'],
    'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1'],
    'site-local': ['fec0::1', 'feff::1'],
    'of a carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
    'a cloud metadata address': [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      '64:ff9b::a9fe:a9fe',
    ],
    unspecified: ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
    broadcast: ['255.255.255.255'],
    reserved: [
      '240.0.0.1',
      '192.0.0.1',
      '2001:10::1',
      '2001:1::1',
      '4000::1',
      '5f00::1',
      '100::1',
      '::ffff:0:7f00:1',
      '1::',
    ],
    'for documentation': ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1'],
    'for benchmarking': ['198.18.0.1', '198.19.255.255'],
    '6to4': ['2002:7f00:1::', '2002:808:808::1', '192.88.99.1'],
    Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8', '::2'],
    'a local NAT64': ['64:ff9b:1::1'],
  }
  for (const [name, addresses] of Object.entries(refused)) {
    it(`refuses what is ${name}`, () => {
      assert.deepEqual(
        Object.fromEntries(addresses.map((text) => [text, ruleOf(text)])),
        Object.fromEntries(addresses.map((text) => [text, name])),
      )
    })
  }

  it('checks addresses embedded by NAT64 and ISATAP', () => {
    assert.equal(ruleOf('64:ff9b::192.168.1.1'), 'private')
    assert.equal(ruleOf('2a00:1450::5efe:10.0.0.1'), 'private')
    assert.equal(ruleOf('2a00:1450::200:5efe:127.0.0.1'), 'loopback')
    assert.equal(ruleOf('64:ff9b::8.8.8.8'), null)
    assert.equal(ruleOf('2a00:1450::5efe:8.8.8.8'), null)
  })

  it('allows the public neighbours of every block', () => {
    const before = [
      '1.0.0.0',
      '9.255.255.255',
      '100.63.255.255',
      '126.255.255.255',
      '169.253.255.255',
      '172.15.255.255',
    ]
    const after = [
      '11.0.0.0',
      '100.128.0.0',
      '128.0.0.0',
      '169.255.0.0',
      '172.32.0.0',
      '192.169.0.0',
      '198.20.0.0',
      '192.0.1.0',
    ]
    const other = [
      '8.8.8.8',
      '223.255.255.255',
      '::ffff:8.8.8.8',
      '2606:4700::1111',
      '2a00:1450:4001::1',
      '2001:4860:4860::8888',
    ]
    for (const text of [...before, ...after, ...other]) assert.equal(ruleOf(text), null, text)
  })
})
