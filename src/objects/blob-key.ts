/** Segments of letters, digits, `.`, `_` and `-`, none of them only dots: nothing that leaves the folder or means more than a name. */
const SEGMENT = /^(?!\.+$)[A-Za-z0-9._-]{1,200}$/

/** The key as it is; throws when it is none of ours, which is a mistake in our code and never a caller's. */
export function requireKey(key: string): string {
  if (!key.split('/').every((segment) => SEGMENT.test(segment)))
    throw new Error(`not a key of an object: ${JSON.stringify(key)}`)
  return key
}

/** As {@link requirePrefix}; the empty prefix of all objects may be listed, too. */
export function requireListedPrefix(prefix: string): string {
  return prefix === '' ? prefix : requirePrefix(prefix)
}

/** The prefix as it is, also when it ends in the middle of a segment or with `/`; throws as {@link requireKey} does. */
export function requirePrefix(prefix: string): string {
  requireKey(prefix.replace(/\/$/, ''))
  return prefix
}
