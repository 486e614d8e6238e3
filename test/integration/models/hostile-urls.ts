const DECIMAL_AND_OTHER_BASES = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '0x7f.1',
  '127.1',
  '0177.0.0.1',
]
const OTHER_OF_THIS_MACHINE = ['127.255.255.254', '127.0.0.0x1', '0', '0.0.0.0', 'localhost', 'LOCALHOST.', 'a.example']
const SPELLINGS = [
  '①②⑦.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '127.0.0.1.',
  '127.0.0.1..',
  '127.0.0.1%2e',
  'ⓛocalhost',
]
const IPV6 = [
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::5efe:7f00:1]',
  '[fc00::1]',
]
const TRICKS = [
  'u@127.0.0.1',
  'u:p@a.example',
  'a.example@127.0.0.1',
  'a.example\\@127.0.0.1',
  '127.0.0.1%00.a.example',
  '127.0.0.1\t',
  '[::1%25lo]',
]
const ELSEWHERE = ['10.0.0.5', '172.16.0.1', '192.168.1.7', '169.254.169.254', '100.100.100.200', '224.0.0.1']
const SCHEMES = [
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:70/_x',
  'ws://127.0.0.1/',
  'data:text/plain,x',
  'blob:http://127.0.0.1/x',
  'javascript:alert(1)',
]

/**
 * URLs into this machine or its network, in every known spelling, and with other schemes. All names
 * must resolve to 127.0.0.1, with a listener at the port. Each is `url_not_allowed`.
 */
export function hostileUrls(port: number): string[] {
  const hosts = [...DECIMAL_AND_OTHER_BASES, ...OTHER_OF_THIS_MACHINE, ...SPELLINGS, ...IPV6, ...TRICKS, ...ELSEWHERE]
  return [...hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]), ...SCHEMES]
}
