import type { Word } from './split-words.ts'

/**
 * Words that ask, in languages written without spaces, where no list of words applies: their pairs of characters stand in few texts and say nothing of
 * what is asked for (+.2 points of nDCG@10 on Chinese questions, docs/relevance.md). None that is a part of other words. Longer ones first.
 */
const ASKING =
  /什么时候|为什么|什么|多少|多久|哪些|哪里|哪个|哪种|哪一|如何|怎么样|怎么|怎样|为何|何时|何处|谁|(?:吗|呢)$|甚麼|為什麼|什麼|為何|哪裡|誰|どのような|どのように|どれくらい|どのくらい|どうして|どうやって|どこ|なぜ|(?:です|でした|ます|ました|でしょう)か$/gv

/** The words of a query, those of scripts without spaces cut where they only ask; what does nothing but ask stays as it is. */
export function withoutAsking(words: readonly Word[]): Word[] {
  const kept = words.flatMap((word) => (word.kind === 'unspaced' ? partsOf(word) : [word]))
  return kept.length === 0 ? [...words] : kept
}

function partsOf(word: Word): Word[] {
  const parts: Word[] = []
  let start = 0
  const push = (end: number) => {
    if (end > start)
      parts.push({ ...word, text: word.text.slice(start, end), start: word.start + start, end: word.start + end })
  }
  for (const match of word.text.matchAll(ASKING)) {
    push(match.index)
    start = match.index + match[0].length
  }
  push(word.text.length)
  return parts
}
