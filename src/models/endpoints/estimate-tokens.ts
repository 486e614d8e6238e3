/**
 * Characters a token of English and most European languages, rounded down so that estimates are rather too high (OpenAI's help page on tokens
 * says about 4 for English; German and Slavic texts are nearer to 3).
 */
const CHARACTERS_A_TOKEN = 3.5
/** Scripts whose characters take about a token each. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
/** What the frame of a message costs in the chat formats that are known (OpenAI cookbook, "Counting tokens"), rounded up. */
const TOKENS_A_MESSAGE = 5
/** A picture of 1,000 to 2,000 pixels a side costs 800 to 1,600 tokens with the providers that say so. */
const TOKENS_A_PICTURE = 1_500

/** About how many tokens a text is, rather too many than too few; no model's own count. */
export function estimateTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  return dense + Math.ceil((text.length - dense) / CHARACTERS_A_TOKEN)
}

/** About how many tokens a prompt is, frames and pictures included. */
export function estimatePromptTokens(messages: readonly { text: string; pictures?: readonly unknown[] }[]): number {
  return messages.reduce(
    (sum, { text, pictures = [] }) =>
      sum + TOKENS_A_MESSAGE + estimateTokens(text) + TOKENS_A_PICTURE * pictures.length,
    0,
  )
}
