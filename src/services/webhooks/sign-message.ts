/** Signing as the Standard Webhooks specification 1.0.0 has it ("Signature scheme", symmetric). */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** The specification asks for 24 to 64; 32 are what HMAC-SHA256 can use. */
const SECRET_BYTES = 32

/** A new secret: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** What is signed: `webhook-id`, the moment of the attempt, and the body to the byte. */
export type SignedMessage = { id: string; at: Date; body: string }

/** The three headers by which a receiver knows that the message is ours, whole and new. */
export function signMessage(secret: string, { id, at, body }: SignedMessage): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
