import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import { UrlFailure } from './url-failure.ts'
import { createUrlGuard, type PrivateAllowlistEntry } from './url-guard.ts'

/** DNS answers of the test names. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.215.14', '2606:2800:21f::1'],
  localhost: ['::1', '127.0.0.1'],
  'localtest.example': ['127.0.0.1'],
  'half.example': ['93.184.215.14', '10.0.0.5'],
  'half6.example': ['93.184.215.14', 'fd00::5'],
  'mapped.example': ['::ffff:10.0.0.5'],
  'zone.example': ['fe80::1%eth0'],
  'nas.lan': ['192.168.1.7'],
  'metadata.google.internal': ['169.254.169.254'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  redis: ['172.18.0.2'],
}

function guardWith(allowPrivate: readonly PrivateAllowlistEntry[] = []) {
  const lookedUp: string[] = []
  const resolve = async (name: string) => {
    lookedUp.push(name)
    return NAMES[name] ?? []
  }
  return { lookedUp, guard: createUrlGuard({ allowPrivate, ports: [80, 443], resolve }) }
}

/** Returns the allowed addresses of a URL, or code and message of the refusal. */
async function judge(text: string, allowPrivate: readonly PrivateAllowlistEntry[] = []): Promise<string> {
  const { guard } = guardWith(allowPrivate)
  try {
    const { host, port } = guard.requireUrl(text)
    const admitted = await guard.requireAddresses(host, port)
    return admitted.map(({ address }) => address).join(' ')
  } catch (error) {
    assert.ok(error instanceof UrlFailure || error instanceof ApiError, String(error))
    assert.doesNotMatch(error.message, /\d+\.\d+\.\d+\.\d+|[0-9a-f]*::/, 'no address is told')
    return `${error.code}: ${error.message}`
  }
}

const notPublic = (rule: string) => `url_not_allowed: its host is not public (${rule})`
const NO_HOST = 'url_not_allowed: its host or port is invalid'
const SCHEME = 'url_not_allowed: its scheme is not http or https'
const CREDENTIALS = 'url_not_allowed: it contains a user name or a password'
const CONTROL = 'url_not_allowed: it contains control characters'
const BACKSLASH = 'url_not_allowed: it contains a backslash'
const NO_NAME = 'url_not_allowed: its host is not a valid host name'
const NO_URL = 'validation_failed: url must be an absolute http or https URL'

const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  [notPublic('loopback')]: [
    'http://127.0.0.1/',
    'http://127.255.255.254/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://127.0.0.0x1/',
    'http://00000177.0.0.01/',
    'http://127.0.0.1./',
    'http://127.0.0.1../',
    'http://①②⑦.⓪.⓪.①/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://127．0｡0．1/',
    'http://%31%32%37.0.0.1/',
    'http://%3127.0.0.1/',
    'http://127.0.0.1%2e/',
    'http:127.0.0.1/',
    'http:///127.0.0.1/',
    'HTTP://127.0.0.1/',
    'https://127.0.0.1/',
    'http://@127.0.0.1/',
    'http://127.0.0.1:80/',
    'http://127.0.0.1:0080/',
    'http://[::1]/',
    'http://[0000:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:FFFF:7F00:0001]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2a00:1450::5efe:7f00:1]/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'http://loc\u00adalhost/',
    'http://loc%61lhost/',
    'http://localtest.example/',
    'http://127.0.0.1.nip.example/',
    ' \n http://127.0.0.1/ \n',
    'http://127.0.0.1/?@public.example/',
    'http://127.0.0.1#@public.example/',
  ],
  [notPublic('unspecified')]: [
    'http://0/',
    'http://0.0.0.0/',
    'http://0x/',
    'http://[::]/',
    'http://[::ffff:0:0]/',
    'http://0.1/',
  ],
  [notPublic('private')]: [
    'http://10.0.0.5/',
    'http://167772165/',
    'http://10.5/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://0300.0250.1.1/',
    'http://[fd00::1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://half.example/',
    'http://half6.example/',
    'http://mapped.example/',
    'http://nas.lan/',
    'http://redis/',
  ],
  [notPublic('link-local')]: ['http://169.254.1.1/', 'http://[fe80::1]/', 'http://[febf::1]/'],
  [notPublic('a cloud metadata address')]: [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://metadata.google.internal/computeMetadata/v1/',
  ],
  [notPublic('site-local')]: ['http://[fec0::1]/'],
  [notPublic('of a carrier-grade NAT')]: ['http://100.64.0.1/'],
  [notPublic('for benchmarking')]: ['http://198.18.0.1/'],
  [notPublic('for documentation')]: ['http://192.0.2.1/', 'http://[2001:db8::1]/'],
  [notPublic('multicast')]: ['http://224.0.0.1/', 'http://[ff02::1]/'],
  [notPublic('broadcast')]: ['http://255.255.255.255/', 'http://4294967295/'],
  [notPublic('reserved')]: ['http://240.0.0.1/', 'http://192.0.0.1/', 'http://[::ffff:0:127.0.0.1]/', 'http://[1::1]/'],
  [notPublic('6to4')]: ['http://[2002:7f00:1::]/', 'http://[2002:a00:1::1]/'],
  [notPublic('Teredo')]: ['http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/'],
  [notPublic('IPv4-compatible')]: ['http://[::127.0.0.1]/', 'http://[::7f00:1]/'],
  'url_not_allowed: its address is invalid': ['http://zone.example/'],
  [NO_HOST]: [
    'http://[fe80::1%25eth0]/',
    'http://[::1%25lo]/',
    'http://[::1]x/',
    'http://[::1/',
    'http://256.0.0.1/',
    'http://4294967296/',
    'http://1.2.3.4.5/',
    'http://public.example.0x7f/',
    'http://127.0.0.1%00.public.example/',
    'http://127.0.0.1%0d%0a.public.example/',
    'http://١٢٧.٠.٠.١/',
    'http://%5B::1%5D/',
    'http://public.example:99999/',
    'http://public.example:80:80/',
    'http://public.example%2f@127.0.0.1:x/',
    'http://pub lic.example/',
  ],
  [NO_NAME]: ['http://.public.example/', 'http://public..example/', `http://${'a'.repeat(64)}.example/`],
  [CREDENTIALS]: [
    'http://user:pass@public.example/',
    'http://user@127.0.0.1/',
    'http://public.example@127.0.0.1/',
    'http://public.example%2f@127.0.0.1/',
    'http://public.example:80@127.0.0.1/',
    'http://:pass@public.example/',
    'http://public.example%23@127.0.0.1/',
  ],
  [BACKSLASH]: ['http://public.example\\@127.0.0.1/', 'http:\\\\127.0.0.1/', 'http://127.0.0.1\\.public.example/'],
  [CONTROL]: [
    'http://127.0.\t0.1/',
    'ht\ntp://127.0.0.1/',
    'http://public.example/\r\nHost: x',
    'http://a\0b/',
    'http://a\x7f/',
  ],
  [SCHEME]: [
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    'ftp://public.example/a',
    'gopher://127.0.0.1:6379/_INFO',
    'dict://127.0.0.1:11211/',
    'data:text/html,hello',
    'javascript:alert(1)',
    'jar:http://127.0.0.1!/',
    'ws://public.example/',
    'unix:/var/run/docker.sock',
    'blob:http://127.0.0.1/1',
    'view-source:http://127.0.0.1/',
    'httpx://public.example/',
  ],
  [NO_URL]: ['public.example', '//127.0.0.1/', '/etc/passwd', 'http://', 'https:', '127.0.0.1:80', '::1'],
  'validation_failed: url must have 1 to 8192 characters': ['', '  \n', `http://public.example/${'a'.repeat(8192)}`],
  'url_not_allowed: port 6379 is not 80 or 443': ['http://public.example:6379/', 'http://8.8.8.8:6379/'],
  'url_not_allowed: port 0 is not 80 or 443': ['http://public.example:0/'],
  'url_not_allowed: port 22 is not 80 or 443': ['https://public.example:22/'],
}

describe('createUrlGuard', () => {
  for (const [outcome, urls] of Object.entries(HOSTILE)) {
    for (const url of urls) {
      it(`answers ${JSON.stringify(url.slice(0, 60))} with ${outcome}`, async () =>
        assert.equal(await judge(url), outcome))
    }
  }

  const honest: readonly (readonly [string, string])[] = [
    ['https://public.example/a/b.pdf?x=1#top', '93.184.215.14 2606:2800:21f::1'],
    ['http://PUBLIC.example.:80/', '93.184.215.14 2606:2800:21f::1'],
    ['https://public.example:80/', '93.184.215.14 2606:2800:21f::1'],
    [' https://public.example/with space\n', '93.184.215.14 2606:2800:21f::1'],
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://[2606:4700::1111]/?q=a\\b', '2606:4700::1111'],
    ['http://[64:ff9b::808:808]/', '64:ff9b::808:808'],
  ]
  for (const [url, addresses] of honest) {
    it(`admits ${JSON.stringify(url)}`, async () => assert.equal(await judge(url), addresses))
  }

  it('removes the fragment and the trailing dot of the host', () => {
    const { url } = guardWith().guard.requireUrl('https://Public.example./a?b#c')
    assert.equal(url.href, 'https://public.example/a?b')
  })

  it('resolves nothing for a URL refused by its text', () => {
    const { guard, lookedUp } = guardWith()
    for (const url of ['http://127.1/', 'http://public.example:8080/', 'http://u@public.example/', 'file:///x']) {
      assert.throws(() => guard.requireUrl(url), UrlFailure)
    }
    assert.deepEqual(lookedUp, [])
  })

  it('resolves a redirect target against its origin by the same rules', () => {
    const { guard } = guardWith()
    const from = new URL('https://public.example/a/b')
    assert.equal(guard.requireUrl('../c', from).url.href, 'https://public.example/c')
    assert.throws(() => guard.requireUrl('//127.0.0.1/', from), /not public \(loopback\)/)
    assert.throws(() => guard.requireUrl('file:///etc/passwd', from), /scheme/)
    assert.throws(
      () => guard.requireUrl('', from),
      (error) => error instanceof UrlFailure && error.code === 'url_fetch_failed',
    )
  })
})

describe('RECOLLECT_URL_ALLOW_PRIVATE', () => {
  const nas = { host: 'nas.lan', port: 8080 }
  const endpoint = { host: '127.0.0.1', port: 9000 }
  const endpoint6 = { host: '0:0::1', port: 9000 }
  const network = { network: '192.168.0.0/16' }
  const cases: readonly (readonly [string, string, readonly PrivateAllowlistEntry[], string])[] = [
    ['a name at its port', 'http://NAS.lan.:8080/', [nas], '192.168.1.7'],
    ['that name at no other port', 'http://nas.lan/', [nas], notPublic('private')],
    ['that name and not its address', 'http://192.168.1.7:8080/', [nas], notPublic('private')],
    [
      'a public name at a port of its own',
      'http://public.example:6379/',
      [{ host: 'public.example', port: 6379 }],
      '93.184.215.14 2606:2800:21f::1',
    ],
    ['an address at its port', 'http://127.0.0.1:9000/', [endpoint], '127.0.0.1'],
    ['an address however it is written', 'http://[::ffff:7f00:1]:9000/', [endpoint], '::ffff:7f00:1'],
    ['an IPv6 address', 'http://[::1]:9000/', [endpoint6], '::1'],
    ['not its neighbour', 'http://127.0.0.2:9000/', [endpoint], notPublic('loopback')],
    ['not another port of it', 'http://127.0.0.1/', [endpoint], notPublic('loopback')],
    ['a name of which all addresses are opened', 'http://localhost:9000/', [endpoint, endpoint6], '::1 127.0.0.1'],
    ['no name of which one address is not', 'http://localhost:9000/', [endpoint], notPublic('loopback')],
    ['a network at every port', 'http://192.168.1.7:5000/', [network], '192.168.1.7'],
    ['names that lead into a network', 'http://nas.lan:5000/', [network], '192.168.1.7'],
    [
      'no other port of the public beside a network',
      'http://public.example:5000/',
      [network],
      'url_not_allowed: port 5000 is not 80 or 443',
    ],
    ['no other network', 'http://10.0.0.5/', [network], notPublic('private')],
    [
      'no metadata by a network',
      'http://169.254.169.254/',
      [{ network: '0.0.0.0/0' }],
      notPublic('a cloud metadata address'),
    ],
    ['no multicast by a network', 'http://[ff02::1]/', [{ network: '::/0' }], notPublic('multicast')],
    [
      'metadata when it is named',
      'http://169.254.169.254/',
      [{ host: '169.254.169.254', port: 80 }],
      '169.254.169.254',
    ],
    ['no scheme', 'ftp://nas.lan:8080/', [nas], SCHEME],
    ['no credentials', 'http://u:p@nas.lan:8080/', [nas], CREDENTIALS],
  ]
  for (const [what, url, allowPrivate, outcome] of cases) {
    it(`opens ${what}: ${url}`, async () => assert.equal(await judge(url, allowPrivate), outcome))
  }

  it('rejects an entry that is not a network', () => {
    assert.throws(() => guardWith([{ network: 'nas.lan/8' }]), /nas\.lan\/8 is not a network/)
  })
})
