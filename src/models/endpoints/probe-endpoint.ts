import { anySignal } from '../../concurrency/any-signal.ts'
import type { ModelEndpoint } from './endpoint.ts'
import { createLimitedFetch } from './endpoint.ts'
import { describeFailure, ModelFailure, modelFailed } from './model-failure.ts'

const PROBE_MS = 5_000
const MAX_LIST_BYTES = 4 * 1024 * 1024
/** The version of its protocol that Anthropic wants named; the one its SDK names. */
const ANTHROPIC_VERSION = '2023-06-01'

/**
 * Asks an endpoint for its list of models, which costs no tokens. Rejects with `model_failed` where it cannot be reached, refuses the key or is
 * broken; any other answer will do, since not every server has that list.
 */
export async function probeEndpoint(
  { baseUrl, apiKey }: ModelEndpoint,
  { provider, signal }: { provider: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const late = AbortSignal.timeout(PROBE_MS)
  try {
    const response = await createLimitedFetch(MAX_LIST_BYTES)(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: headersOf(provider, apiKey),
      signal: anySignal(signal, late),
    })
    await response.body?.cancel()
    const { status } = response
    if (status === 401 || status === 403) throw new ModelFailure('status', `refuses the key (${status})`, { status })
    if (status >= 500) throw new ModelFailure('status', `answered ${status}`, { status })
  } catch (error) {
    signal?.throwIfAborted()
    const failure = late.aborted
      ? new ModelFailure('timeout', `did not answer within ${PROBE_MS / 1000} s`)
      : describeFailure(error, { apiKey, prompt: [] })
    throw modelFailed(failure, { who: provider, tries: 1 })
  }
}

function headersOf(provider: string, apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {}
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION }
  if (provider === 'google') return { 'x-goog-api-key': apiKey }
  return { authorization: `Bearer ${apiKey}` }
}
