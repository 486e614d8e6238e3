import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../services/caller.ts'
import type { SignInService } from '../../services/sign-in/sign-in-service.ts'
import type { TokenKind } from '../../services/sign-in/signed-tokens.ts'
import { type OriginFacts, requireOwnPage } from './require-same-origin.ts'

/**
 * Cookies of people who sign in (RFC 6265bis): unreadable for scripts, and not sent with requests
 * of other sites except links. With https, the prefix `__Host-` makes browsers refuse such a cookie
 * from another host of the same domain and over plain HTTP.
 */
const NAMES: Readonly<Record<TokenKind, string>> = {
  session: 'recollect-session',
  transaction: 'recollect-sign-in',
}

/** Sessions are for requests of the console. Programs use keys. */
const SESSION_PATHS = '/v1/'

/** Returns a `Set-Cookie` header. A lifetime of 0 deletes the cookie. */
export function writeCookie(
  kind: TokenKind,
  { value, maxAgeSeconds }: { value: string; maxAgeSeconds: number },
  publicUrl: string,
): string {
  const flags = `Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${isSecure(publicUrl) ? '; Secure' : ''}`
  return `${nameOf(kind, publicUrl)}=${value}; ${flags}`
}

/** Returns the value of a cookie, `null` if the browser sent none. */
export function readCookie(kind: TokenKind, { cookie = '' }: IncomingHttpHeaders, publicUrl: string): string | null {
  const start = `${nameOf(kind, publicUrl)}=`
  const sent = cookie.split(';').map((pair) => pair.trim())
  return sent.find((pair) => pair.startsWith(start))?.slice(start.length) || null
}

/**
 * Returns the caller of a session; `null` if the request has no session or its route takes none.
 * Rejects with `origin_forbidden` for a request of a page of another origin, and with
 * `invalid_api_key` if the session is not valid or has ended.
 */
export async function admitSession(
  signIn: SignInService | null,
  { url }: { url: string },
  request: OriginFacts,
): Promise<Caller | null> {
  if (signIn === null || !url.startsWith(SESSION_PATHS)) return null
  const session = readCookie('session', request.headers, signIn.publicUrl)
  if (session === null) return null
  requireOwnPage(request, signIn.publicUrl)
  const caller = await signIn.authenticate(session)
  if (caller !== null) return caller
  throw new ApiError('invalid_api_key', {
    message: 'The session has ended or is not valid.',
    remedy: 'Open the console and sign in again, or send an API key.',
  })
}

function nameOf(kind: TokenKind, publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}${NAMES[kind]}`
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
