import { Type } from 'typebox'
import { Nullable } from '../../api/values.ts'
import { ApiError } from '../../errors.ts'
import type { SignInService } from '../../services/sign-in/sign-in-service.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import { ok, PAGE_HEADERS, respond } from '../answers/answers.ts'
import { type Answer, definePublicRoute, type Route } from '../route.ts'
import { requireOwnPage } from './require-same-origin.ts'
import { readCookie, writeCookie } from './sign-in-cookies.ts'

/** Reasons of a failed sign-in, with the status of the page. */
const FAILURES = {
  stale: [
    400,
    'This sign-in is no longer valid.',
    'It was begun in another browser, under another address, or more than 15 minutes ago. Start again.',
  ],
  refused: [
    400,
    'The sign-in provider did not sign you in.',
    'Start again. If it fails again, ask your administrator.',
  ],
  no_role: [
    403,
    'Your account may not use this service.',
    'None of its roles or groups gives access. Ask your administrator for one, then sign in again.',
  ],
  unreachable: [
    503,
    'The sign-in provider does not respond as expected.',
    'Try again in a minute. You can still sign in with an API key. Administrators find the cause in the log.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, text: string]>

type Failure = keyof typeof FAILURES

const PAGE = { tag: 'Service', isPage: true, errors: ['route_not_found'] } as const
const FAILURE_PAGE = { description: 'A page that says why.', contentType: 'text/html' } as const
const REDIRECT = { description: 'The next address of the browser.' } as const

/** Query of the provider's response. Further parameters of providers are ignored. */
const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  error_description: Type.Optional(Type.String()),
})

/** Response of the sign-out, for the console. */
const SignedOutSchema = Type.Object({
  location: Nullable(Type.String(), 'Address at which the provider signs out. Null if it has none or is down.'),
})

const NO_COOKIE = { value: '', maxAgeSeconds: 0 }

/** Pages between the console and the sign-in provider. Without a provider they are not found. */
export const SIGN_IN_ROUTES: readonly Route[] = [
  definePublicRoute({
    ...PAGE,
    method: 'GET',
    url: '/auth/sign-in',
    operationId: 'signIn',
    summary: 'Sign in',
    description: 'Sends the browser to the sign-in provider.',
    answers: { 303: REDIRECT, 503: FAILURE_PAGE },
    handle: async ({ signIn: service }) => {
      const signIn = requireSignIn(service)
      const begun = await signIn.begin()
      if (begun === null) return failurePage('unreachable')
      const { location, transaction: value, maxAgeSeconds } = begun
      return redirect(location, writeCookie('transaction', { value, maxAgeSeconds }, signIn.publicUrl))
    },
  }),
  definePublicRoute({
    ...PAGE,
    method: 'GET',
    url: '/auth/callback',
    operationId: 'finishSignIn',
    summary: 'Response of the sign-in provider',
    description: 'Begins a session with the response of the provider, and opens the console.',
    query: CallbackQuery,
    answers: { 303: REDIRECT, 400: FAILURE_PAGE, 403: FAILURE_PAGE, 503: FAILURE_PAGE },
    handle: async ({ signIn: service, query, headers }) => {
      const signIn = requireSignIn(service)
      const { publicUrl } = signIn
      const result = await signIn.finish(query, readCookie('transaction', headers, publicUrl))
      if ('refused' in result) return failurePage(result.refused)
      const { session: value, maxAgeSeconds } = result
      const over = writeCookie('transaction', NO_COOKIE, publicUrl)
      return redirect(`${publicUrl}/`, writeCookie('session', { value, maxAgeSeconds }, publicUrl), over)
    },
  }),
  definePublicRoute({
    ...PAGE,
    method: 'POST',
    url: '/auth/sign-out',
    operationId: 'signOut',
    summary: 'Sign out',
    description:
      'Ends the session in this browser. Returns the address at which the provider signs out, if it has one.',
    replayable: false,
    errors: ['route_not_found', 'origin_forbidden'],
    answers: { 200: { description: 'The session has ended.', schema: SignedOutSchema } },
    handle: async ({ signIn: service, headers }) => {
      const signIn = requireSignIn(service)
      const { publicUrl } = signIn
      requireOwnPage({ method: 'POST', headers }, publicUrl)
      const cookies = [writeCookie('session', NO_COOKIE, publicUrl)]
      return { ...ok({ location: await signIn.findSignOutUrl() }), cookies }
    },
  }),
]

function requireSignIn(signIn: SignInService | null): SignInService {
  if (signIn === null) {
    throw new ApiError('route_not_found', {
      message: 'This service has no sign-in provider.',
      remedy: 'Sign in with an API key. RECOLLECT_OIDC_ISSUER sets a provider.',
    })
  }
  return signIn
}

/** The next request is a GET, also after a form of the provider (RFC 9110, section 15.4.4). */
function redirect(location: string, ...cookies: string[]): Answer<303, null> {
  return { ...respond(303, { location }, null), cookies }
}

function failurePage<Name extends Failure>(failure: Name): Answer<(typeof FAILURES)[Name][0], string> {
  const [status, title, text]: readonly [(typeof FAILURES)[Name][0], string, string] = FAILURES[failure]
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  const waiting = status === 503 ? { 'retry-after': '30' } : {}
  return respond(status, { ...headers, ...waiting }, renderFailure(title, text))
}

function renderFailure(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)} – Recollect</title>
    <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/console/console.css" />
  </head>
  <body>
    <main class="sign-in">
      <img src="/console/icon.svg" alt="" width="56" height="56" />
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(text)}</p>
      <p><a href="/">Back to the start</a></p>
    </main>
  </body>
</html>
`
}
