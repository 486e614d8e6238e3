import { createWordPieces, splitBertWords } from '../static/word-pieces.ts'

/** Rows of ids of the same length, as the models take them. */
export type EncodedBatch = { ids: readonly number[][]; types: readonly number[][]; masks: readonly number[][] }

/** Texts to ids, as BERT and its relatives were trained. */
export type BertEncoder = {
  /** `[CLS] text [SEP]`, cut at the most tokens the model takes, all rows as long as the longest. */
  encode(texts: readonly string[]): EncodedBatch
  /** `[CLS] first [SEP] second [SEP]` for every second; where it is too long the second is cut, the first at half. */
  encodePairs(first: string, seconds: readonly string[]): EncodedBatch
}

const SPECIALS = ['[CLS]', '[SEP]', '[UNK]', '[PAD]'] as const

/** An encoder over a vocabulary whose n-th line is the piece of id n. Throws where it has not the marks that BERT needs. */
export function createBertEncoder({
  vocabulary,
  maxTokens,
}: {
  vocabulary: readonly string[]
  maxTokens: number
}): BertEncoder {
  const [start, end, unknown, padding] = SPECIALS.map((mark) => requireId(vocabulary, mark)) as [
    number,
    number,
    number,
    number,
  ]
  const pieces = createWordPieces(vocabulary)

  function idsOf(text: string, most: number): number[] {
    const ids: number[] = []
    for (const word of splitBertWords(text)) {
      const found = pieces.find(word)
      ids.push(...(found.length === 0 ? [unknown] : found))
      if (ids.length >= most) return ids.slice(0, most)
    }
    return ids
  }

  function pad(rows: readonly { ids: number[]; types: number[] }[]): EncodedBatch {
    const longest = Math.max(0, ...rows.map(({ ids }) => ids.length))
    const fill = (row: readonly number[], value: number) => [
      ...row,
      ...Array.from({ length: longest - row.length }, () => value),
    ]
    return {
      ids: rows.map(({ ids }) => fill(ids, padding)),
      types: rows.map(({ types }) => fill(types, 0)),
      masks: rows.map(({ ids }) =>
        fill(
          ids.map(() => 1),
          0,
        ),
      ),
    }
  }

  return {
    encode(texts) {
      const rows = texts.map((text) => [start, ...idsOf(text, maxTokens - 2), end])
      return pad(rows.map((ids) => ({ ids, types: ids.map(() => 0) })))
    },
    encodePairs(first, seconds) {
      const head = [start, ...idsOf(first, Math.floor(maxTokens / 2)), end]
      const rows = seconds.map((second) => {
        const tail = [...idsOf(second, maxTokens - head.length - 1), end]
        return { ids: [...head, ...tail], types: [...head.map(() => 0), ...tail.map(() => 1)] }
      })
      return pad(rows)
    },
  }
}

function requireId(vocabulary: readonly string[], mark: string): number {
  const id = vocabulary.indexOf(mark)
  if (id === -1) throw new Error(`the vocabulary has no ${mark}: it is not one of BERT's kind`)
  return id
}
