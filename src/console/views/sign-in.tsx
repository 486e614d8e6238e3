import { useEffect, useState } from 'preact/hooks'
import { Form, textOf } from '../parts/form.tsx'
import { Modal } from '../parts/modal.tsx'
import { isRefused, signIn } from '../session.ts'
import { useTabTitle } from '../use-tab-title.ts'

/** Asks for a key, after trying whether none is needed. */
export function SignIn() {
  const [isTrying, setTrying] = useState(true)
  useEffect(() => {
    signIn('').catch(() => setTrying(false))
  }, [])
  useTabTitle(isTrying ? null : ['Sign in'])
  if (isTrying) return null
  return (
    <main class="sign-in" tabIndex={-1}>
      <img src="/console/icon.svg" alt="" width="56" height="56" />
      <h1>Recollect</h1>
      <p>Sign in with an API key. The first one was printed when the service started for the first time.</p>
      <KeyForm />
      <details>
        <summary>I have no key</summary>
        <p>
          On the machine of the service, in its folder, this makes a new one: <code>npm run cli -- keys create</code>,
          or <code>npx recollect keys create</code> where Recollect is an installed package.
        </p>
      </details>
      <p class="quiet">The key stays in this tab and is forgotten when it closes.</p>
    </main>
  )
}

/** Over the view that one is in, when its key is refused: with another key it goes on, with all that was typed. */
export function SignInAgain() {
  return (
    <Modal title="Sign in again" onClose={() => (isRefused.value = false)}>
      <p>The key is not accepted any more: it may have been revoked. What you have typed stays here.</p>
      <KeyForm />
    </Modal>
  )
}

function KeyForm() {
  return (
    <Form label="Sign in" action={async (fields) => signIn(textOf(fields, 'key'))}>
      <label>
        API key
        <input name="key" type="password" autocomplete="off" spellcheck={false} required placeholder="rcl_…" />
      </label>
    </Form>
  )
}
