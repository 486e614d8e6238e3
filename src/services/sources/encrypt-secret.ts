import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encryption of stored credentials: AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits,
 * and a key derived by HKDF-SHA-256. The row's id is authenticated, so that a value copied into
 * another row is worthless.
 */
const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const VERSION = 'v1'

/** Encrypts and decrypts with the key of the installation. */
export type SecretBox = {
  /** Returns text that only `open` with the same id decrypts. */
  seal(id: string, secret: string): string
  /** Returns the secret; `null` if the key or the id is another, or the text is damaged. */
  open(id: string, sealed: string): string | null
}

/** Creates the encryption from the secret of the installation. */
export function createSecretBox(installationSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, '', 'recollect credentials of sources', KEY_BYTES))
  return {
    seal(id, secret) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(id))
      const bytes = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}:${bytes.toString('base64')}`
    },
    open(id, sealed) {
      const [version, text = ''] = sealed.split(':')
      const bytes = Buffer.from(text, 'base64')
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
        decipher.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(-TAG_BYTES))
        const open = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([open, decipher.final()]).toString('utf8')
      } catch {
        // The tag does not match.
        return null
      }
    },
  }
}
