/** Settings of access: keys, and sign-in of people by OpenID Connect (docs/guides/sign-in.md). */
import type { KeyRole } from '../api/key.ts'
import { oneOf, parseCredential, parseOwnKey, wholeNumber } from './parsers.ts'
import type { ParsedSetting, Setting } from './setting.ts'

const ISSUER_SAMPLE = 'https://id.example.com/realms/acme'

/** Values of the claim that give a role. */
const roleValues = (role: KeyRole, rights: string) => ({
  default: `recollect-${role}`,
  allowed: 'any text, several separated by commas',
  meaning: `Values of the claim that make a person ${rights}.`,
  parse: parseWords,
})

/** Rows of the table of settings. */
export const ACCESS_SETTINGS = {
  RECOLLECT_BOOTSTRAP_KEY: {
    default: null,
    defaultMeaning: 'generated, and printed once',
    allowed: 'ASCII text of at least 20 characters',
    meaning: 'The first organization key. Read only at the first start with an empty data folder.',
    secret: true,
    parse: parseOwnKey,
  },
  RECOLLECT_ADMIN_KEY: {
    default: null,
    defaultMeaning: 'none: only the command line creates organizations',
    allowed: 'ASCII text of at least 20 characters',
    meaning:
      'The admin key of the installation. It can only create and list organizations (`/v1/organizations`). ' +
      'Read at every start.',
    secret: true,
    parse: parseOwnKey,
  },
  RECOLLECT_AUTH: {
    default: 'on',
    allowed: '`on`, `off`',
    meaning: '`off` disables API keys. The service then listens only on a loopback address.',
    parse: oneOf(['on', 'off']),
  },
  RECOLLECT_PUBLIC_URL: {
    default: null,
    allowed: 'an http or https address without a path',
    meaning:
      'Address at which browsers reach the service, such as `https://recollect.example.com`. Needed for sign-in: the ' +
      'provider sends people back to its `/auth/callback`.',
    parse: parsePublicUrl,
  },
  RECOLLECT_OIDC_ISSUER: {
    default: null,
    defaultMeaning: 'none: people sign in with a key',
    allowed: 'an https address; http on loopback',
    meaning:
      `Issuer of the OpenID Connect provider at which people sign in, such as \`${ISSUER_SAMPLE}\`. ` +
      'Below it is `/.well-known/openid-configuration`.',
    parse: parseIssuer,
  },
  RECOLLECT_OIDC_CLIENT_ID: {
    default: null,
    allowed: 'any text',
    meaning: 'Identifier of this service at the provider.',
    parse: parseCredential,
  },
  RECOLLECT_OIDC_CLIENT_SECRET: {
    default: null,
    defaultMeaning: 'none: a public client',
    allowed: 'any text',
    meaning: 'Secret of this service at the provider.',
    secret: true,
    parse: parseCredential,
  },
  RECOLLECT_OIDC_SCOPES: {
    default: 'openid profile email',
    allowed: 'words with `openid`, separated by spaces',
    meaning: 'Scopes to ask for. Some providers give groups only for a further scope, such as `groups`.',
    parse: parseScopes,
  },
  RECOLLECT_OIDC_ROLE_CLAIM: {
    default: 'roles',
    allowed: 'the name of a claim, or its path with dots',
    meaning:
      'Claim of the ID token or of the user information that gives the role, such as `groups` or ' +
      '`realm_access.roles`. Its value is a text or a list of texts.',
    parse: (text: string) => ({ value: text.trim() }),
  },
  RECOLLECT_OIDC_ADMIN_VALUES: roleValues('admin', 'an admin'),
  RECOLLECT_OIDC_WRITER_VALUES: roleValues('writer', 'a writer'),
  RECOLLECT_OIDC_READER_VALUES: roleValues('reader', 'a reader. People without any of the roles are refused'),
  RECOLLECT_OIDC_SESSION_MINUTES: {
    default: '480',
    allowed: '`1` to `43200`',
    meaning: 'Time after which people sign in again. Until then they keep their role.',
    parse: wholeNumber(1, 43_200),
  },
} as const satisfies Record<string, Setting<unknown>>

/** Sign-in of people at a provider. */
export type SignInSetting = {
  readonly issuer: string
  readonly clientId: string
  /** `null` for a public client. */
  readonly clientSecret: string | null
  readonly scopes: string
  readonly roleClaim: string
  readonly roleValues: Readonly<Record<KeyRole, readonly string[]>>
  /** Origin of the service in browsers. */
  readonly publicUrl: string
  readonly sessionMs: number
}

type ValueOf<Result> = Result extends { value: infer Value } ? Value : never
type AccessValues = {
  [Name in keyof typeof ACCESS_SETTINGS]: ValueOf<ReturnType<(typeof ACCESS_SETTINGS)[Name]['parse']>>
}

/** Returns the sign-in of people; `null` without a provider, or if a part is missing. */
export function toSignIn(values: AccessValues): SignInSetting | null {
  const { RECOLLECT_OIDC_ISSUER: issuer, RECOLLECT_OIDC_CLIENT_ID: clientId, RECOLLECT_PUBLIC_URL: publicUrl } = values
  if (issuer === null || clientId === null || publicUrl === null) return null
  return Object.freeze({
    issuer,
    clientId,
    clientSecret: values.RECOLLECT_OIDC_CLIENT_SECRET,
    scopes: values.RECOLLECT_OIDC_SCOPES,
    roleClaim: values.RECOLLECT_OIDC_ROLE_CLAIM,
    roleValues: Object.freeze({
      admin: values.RECOLLECT_OIDC_ADMIN_VALUES,
      writer: values.RECOLLECT_OIDC_WRITER_VALUES,
      reader: values.RECOLLECT_OIDC_READER_VALUES,
    }),
    publicUrl,
    sessionMs: 60_000 * values.RECOLLECT_OIDC_SESSION_MINUTES,
  })
}

/** Problems of sign-in settings that do not go together, as sentences. */
export function signInProblems(
  values: AccessValues & { RECOLLECT_DATABASE_URL: string | null; RECOLLECT_SECRETS_KEY: string | null },
): string[] {
  const issuer = 'RECOLLECT_OIDC_ISSUER'
  if (values.RECOLLECT_OIDC_ISSUER === null) {
    const { RECOLLECT_OIDC_CLIENT_ID: clientId, RECOLLECT_OIDC_CLIENT_SECRET: clientSecret } = values
    if (clientId === null && clientSecret === null) return []
    const set = clientId === null ? 'RECOLLECT_OIDC_CLIENT_SECRET' : 'RECOLLECT_OIDC_CLIENT_ID'
    return [`${set} needs ${issuer}, the address of the provider, such as ${ISSUER_SAMPLE}.`]
  }
  const lacksKey = values.RECOLLECT_DATABASE_URL !== null && values.RECOLLECT_SECRETS_KEY === null
  const problems: readonly (readonly [boolean, string])[] = [
    [values.RECOLLECT_OIDC_CLIENT_ID === null, 'RECOLLECT_OIDC_CLIENT_ID, the identifier of this service there'],
    [values.RECOLLECT_PUBLIC_URL === null, 'RECOLLECT_PUBLIC_URL, such as https://recollect.example.com'],
    [values.RECOLLECT_AUTH === 'off', 'RECOLLECT_AUTH=on: with off, everyone has access without signing in'],
    [lacksKey, 'RECOLLECT_SECRETS_KEY with PostgreSQL, the same for all processes: it signs the sessions'],
  ]
  return problems.filter(([isMissing]) => isMissing).map(([, what]) => `${issuer} needs ${what}.`)
}

function parseWords(text: string): ParsedSetting<readonly string[]> {
  const words = text.split(',').map((word) => word.trim())
  return { value: Object.freeze([...new Set(words.filter((word) => word !== ''))]) }
}

function parsePublicUrl(text: string): ParsedSetting<string | null> {
  if (text === '') return { value: null }
  const url = URL.parse(text.trim())
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin
    ? { value: url.origin }
    : { problem: 'must be an http or https address without a path, such as https://recollect.example.com' }
}

/** Over plain HTTP, anyone on the way could sign in as anybody. */
function parseIssuer(text: string): ParsedSetting<string | null> {
  if (text === '') return { value: null }
  const url = URL.parse(text.trim())
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
  if (url !== null && isSafe && url.search === '' && url.hash === '' && url.username === '' && url.password === '')
    return { value: text.trim() }
  return { problem: `must be an https address such as ${ISSUER_SAMPLE}; http is allowed on loopback only` }
}

function parseScopes(text: string): ParsedSetting<string> {
  const scopes = text.trim().split(/\s+/)
  const isValid = scopes.includes('openid') && scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope))
  return isValid ? { value: scopes.join(' ') } : { problem: 'must be words separated by spaces, and contain openid' }
}
