import type { FoundValue } from './value.ts'

const YES = 'yes|true|ja|oui|sí|si|sim|tak|да|y|x|是|有|はい|예'
const NO = 'no|false|nein|non|não|nie|нет|n|none|否|没有|沒有|いいえ|아니오'
const WORDS = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:(${YES})|(${NO}))(?![\p{L}\p{N}]|[-'’]\p{L})`, 'giu')
const TICKED = String.raw`\[[xX✓✔]\]|\([xX]\)|[☒☑✓✔✅🗹]`
const UNTICKED = String.raw`\[[ _]?\]|\(\s\)|[☐□◻✗✘❌]`
const BOX = new RegExp(`(${TICKED})|(${UNTICKED})`, 'gu')
const ANSWER = new RegExp(String.raw`^\s*(?:(${YES})|(${NO}))(?![\p{L}\p{N}])`, 'iu')

/**
 * The answers yes and no of a text, as words of several languages or as boxes. Of boxes that name their answers the
 * ticked one counts (`[ ] yes [x] no`); a box alone is its own answer. Where a choice has several ticks, there is none.
 */
export function findBooleans(text: string): FoundValue[] {
  const boxes = [...text.matchAll(BOX)].map((match) => ({
    isTicked: match[1] !== undefined,
    start: match.index,
    end: match.index + match[0].length,
    answer: ANSWER.exec(text.slice(match.index + match[0].length)),
  }))
  if (boxes.length === 0) return findWords(text)
  const named = boxes.filter(({ answer }) => answer !== null)
  if (named.length === 0) return boxes.map(({ isTicked, start, end }) => ({ value: isTicked, start, end }))
  const ticked = named.filter(({ isTicked }) => isTicked)
  return ticked.length > 1
    ? []
    : ticked.map(({ answer, start, end }) => ({
        value: answer?.[1] !== undefined,
        start,
        end: end + (answer?.[0].length ?? 0),
      }))
}

function findWords(text: string): FoundValue[] {
  return [...text.matchAll(WORDS)].map((match) => ({
    value: match[1] !== undefined,
    start: match.index,
    end: match.index + match[0].length,
  }))
}
