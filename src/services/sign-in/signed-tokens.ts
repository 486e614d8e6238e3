import { hkdfSync } from 'node:crypto'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'

/**
 * Texts kept by the browser and protected from changes: JSON Web Tokens signed with HMAC-SHA-256
 * (RFC 7515). All processes with the same secret accept them, without a stored state.
 * Tokens are readable, so they hold no secret of the service or of the provider.
 */
const ALGORITHM = 'HS256'
const KEY_BYTES = 32

/** Kind of a token. A token of one kind is never accepted as another. */
export type TokenKind = 'session' | 'transaction'

/** Signs and checks the tokens of an installation. */
export type TokenSigner = {
  /** Returns a token with these claims, valid until `endsAt`. */
  sign(kind: TokenKind, claims: Readonly<Record<string, string>>, endsAt: Date): Promise<string>
  /**
   * Returns the claims and the end of a valid token. `null` if it is no token of this kind, was
   * changed, is of another installation, or has expired.
   */
  verify(kind: TokenKind, token: string): Promise<VerifiedToken | null>
}

/** Content of a valid token. */
export type VerifiedToken = { claims: JWTPayload; endsAt: Date }

/**
 * Creates the signer. `context` is the use of the tokens: every context has another key, also
 * with the same secret.
 */
export function createTokenSigner({
  secret,
  context,
  now,
}: {
  secret: string
  context: readonly string[]
  now: () => Date
}): TokenSigner {
  const info = JSON.stringify(['recollect sign-in', ...context])
  const key = new Uint8Array(hkdfSync('sha256', secret, '', info, KEY_BYTES))
  return {
    sign: (kind, claims, endsAt) =>
      new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: kind }).setExpirationTime(endsAt).sign(key),

    async verify(kind, token) {
      const options = { algorithms: [ALGORITHM], typ: kind, requiredClaims: ['exp'], currentDate: now() }
      const verified = await jwtVerify(token, key, options).catch(() => null)
      if (verified?.payload.exp === undefined) return null
      return { claims: verified.payload, endsAt: new Date(1000 * verified.payload.exp) }
    },
  }
}
