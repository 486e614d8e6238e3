/** 128 random bits as hexadecimal digits. A page that came without TLS from another machine has no `crypto.randomUUID`. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
