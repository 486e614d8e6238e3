import { useEffect, useState } from 'preact/hooks'
import { Form, textOf } from '../parts/form.tsx'
import { signIn } from '../session.ts'
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
      <Form label="Sign in" action={async (fields) => signIn(textOf(fields, 'key'))}>
        <label>
          API key
          <input name="key" type="password" autocomplete="off" spellcheck={false} required placeholder="rcl_…" />
        </label>
      </Form>
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
