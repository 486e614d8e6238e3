import { Marked, type Token, type Tokens } from 'marked'
import { unescapeHtml } from '../../text/escape-html.ts'
import { headingId } from './heading-id.ts'

/** What stands under one heading of a page, as words: `id` is that of the heading, empty for what stands before the first. */
export type Section = { id: string; heading: string; text: string }

/** The sections of a page in their order, from its Markdown. Answers of the service, which examples show in JSON, are left out. */
export function readSections(markdown: string): Section[] {
  const sections: Section[] = [{ id: '', heading: '', text: '' }]
  for (const token of new Marked().lexer(markdown)) {
    const last = sections.at(-1)
    if (token.type === 'heading') {
      const heading = token as Tokens.Heading
      sections.push({ id: headingId(heading.text), heading: wordsOf(heading), text: '' })
    } else if (last !== undefined) last.text = `${last.text}\n${wordsOf(token)}`.trim()
  }
  return sections.filter(({ heading, text }) => heading !== '' || text !== '')
}

/** The words of a piece of Markdown, without its signs. */
function wordsOf(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return ''
  if (token.type === 'code') return (token as Tokens.Code).lang === 'json' ? '' : token.text
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((cells) => cells.map((cell) => joined(cell.tokens, '')).join(' ')).join('\n')
  }
  if (token.type === 'list') return joined((token as Tokens.List).items, '\n')
  const parts = 'tokens' in token ? token.tokens : undefined
  if (parts !== undefined) return joined(parts, token.type === 'list_item' || token.type === 'blockquote' ? ' ' : '')
  if (!('text' in token)) return ''
  return token.type === 'text' ? unescapeHtml(token.text) : String(token.text)
}

function joined(tokens: readonly Token[], separator: string): string {
  return tokens.map(wordsOf).join(separator)
}
