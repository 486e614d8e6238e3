import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml, unescapeHtml } from '../text/escape-html.ts'
import { START_PATH } from './navigation.ts'
import { renderCode } from './render-reference.ts'

/** Where files of the project have an address of their own; other files of the source have none. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'README.md': '/docs',
  [`docs/${START_PATH}.md`]: '/docs',
  'ARCHITECTURE.md': '/docs/architecture',
  'CHANGELOG.md': '/docs/changelog',
  'openapi.json': '/openapi.json',
  'docs/decisions': '/docs/decisions/README',
}

/**
 * A page of the project as HTML, with its first heading as the title. `source` is its path in the project, from which its links are resolved:
 * those to other pages lead to them, those to files that are not served are left as text. HTML in the Markdown is not carried over.
 */
export function renderMarkdown(markdown: string, source: string): { title: string; body: string } {
  const marked = new Marked({
    renderer: {
      html: () => '',
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${escapeHtml(headingId(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const address = resolveLink(href, source)
        const text = this.parser.parseInline(tokens)
        return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(resolveLink(href, source) ?? '')}" alt="${escapeHtml(text)}">`
      },
      code: ({ text, lang }: Tokens.Code) => renderCode(text, lang ?? ''),
    },
  })
  const body = marked
    .parse(markdown, { async: false })
    // Wide tables are scrolled by keyboards, too; a corner without a word heads no column.
    .replace(/<table>[\s\S]*?<\/table>/g, '<div class="table" tabindex="0">$&</div>')
    .replaceAll('<th></th>', '<td></td>')
  return { title: /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? source, body }
}

function resolveLink(href: string, source: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '')
  const address = ADDRESSES[target] ?? addressOf(target)
  if (address === null) return null
  return anchor === undefined ? address : `${address}#${anchor}`
}

function addressOf(target: string): string | null {
  if (!target.startsWith('docs/')) return null
  return `/${target.replace(/\.md$/, '')}`
}

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

/** The id of a heading, as GitHub makes it; `text` is its Markdown. */
function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}
