import { type Passage, sentenceAt } from '../passage.ts'
import { isTableHead, ROW } from './is-table-head.ts'
import { asks, leadsIn, levelOf } from './leads-in.ts'
import { negates, rowsAreDenied } from './negates.ts'
import { type Match, type ReadText, toReadText } from './read-text.ts'

/** The heading above a sentence with those above that one, or the question before its line, which is about the same. */
export type Lead = ReadText & {
  /** The outermost heading first, one a line. */
  text: string
  /** That of the nearest in the passage; `null`: it is the title. */
  place: number | null
  /** Those of all of them, and of the head of a table, the outermost first. */
  places: readonly number[]
  /** Whether it says of what it leads in that it is not so; `null`: of some of that. */
  denies: boolean | null
}

/** A heading with those above it, and how deep it is. */
type Heading = { level: number; lead: Lead }
type Reader = { own: readonly ReadText[]; find: (text: string) => readonly Match[] }

/**
 * What leads in each sentence: a heading all that follows it, those above it included, the head of a table its rows, a question the line behind it. A title that asks leads in the
 * first line of its document. `own` is what stands in each sentence.
 */
export function listLeads(passage: Passage, { own, find }: Reader): (Lead | null)[] {
  const { title, startOffset, sentences, language } = passage
  const isAsked = title !== null && startOffset === 0 && asks(title)
  let lead: Lead | null = isAsked
    ? { ...toReadText(find(title)), text: title, place: null, places: [], denies: false }
    : null
  let headings: Heading[] = []
  const leads = sentences.map((_, place) => {
    if (isAnswered(lead, passage, place)) lead = headings.at(-1)?.lead ?? null
    if (!leadsIn(passage, place)) return lead
    const above = lead
    const sentence = { ...(own[place] ?? toReadText([])), text: sentenceAt(passage, place), place, places: [place] }
    const isQuestion = asks(sentence.text)
    const level = levelOf(sentence.text)
    headings = headings.filter((heading) => level === null || heading.level < level)
    lead = joinLeads(headings.at(-1)?.lead ?? null, {
      ...sentence,
      denies: !isQuestion && negates(sentence.text, language),
    })
    // The first heading on top of a document is its title, which says nothing of a part of it.
    if (level !== null && (level > 1 || place > 0 || startOffset > 0)) headings.push({ level, lead })
    // A heading begins something else.
    return isQuestion ? above : null
  })
  return withTableHeads(leads, passage, own)
}

/** True behind the line that follows a question. */
function isAnswered(lead: Lead | null, { text, sentences }: Passage, place: number): boolean {
  const [before, sentence] = [sentences[place - 1], sentences[place]]
  if (lead === null || lead.place === place - 1 || !asks(lead.text)) return false
  return before !== undefined && sentence !== undefined && text.slice(before.end, sentence.start).includes('\n')
}

function withTableHeads(leads: readonly (Lead | null)[], passage: Passage, own: Reader['own']): (Lead | null)[] {
  let head: Lead | null = null
  return leads.map((above, place) => {
    const text = sentenceAt(passage, place)
    if (!isTableHead(passage, place)) {
      if (!ROW.test(text)) head = null
      return head ?? above
    }
    const denies = rowsAreDenied(text, passage.language)
    const found = own[place] ?? toReadText([])
    head = { ...joinLeads(above, { ...found, text, place, places: [place], denies }), place: above?.place ?? place }
    return above
  })
}

/** A heading and what leads in further below it, the head of a table or another heading, lead in together. */
function joinLeads(outer: Lead | null, inner: Lead): Lead {
  if (outer === null) return inner
  const matches = [...outer.matches, ...inner.matches]
  const denies = outer.denies === true ? true : inner.denies
  const text = `${outer.text}\n${inner.text}`
  return { ...toReadText(matches), text, place: inner.place, places: [...outer.places, ...inner.places], denies }
}
