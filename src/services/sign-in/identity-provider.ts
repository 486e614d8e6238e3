import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  None,
  ResponseBodyError,
} from 'openid-client'
import { type Claims, readClaim } from './find-role.ts'

/**
 * The OpenID Connect provider of an installation. The flow is the authorization code with PKCE,
 * state and nonce (OpenID Connect Core 1.0; RFC 9700). Tokens of the provider are used here, and
 * then forgotten.
 */
export type IdentityProvider = {
  /** Returns the address of the sign-in page. */
  authorize(secrets: TransactionSecrets): Promise<URL>
  /** Redeems the code of the provider's response. Rejects with {@link ProviderError}. */
  redeem(response: AuthorizationResponse, secrets: TransactionSecrets): Promise<Person>
  /** Returns the address of the sign-out page; `null` without one. */
  endSession(): Promise<string | null>
}

/** Secrets of a sign-in, known to the browser of the person only. */
type TransactionSecrets = { state: string; nonce: string; verifier: string }

/** Query of the provider's response: a code, or an error. */
export type AuthorizationResponse = Readonly<Partial<Record<(typeof RESPONSE_FIELDS)[number], string>>>

/** A person, as the provider says. */
export type Person = { subject: string; claims: Claims }

/** Fields of the response in the protocol (RFC 6749, section 4.1.2; RFC 9207). */
const RESPONSE_FIELDS = ['code', 'state', 'iss', 'error', 'error_description'] as const

/** Longest wait for a response of the provider; a person is waiting. */
const TIMEOUT_SECONDS = 10

/**
 * A failed sign-in. `unreachable`: the provider gave no usable answer. `refused`: the provider
 * answered with an error code. `facts` are for the log, without any token.
 */
export class ProviderError extends Error {
  readonly reason: 'unreachable' | 'refused'
  readonly facts: Readonly<Record<string, string | number>>

  constructor(reason: ProviderError['reason'], error: unknown) {
    super(`the sign-in provider ${reason === 'refused' ? 'refused the sign-in' : 'does not answer as it should'}`)
    this.name = 'ProviderError'
    this.reason = reason
    this.facts = describeFailure(error)
  }
}

/** Settings of the provider and of this service there. */
export type ProviderOptions = {
  issuer: string
  clientId: string
  clientSecret: string | null
  scopes: string
  roleClaim: string
  /** Address for the response of the provider. */
  redirectUrl: string
  /** Address of the page after signing out. */
  signedOutUrl: string
}

/** Creates the provider; nothing is requested before the first person signs in. */
export function createIdentityProvider(options: ProviderOptions): IdentityProvider {
  const { scopes, redirectUrl, signedOutUrl, roleClaim } = options
  let discovered: Promise<Configuration> | null = null
  /** Failures are not kept: the provider may be back. */
  function open(): Promise<Configuration> {
    discovered ??= discover(options).catch((error: unknown) => {
      discovered = null
      throw new ProviderError('unreachable', error)
    })
    return discovered
  }

  return {
    async authorize({ state, nonce, verifier }) {
      return buildAuthorizationUrl(await open(), {
        redirect_uri: redirectUrl,
        scope: scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    async redeem(response, { state, nonce, verifier }) {
      const provider = await open()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      try {
        const tokens = await authorizationCodeGrant(provider, toResponseUrl(redirectUrl, response), checks)
        const claims = tokens.claims()
        if (claims === undefined) throw new ClientError('the response has no ID token')
        const { sub: subject } = claims
        // Providers may give claims of scopes only as user information (OpenID Connect Core, 5.4).
        const isComplete = readClaim(claims, roleClaim) !== undefined || !provider.serverMetadata().userinfo_endpoint
        const more = isComplete ? {} : await fetchUserInfo(provider, tokens.access_token, subject)
        return { subject, claims: { ...more, ...claims } }
      } catch (error) {
        throw new ProviderError(isRefusal(error) ? 'refused' : 'unreachable', error)
      }
    },

    async endSession() {
      const provider = await open()
      if (provider.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(provider, { post_logout_redirect_uri: signedOutUrl }).href
    },
  }
}

function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<Configuration> {
  const url = new URL(issuer)
  const authentication = clientSecret === null ? None() : authenticateWith(clientSecret)
  // The settings allow plain HTTP on loopback only.
  const execute = url.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(url, clientId, undefined, authentication, { timeout: TIMEOUT_SECONDS, execute })
}

/** Sends the secret in the header, the protocol's default, if the provider takes it there. */
function authenticateWith(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    return (isPost ? post : basic)(server, ...request)
  }
}

function toResponseUrl(redirectUrl: string, response: AuthorizationResponse): URL {
  const url = new URL(redirectUrl)
  for (const name of RESPONSE_FIELDS) {
    const value = response[name]
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}

/** Returns whether the provider answered as the protocol defines for an error. */
function isRefusal(error: unknown): boolean {
  return error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
}

const DESCRIPTION_CHARACTERS = 200

/**
 * Facts of an error for the log. Causes of the library hold whole responses, perhaps with tokens:
 * only codes and the provider's own description are taken.
 */
function describeFailure(error: unknown): Record<string, string | number> {
  const facts: Record<string, string | number> = {}
  if (isRefusal(error)) {
    const { error: code, error_description: description } = error as ResponseBodyError
    facts['error'] = code
    if (description !== undefined) facts['description'] = description.slice(0, DESCRIPTION_CHARACTERS)
  }
  if (error instanceof Error) facts['problem'] = error.message
  const codes: string[] = []
  for (let cause = error; cause instanceof Error && codes.length < 5; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') codes.push(cause.code)
  }
  if (codes.length > 0) facts['codes'] = codes.join(' ')
  return facts
}
