/** Takes the secrets out of a line of log. */
const HIDDEN = '[hidden]'

/**
 * Our keys (contract, "Keys and scopes": `rcl_` and 46 characters). From 20 on, so that a key with a few characters
 * lost or doubled is hidden as well; the preview `rcl_ab12…wxyz` stays readable.
 */
const OUR_KEY = /rcl_[0-9A-Za-z]{20,}/g

/** Secrets of webhooks (Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes). */
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/=_-]{16,}/g

/** `Bearer` and what follows it, wherever it stands. */
const BEARER = /\b(Bearer)(?:\s|%20)+[^\s"'\\,}\]]+/gi

/**
 * Values of the headers that carry credentials, also inside JSON that was put into a string (`\"x-api-key\":\"…\"`).
 * A list of values is looked through for 1,024 characters only: without an end, a hostile line would take seconds.
 */
const HEADER =
  /((?<!\\)(\\*")(?:proxy-)?(?:authorization|x-api-key|cookie|set-cookie)\2\s*:\s*)(?:\2(?:\\.|[^"\\])*\2|\[[^\]]{0,1024}\])/gi

/** The same headers as neighbours in an array, as Node's `rawHeaders` has them. */
const RAW_HEADER = /("(?:authorization|x-api-key)"\s*,\s*)"(?:\\.|[^"\\])*"/gi

/**
 * A function that hides in a line of JSON: keys and webhook secrets of our format, bearer tokens, credential headers at any depth, and the
 * given secrets as they are and as JSON escapes them. Secrets under 8 characters are left alone: hiding them would
 * hide ordinary words.
 */
export function createScrubber(secrets: readonly string[]): (line: string) => string {
  const known = [...new Set(secrets.filter((secret) => secret.length >= 8).flatMap(writtenForms))]
  known.sort((a, b) => b.length - a.length)
  return (line) => {
    let clean = line
    for (const secret of known) clean = clean.replaceAll(secret, HIDDEN)
    return clean
      .replace(HEADER, `$1$2${HIDDEN}$2`)
      .replace(RAW_HEADER, `$1"${HIDDEN}"`)
      .replace(BEARER, `$1 ${HIDDEN}`)
      .replace(OUR_KEY, HIDDEN)
      .replace(WEBHOOK_SECRET, HIDDEN)
  }
}

/** A secret as text, inside a JSON string, and inside JSON inside a JSON string. */
function writtenForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret.toWellFormed())]
}
