import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml, unescapeHtml } from '../text/escape-html.ts'
import { START_PATH } from './navigation.ts'
import { type Code, renderCode, renderSamples } from './render-code.ts'

/** Files of the project with their own URL. Other files outside of `docs` have none. */
const PROJECT_FILE_URLS: Readonly<Record<string, string>> = {
  'README.md': '/docs',
  [`docs/${START_PATH}.md`]: '/docs',
  'ARCHITECTURE.md': '/docs/architecture',
  'CHANGELOG.md': '/docs/changelog',
  'openapi.json': '/openapi.json',
  'docs/decisions': '/docs/decisions/README',
}

/** Page as HTML with its title and the headings of its contents. */
export type RenderedPage = { title: string; body: string; headings: Heading[] }

/** Heading in the contents of a page: anchor, level from 2, and plain text. */
export type Heading = { id: string; depth: number; text: string }

/**
 * Renders a Markdown page as HTML; the first heading is the title. `source` is the path in the
 * project, for resolving links. Links to files that are not served become text. HTML in the
 * Markdown is dropped.
 */
export function renderMarkdown(markdown: string, source: string): RenderedPage {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      html: () => '',
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = headingId(text)
        if (depth === 2 || depth === 3) headings.push({ id, depth, text: joinPlainText(tokens, '') })
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const address = resolveLink(href, source)
        const text = this.parser.parseInline(tokens)
        return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(resolveLink(href, source) ?? '')}" alt="${escapeHtml(text)}">`
      },
      code: (token) => renderCodes(token as CodeToken),
    },
  })
  const body = marked
    .parser(joinSamples(marked.lexer(markdown)))
    // `tabindex` makes wide tables scrollable by keyboard. An empty corner cell is not a header.
    .replace(/<table>[\s\S]*?<\/table>/g, '<div class="table" tabindex="0">$&</div>')
    .replaceAll('<th></th>', '<td></td>')
  return { title: /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? source, body, headings }
}

/** Code block; `others` are the same sample in other languages. */
type CodeToken = Tokens.Code & { others?: Tokens.Code[] }

/**
 * Joins code blocks that follow each other and have the word `tab` after their language: they are
 * one sample in several languages.
 */
function joinSamples(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const last = joined.findLast(({ type }) => type !== 'space')
    if (isTab(token) && last !== undefined && isTab(last)) last.others = [...(last.others ?? []), token]
    else joined.push(token)
  }
  return joined
}

function isTab(token: Token): token is CodeToken {
  return token.type === 'code' && (token as Tokens.Code).lang?.split(' ')[1] === 'tab'
}

function renderCodes({ others, ...first }: CodeToken): string {
  return others === undefined ? renderCode(toCode(first)) : renderSamples([first, ...others].map(toCode))
}

function toCode({ text, lang = '' }: Tokens.Code): Code {
  return { text, language: lang.split(' ')[0] ?? '' }
}

function resolveLink(href: string, source: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '')
  const address = PROJECT_FILE_URLS[target] ?? addressOf(target)
  if (address === null) return null
  return anchor === undefined ? address : `${address}#${anchor}`
}

function addressOf(target: string): string | null {
  if (!target.startsWith('docs/')) return null
  return `/${target.replace(/\.md$/, '')}`
}

/**
 * Section of a page as plain text. `id` is the anchor of the heading, empty before the first
 * heading.
 */
export type Section = { id: string; heading: string; text: string }

/** Splits a Markdown page into sections. JSON examples are omitted. */
export function readSections(markdown: string): Section[] {
  const sections: Section[] = [{ id: '', heading: '', text: '' }]
  for (const token of new Marked().lexer(markdown)) {
    const last = sections.at(-1)
    if (token.type === 'heading') {
      const heading = token as Tokens.Heading
      sections.push({ id: headingId(heading.text), heading: toPlainText(heading), text: '' })
    } else if (last !== undefined) last.text = `${last.text}\n${toPlainText(token)}`.trim()
  }
  return sections.filter(({ heading, text }) => heading !== '' || text !== '')
}

/** Returns the plain text of a Markdown token. */
function toPlainText(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return ''
  if (token.type === 'code') return (token as Tokens.Code).lang === 'json' ? '' : token.text
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((cells) => cells.map((cell) => joinPlainText(cell.tokens, '')).join(' ')).join('\n')
  }
  if (token.type === 'list') return joinPlainText((token as Tokens.List).items, '\n')
  const parts = 'tokens' in token ? token.tokens : undefined
  if (parts !== undefined)
    return joinPlainText(parts, token.type === 'list_item' || token.type === 'blockquote' ? ' ' : '')
  if (!('text' in token)) return ''
  return token.type === 'text' ? unescapeHtml(token.text) : String(token.text)
}

function joinPlainText(tokens: readonly Token[], separator: string): string {
  return tokens.map(toPlainText).join(separator)
}

/** Returns the anchor of a Markdown heading, as GitHub generates it. */
function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}
