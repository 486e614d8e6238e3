/** Texts of documents with marks: snippets, and passages in the text around them. */
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Range of a text, in UTF-16 code units. */
export type Range = { start: number; end: number }

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Renders a snippet. Its only tags are marks; they are parsed and never inserted as HTML. */
export function MarkedSnippet({ snippet }: { snippet: string }) {
  const parts = toReadable(snippet).split(/<mark>([\s\S]*?)<\/mark>/)
  return (
    <p class="snippet" dir="auto">
      {parts.map((part, index) => (index % 2 === 1 ? <mark>{plain(part)}</mark> : plain(part)))}
    </p>
  )
}

/** A snippet as text, without its marks and the syntax of Markdown. */
export function toPlainText(snippet: string): string {
  return plain(toReadable(snippet.replace(/<\/?mark>/g, '')))
}

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** A line with fewer characters is an item: a heading, a row, an entry of a list. */
const SHORT_LINE = 60

/** Text without the syntax of Markdown, as one paragraph; a dot separates short lines. */
function toReadable(text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => !/^[\s|:+=-]*[-=]{2,}[\s|:+=-]*$/.test(line))
    .map((line) =>
      line
        .replace(/^\s*(?:#{1,6}|[-*+]|&gt;)\s+/, '')
        .replace(/^\s*\|\s*|\s*\|\s*$/g, '')
        .replace(/\s*\|\s*/g, ' · ')
        .replace(/\*\*|`/g, '')
        .trim(),
    )
    .filter((line) => line !== '')
  return lines
    .map((line, index) => {
      const isItem = line.length < SHORT_LINE && !/[.,;:!?…]$/.test(line)
      return index === lines.length - 1 ? line : `${line}${isItem ? ' · ' : ' '}`
    })
    .join('')
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u

/** Ranges of a passage with the words that its snippet marks, in order. */
export function findMatches({ text, snippet }: { text: string; snippet: string }): Range[] {
  const marked = [...snippet.matchAll(/<mark>([\s\S]*?)<\/mark>/g)].map(([, word = '']) => plain(word))
  const words = [...new Set(marked.map((word) => word.toLowerCase()))].sort((a, b) => b.length - a.length)
  if (words.length === 0) return []
  const patterns = words.map((word) => {
    const pattern = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return UNSPACED.test(word) ? pattern : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`
  })
  return [...text.matchAll(new RegExp(patterns.join('|'), 'giu'))].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))
}

/** Characters shown around the passage. */
const AROUND = 1200

type PassageTextProps = {
  /** Text of the document. */
  text: string
  /** The passage, on a tinted ground; empty if the marks are all there is. */
  passage: Range
  marks: readonly Range[]
  /** Index of the mark to scroll to. */
  current: number
}

/** A passage in the text around it, with its marks. Scrolls to the current mark. */
export function PassageText({ text, passage, marks, current }: PassageTextProps) {
  const section = useRef<HTMLElement>(null)
  const all = [passage, ...marks].filter(({ start, end }) => end > start)
  const from = Math.max(0, Math.min(...all.map(({ start }) => start)) - AROUND)
  const to = Math.min(text.length, Math.max(...all.map(({ end }) => end)) + AROUND)
  useLayoutEffect(() => {
    const box = section.current
    const target = box?.querySelector<HTMLElement>(`[data-mark="${current}"]`) ?? box?.querySelector<HTMLElement>('.in')
    if (!box || !target) return
    // Only this part scrolls: scrollIntoView would move the page as well.
    box.scrollTop += target.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3
  }, [text, passage.start, passage.end, marks, current])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard
    <section ref={section} class="passage-text" dir="auto" aria-label="Text of the document" tabIndex={0}>
      {from > 0 && '… '}
      {cut(text, { from, to, passage, marks }).map(({ start, end, mark, isInside, look }) => {
        const part = text.slice(start, end)
        const name = [look, isInside ? 'in' : '', mark === current ? 'current' : ''].filter(Boolean).join(' ')
        if (mark >= 0)
          return (
            <mark key={start} class={name} data-mark={mark}>
              {part}
            </mark>
          )
        return name === '' ? (
          part
        ) : (
          <span key={start} class={name}>
            {part}
          </span>
        )
      })}
      {to < text.length && ' …'}
    </section>
  )
}

type Piece = Range & { mark: number; isInside: boolean; look: string }

type Cut = { from: number; to: number; passage: Range; marks: readonly Range[] }

/** Cuts a text at the borders of its passage, marks and Markdown; each piece has one look. */
function cut(text: string, { from, to, passage, marks }: Cut): Piece[] {
  const looks = findLooks(text.slice(from, to), from)
  const borders = [passage, ...marks, ...looks].flatMap(({ start, end }) => [start, end])
  const places = [...new Set([from, to, ...borders.filter((at) => at > from && at < to)])].sort((a, b) => a - b)
  return places.slice(0, -1).map((start, index) => {
    const covers = (range: Range) => range.start <= start && start < range.end
    return {
      start,
      end: places[index + 1] ?? to,
      mark: marks.findIndex(covers),
      isInside: covers(passage),
      look: looks.find(covers)?.look ?? '',
    }
  })
}

/** Headings, and the syntax of Markdown, which is shown faintly: offsets count every character. */
function findLooks(text: string, offset: number): (Range & { look: string })[] {
  const headings = [...text.matchAll(/^(#{1,6} +)(.+)$/gm)].flatMap(({ index, 1: syntax = '', 2: heading = '' }) => {
    const middle = offset + index + syntax.length
    return [
      { start: offset + index, end: middle, look: 'syntax' },
      { start: middle, end: middle + heading.length, look: 'heading' },
    ]
  })
  const rules = [...text.matchAll(/^[|:+-][|\s:+-]*--[|\s:+-]*$|\*\*|(?<=^|\s)\|(?=\s|$)/gm)]
  return [
    ...headings,
    ...rules.map(({ index, 0: { length } }) => ({
      start: offset + index,
      end: offset + index + length,
      look: 'syntax',
    })),
  ]
}
