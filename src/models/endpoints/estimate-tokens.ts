/**
 * Characters per token of English and most European languages, rounded down so that estimates are
 * too high. OpenAI's help page says about 4 for English; German and Slavic texts are closer to 3.
 */
const CHARACTERS_A_TOKEN = 3.5
/** Scripts with about one token per character. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
/** Overhead of a message in known chat formats (OpenAI cookbook, "Counting tokens"), rounded up. */
const TOKENS_A_MESSAGE = 5
/**
 * An image of 1,000 to 2,000 pixels a side costs 800 to 1,600 tokens, by the providers'
 * documentation.
 */
const TOKENS_A_PICTURE = 1_500

/** Estimates the tokens of a text, rather too high than too low. No model's exact count. */
export function estimateTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  return dense + Math.ceil((text.length - dense) / CHARACTERS_A_TOKEN)
}

/** Estimates the tokens of a prompt, including message overhead and images. */
export function estimatePromptTokens(messages: readonly { text: string; pictures?: readonly unknown[] }[]): number {
  return messages.reduce(
    (sum, { text, pictures = [] }) =>
      sum + TOKENS_A_MESSAGE + estimateTokens(text) + TOKENS_A_PICTURE * pictures.length,
    0,
  )
}
