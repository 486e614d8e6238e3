/**
 * A certificate of our own making, written in DER by hand: Node can read and sign but not make one.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'

export type SelfMadeCertificate = { key: string; cert: string }

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const SUBJECT_ALT_NAME = '2.5.29.17'
const BASIC_CONSTRAINTS = '2.5.29.19'

/**
 * A self-signed certificate for these DNS names (RFC 5280, section 4.1), valid from a day ago for
 * `days` days.
 */
export function makeCertificate(names: readonly string[], days = 2): SelfMadeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256))
  const name = sequence(tagged(0x31, sequence(objectId(COMMON_NAME), tagged(0x0c, Buffer.from('self-made')))))
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(-1), time(days - 1)),
    name,
    publicKey,
    tagged(0xa3, sequence(...extensions(names))),
  )
  const signature = sign('sha256', toBeSigned, createPrivateKey(privateKey))
  const der = sequence(toBeSigned, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const body = der.toString('base64').replace(/.{64}/g, '$&\n')
  return { key: privateKey, cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n` }
}

function extensions(names: readonly string[]): Buffer[] {
  const alternatives = sequence(...names.map((name) => tagged(0x82, Buffer.from(name))))
  const authority = sequence(tagged(0x01, Buffer.from([0xff])))
  return [
    sequence(objectId(SUBJECT_ALT_NAME), tagged(0x04, alternatives)),
    sequence(objectId(BASIC_CONSTRAINTS), tagged(0x04, authority)),
  ]
}

function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = content.length
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return tagged(0x30, ...contents)
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]))
}

function toBase128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

/** GeneralizedTime, so many days from now. */
function time(days: number): Buffer {
  const iso = new Date(Date.now() + days * 86_400_000).toISOString()
  return tagged(0x18, Buffer.from(`${iso.replace(/\.\d+/, '').replace(/[-:T]/g, '')}`))
}
