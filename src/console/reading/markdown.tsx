/** Answers as Markdown with citations. Tokens become nodes; no HTML is ever inserted. */
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Citation } from '../../client/findings.ts'

/** First character of the private use area: one for each citation takes the place of its mark. */
const FIRST_MARK = 0xe000
const MAX_MARKS = 2000
const MARKS = /[\ue000-\ue7cf]/g

type AnswerTextProps = {
  text: string
  citations: readonly Citation[]
  /** Citation whose passage is open. */
  open: Citation | null
  onOpen: (citation: Citation) => void
}

/** An answer with its citations as buttons at their exact places. */
export function AnswerText({ text, citations, open, onOpen }: AnswerTextProps) {
  const { tokens, placed } = useMemo(() => parse(text, citations), [text, citations])
  const cite = (index: number) => {
    const citation = placed[index]
    if (citation === undefined) return null
    const { title, page } = citation
    return (
      <button
        key={`cite ${index}`}
        type="button"
        class="citation"
        aria-pressed={citation === open}
        title={page === null ? title : `${title}, page ${page}`}
        onClick={() => onOpen(citation)}
      >
        <span class="hidden">Citation </span>
        {citation.index}
      </button>
    )
  }
  return <>{blocks(tokens, cite)}</>
}

type Cite = (index: number) => ComponentChildren

/**
 * The parser does not keep offsets. So each citation becomes one character before it, which every
 * token that has it shows as a button.
 */
function parse(text: string, citations: readonly Citation[]): { tokens: Token[]; placed: readonly Citation[] } {
  const placed: Citation[] = []
  let marked = ''
  let from = 0
  for (const citation of citations.toSorted((a, b) => a.answerStart - b.answerStart)) {
    const { answerStart, answerEnd } = citation
    if (answerStart < from || answerEnd > text.length || placed.length === MAX_MARKS) continue
    marked += withoutMarks(text.slice(from, answerStart)) + String.fromCharCode(FIRST_MARK + placed.length)
    placed.push(citation)
    from = answerEnd
  }
  marked += withoutMarks(text.slice(from))
  return { tokens: new Lexer({ gfm: true, breaks: true }).lex(withoutIndents(marked)), placed }
}

function withoutMarks(text: string): string {
  return text.replace(MARKS, '\ufffd')
}

/** Quotes of documents have indented lines, which are no code. */
function withoutIndents(text: string): string {
  return text.includes('```') ? text : text.replace(/(^|\n\s*\n) {4,}(?![-*+\d])/g, '$1')
}

function blocks(tokens: readonly Token[], cite: Cite): ComponentChildren {
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} cite={cite} />)
}

function Block({ token, cite }: { token: MarkedToken; cite: Cite }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'heading':
      return <p class="heading">{inline(token.tokens, cite)}</p>
    case 'paragraph':
      return <p>{inline(token.tokens, cite)}</p>
    case 'code':
      return (
        <pre>
          <code>{withCitations(token.text, cite)}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocks(token.tokens, cite)}</blockquote>
    case 'list':
      return <List token={token} cite={cite} />
    case 'table':
      return <Table token={token} cite={cite} />
    default:
      // A line of a list without paragraphs, or HTML, which is shown as text.
      return <>{inline([token], cite)}</>
  }
}

function List({ token: { ordered, start, items }, cite }: { token: Tokens.List; cite: Cite }) {
  const rows = items.map((item, index) => <li key={index}>{blocks(item.tokens, cite)}</li>)
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function Table({ token: { header, rows }, cite }: { token: Tokens.Table; cite: Cite }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard
    <section class="scroll" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index}>{inline(cell.tokens, cite)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens, cite)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function inline(tokens: readonly Token[], cite: Cite): ComponentChildren {
  return tokens.map((token, index) => <Inline key={index} token={token as MarkedToken} cite={cite} />)
}

function Inline({ token, cite }: { token: MarkedToken; cite: Cite }): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, cite)}</strong>
    case 'em':
      return <em>{inline(token.tokens, cite)}</em>
    case 'del':
      return <del>{inline(token.tokens, cite)}</del>
    case 'codespan':
      return <code>{withCitations(token.text, cite)}</code>
    case 'br':
      return <br />
    case 'link':
      return /^(?:https?:|mailto:)/i.test(token.href) ? (
        <a href={token.href} rel="noreferrer noopener" target="_blank">
          {inline(token.tokens, cite)}
        </a>
      ) : (
        inline(token.tokens, cite)
      )
    case 'text':
      return <>{token.tokens === undefined ? withCitations(token.text, cite) : inline(token.tokens, cite)}</>
    case 'escape':
    case 'image':
      return <>{withCitations(token.text, cite)}</>
    default:
      return <>{withCitations(token.raw, cite)}</>
  }
}

/** A citation stays on the line of the word before it. */
function withCitations(text: string, cite: Cite): ComponentChildren {
  return text
    .replace(/ (?=[\ue000-\ue7cf])/g, '\u00a0')
    .split(/([\ue000-\ue7cf])/)
    .map((part, index) => (index % 2 === 1 ? cite(part.charCodeAt(0) - FIRST_MARK) : part))
}
