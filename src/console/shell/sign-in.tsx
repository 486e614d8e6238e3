import { useEffect, useState } from 'preact/hooks'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { announceKey, findSignIn, isRefused, person, signIn, signInUrl } from '../session.ts'
import { useCrumbs } from './top-bar.tsx'

/** Asks for a key, unless the service requires none. */
export function SignIn() {
  const [isTrying, setTrying] = useState(true)
  useEffect(() => {
    // The form is shown with all ways to sign in, so that no button jumps.
    const looked = findSignIn().catch(() => undefined)
    signIn('').catch(() => looked.then(() => setTrying(false)))
  }, [])
  useCrumbs(isTrying ? null : [['Sign in', '#/']])
  if (isTrying) return null
  return (
    <main class="sign-in" tabIndex={-1}>
      <img src="/console/icon.svg" alt="" width="40" height="40" />
      <h1>Sign in to Recollect</h1>
      {signInUrl.value !== null && (
        <a class="button primary" href={signInUrl.value}>
          Sign in with single sign-on
        </a>
      )}
      <p class="quiet">
        {signInUrl.value === null ? 'Use' : 'Or use'} an API key. The service printed the first key when it started for
        the first time.
      </p>
      <KeyForm />
      <details>
        <summary>I don't have a key</summary>
        <p class="small">On the server, in the folder of the service, create one. In a checkout:</p>
        <code>npm run cli -- keys create</code>
        <p class="small">With an installed package:</p>
        <code>npx recollect keys create</code>
      </details>
      <p class="faint">The key is kept by the open tabs of the console, until the last one is closed.</p>
    </main>
  )
}

/** Dialog over the current view for a rejected key. The view and its input are kept. */
export function SignInAgain() {
  return (
    <Modal title="Sign in again" onClose={() => (isRefused.value = false)}>
      {person.value === null ? (
        <>
          <p>The key was rejected. It may have been revoked. Your input is kept.</p>
          <KeyForm />
        </>
      ) : (
        <>
          <p>
            Your session has ended.{' '}
            <a href={signInUrl.value ?? '/auth/sign-in'} target="_blank" rel="noopener">
              Sign in with single sign-on
            </a>{' '}
            in another tab, then continue here. Your input is kept.
          </p>
          <Form label="Continue" action={() => signIn('')} />
        </>
      )}
    </Modal>
  )
}

function KeyForm() {
  return (
    <Form label="Sign in" action={async (fields) => signIn(textOf(fields, 'key')).then(announceKey)}>
      <label>
        API key
        <input
          ref={(field) => field?.focus()}
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="rcl_…"
        />
      </label>
    </Form>
  )
}
