/** Some 30 words: what a language detector reads costs half of its time a character. With twice as many 5 of 9,493 documents had another answer, none a better one. */
const SAMPLE_CHARACTERS = 200
const SAMPLES = 5

/** Up to five pieces of 200 characters, spread over a text, in order: enough to tell its language. */
export function sampleText(text: string): string[] {
  const count = Math.min(SAMPLES, Math.ceil(text.length / SAMPLE_CHARACTERS))
  const stride = count > 1 ? (text.length - SAMPLE_CHARACTERS) / (count - 1) : 0
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round(index * stride)
    return text.slice(start, start + SAMPLE_CHARACTERS).toWellFormed()
  })
}
