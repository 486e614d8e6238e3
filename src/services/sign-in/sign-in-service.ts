import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { KEY_ROLES, type KeyRole } from '../../api/key.ts'
import { hashId } from '../../ids.ts'
import type { Log } from '../../observability/log.ts'
import type { Caller } from '../caller.ts'
import { findRole, type RoleValues } from './find-role.ts'
import {
  type AuthorizationResponse,
  createIdentityProvider,
  type Person,
  ProviderError,
  type ProviderOptions,
} from './identity-provider.ts'
import { createTokenSigner, type TokenSigner, type VerifiedToken } from './signed-tokens.ts'

/**
 * Sign-in of people at an OpenID Connect provider. Sessions and begun sign-ins are signed tokens in
 * the browser: no process keeps any state, so each of them serves every person.
 */
export type SignInService = {
  /** Origin of the service in browsers. Pages of no other origin may use a session. */
  readonly publicUrl: string
  /** Begins a sign-in; `null` if the provider does not respond as expected. */
  begin(): Promise<BegunSignIn | null>
  /**
   * Ends a sign-in with the provider's response. `transaction` is the token of {@link BegunSignIn},
   * if the browser has it.
   */
  finish(response: AuthorizationResponse, transaction: string | null): Promise<SignInResult>
  /** Returns the caller of a session; `null` for an invalid or ended session. */
  authenticate(session: string): Promise<Caller | null>
  /** Returns the sign-out address of the provider; `null` without one, or if it is down. */
  findSignOutUrl(): Promise<string | null>
}

/** Address of the provider, and the token for the browser to keep meanwhile. */
type BegunSignIn = { location: string; transaction: string; maxAgeSeconds: number }

/**
 * The token of a new session. `stale`: the browser has not begun this sign-in, or too long ago.
 * `no_role`: the claim gives this person no role. Others: see {@link ProviderError}.
 */
type SignInResult =
  | { session: string; maxAgeSeconds: number }
  | { refused: 'stale' | 'no_role' | ProviderError['reason'] }

/** Settings of sign-in. */
export type SignInOptions = Omit<ProviderOptions, 'redirectUrl' | 'signedOutUrl'> & {
  publicUrl: string
  roleValues: RoleValues
  sessionMs: number
  /** Secret of all processes. */
  installationSecret: string
}

/** Path for the response of the provider. */
const CALLBACK_PATH = '/auth/callback'

/** Time for a person to sign in at the provider, with a second factor. */
const TRANSACTION_SECONDS = 15 * 60

/** Keeps cookies far below 4 KB, the limit of browsers. */
const NAME_CHARACTERS = 100

type SignInDeps = { local: Caller; log: Log; now: () => Date }

/** Creates the sign-in of people, who act in the organization of `local`. */
export function createSignInService(options: SignInOptions, { local, log, now }: SignInDeps): SignInService {
  const { publicUrl, issuer, clientId, installationSecret, sessionMs } = options
  const { organizationId } = local
  const provider = createIdentityProvider({
    ...options,
    redirectUrl: `${publicUrl}${CALLBACK_PATH}`,
    signedOutUrl: `${publicUrl}/`,
  })
  // Another provider, address or organization makes all earlier sessions invalid.
  const context = [publicUrl, issuer, clientId, organizationId]
  const tokens = createTokenSigner({ secret: installationSecret, context, now })
  const inMs = (ms: number) => new Date(now().getTime() + ms)
  function report(error: unknown): ProviderError['reason'] {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ ...error.facts, issuer }, error.message)
    return error.reason
  }

  return {
    publicUrl,

    async begin() {
      const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const location = await provider.authorize(secrets).catch(report)
      if (typeof location === 'string') return null
      const transaction = await tokens.sign('transaction', secrets, inMs(1000 * TRANSACTION_SECONDS))
      return { location: location.href, transaction, maxAgeSeconds: TRANSACTION_SECONDS }
    },

    async finish(response, transaction) {
      const secrets = await readTransaction(tokens, transaction)
      if (secrets === null || secrets.state !== response.state) return { refused: 'stale' }
      const person = await provider.redeem(response, secrets).catch(report)
      if (typeof person === 'string') return { refused: person }
      const id = hashId('usr', JSON.stringify([issuer, person.subject]))
      const role = findRole(person.claims, options.roleClaim, options.roleValues)
      log.info({ userId: id, role }, role === null ? 'a person without a role was refused' : 'a person signed in')
      if (role === null) return { refused: 'no_role' }
      const session = await tokens.sign('session', { sub: id, name: nameOf(person), role }, inMs(sessionMs))
      return { session, maxAgeSeconds: Math.floor(sessionMs / 1000) }
    },

    async authenticate(session) {
      const verified = await tokens.verify('session', session)
      return verified === null ? null : toCaller(verified, local)
    },

    // Signing out here must not depend on the provider.
    findSignOutUrl: () =>
      provider.endSession().catch((error: unknown) => {
        report(error)
        return null
      }),
  }
}

async function readTransaction(tokens: TokenSigner, transaction: string | null) {
  const verified = transaction === null ? null : await tokens.verify('transaction', transaction)
  if (verified === null) return null
  const { state, nonce, verifier } = verified.claims
  return { state: String(state), nonce: String(nonce), verifier: String(verifier) }
}

/** Returns the name to show: the full name, the login name or the address, else the identifier. */
function nameOf({ subject, claims }: Person): string {
  const names = [claims['name'], claims['preferred_username'], claims['email'], subject]
  const name = names.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''
  return [...name.trim().toWellFormed()].slice(0, NAME_CHARACTERS).join('')
}

function toCaller({ claims, endsAt }: VerifiedToken, local: Caller): Caller | null {
  const { sub, name, role } = claims
  if (sub === undefined || !isRole(role)) return null
  return { ...local, keyId: sub, keyName: String(name), role, sessionEndsAt: endsAt }
}

function isRole(role: unknown): role is KeyRole {
  return KEY_ROLES.some((known) => known === role)
}
