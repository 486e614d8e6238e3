/** Families whose thinking counts as output (the providers' model pages, November 2026). */
const THINKING = /^(o\d|gpt-(5|6|7|8|9|\d\d)(?!-chat)|gemini-(2\.5|[3-9]))/
const TOKENS = 4_096

/** Tokens of output that a model needs for its thinking, beside those of the answer; without them a short answer comes back empty. */
export function thinkingTokensOf(model: string): number {
  return THINKING.test(model.slice(model.lastIndexOf('/') + 1).toLowerCase()) ? TOKENS : 0
}
