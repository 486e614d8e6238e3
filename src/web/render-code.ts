/**
 * Code of the documentation: coloured by its language, with marked places for the address of the
 * service and the key, which a script fills in.
 */
import { escapeHtml } from '../text/escape-html.ts'

/** Names of the languages that readers choose from, by the mark of their blocks. */
const TAB_NAMES: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python' }

/** Code blocks, as in Markdown: the text and the language. */
export type Code = { text: string; language: string }

/**
 * Renders one code block. The frame has the place of the tools, and `tabindex` makes wide code
 * scrollable by keyboard. `title` is HTML.
 */
export function renderCode({ text, language }: Code, title = ''): string {
  const bar = title === '' ? '' : `<p class="code-bar"><span class="code-title">${title}</span></p>`
  return `<div class="code${title === '' ? '' : ' titled'}">${bar}${renderBlock({ text, language })}</div>\n`
}

/**
 * Renders the same sample in several languages. A script makes tabs of them; without it they follow
 * each other.
 */
export function renderSamples(codes: readonly Code[]): string {
  const panels = codes.map((code) => {
    const name = escapeHtml(TAB_NAMES[code.language] ?? code.language)
    const heading = `<p class="sample-name">${name}</p>`
    return `<div class="sample" data-name="${name}">${heading}${renderBlock(code)}</div>`
  })
  return `<div class="code titled samples"><div class="code-bar"></div>${panels.join('\n')}</div>\n`
}

function renderBlock({ text, language }: Code): string {
  return `<pre tabindex="0"><code>${colour(text, language)}</code></pre>`
}

/** Patterns of the tokens of a language by their class; the first that matches counts. */
const SHELL = joinPatterns({
  string: [/<<'?(?<end>\w+)'?\n[\s\S]*?^\k<end>$/, /"(?:[^"\\]|\\.)*"/, /'[^']*'/],
  comment: [/(?<=^|\s)#.*/],
  keyword: [/(?<=^\s*|[|(]\s*|&&\s*)(?:curl|npm|npx|node|pip|docker|export|recollect|cat|cd|sudo|kubectl)\b/],
  flag: [/(?<=\s)--?[a-zA-Z][\w-]*/],
})
const SCRIPT_WORDS =
  /\b(?:import|from|export|const|let|await|async|function|return|if|else|for|of|in|new|throw|try|catch|true|false)\b/
const SCRIPT = joinPatterns({
  comment: [/\/\/.*/, /\/\*[\s\S]*?\*\//],
  string: [/'(?:[^'\\\n]|\\.)*'/, /"(?:[^"\\\n]|\\.)*"/, /`(?:[^`\\]|\\.)*`/],
  keyword: [SCRIPT_WORDS],
  number: [/\b\d[\d_.]*\b/],
})
const PYTHON_WORDS =
  /\b(?:import|from|as|def|class|return|if|elif|else|for|in|with|async|await|try|except|not|and|or|None|True|False)\b/
const PYTHON = joinPatterns({
  // One token, because a script replaces it as a whole.
  name: [/\bos\.environ\[[^\]]*\]/],
  comment: [/#.*/],
  string: [/(?:\b[fbr])?"(?:[^"\\\n]|\\.)*"/, /(?:\b[fbr])?'(?:[^'\\\n]|\\.)*'/],
  keyword: [PYTHON_WORDS],
  number: [/\b\d[\d_.]*\b/],
})
const JSON_TEXT = joinPatterns({
  property: [/"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
  string: [/"(?:[^"\\]|\\.)*"/],
  keyword: [/\b(?:true|false|null)\b/],
  number: [/-?\b\d[\d.eE+-]*\b/],
})

function joinPatterns(kinds: Readonly<Record<string, readonly RegExp[]>>): RegExp {
  const groups = Object.entries(kinds).map(
    ([kind, patterns]) => `(?<${kind}>${patterns.map(({ source }) => source).join('|')})`,
  )
  return new RegExp(groups.join('|'), 'gm')
}

const TOKENS: Readonly<Record<string, RegExp>> = {
  sh: SHELL,
  console: SHELL,
  ts: SCRIPT,
  js: SCRIPT,
  python: PYTHON,
  py: PYTHON,
  json: JSON_TEXT,
  jsonc: JSON_TEXT,
}

/** Colours the tokens. Text of other languages stays as it is. */
function colour(text: string, language: string): string {
  const pattern = TOKENS[language]
  const fill = FILLS[language]
  if (pattern === undefined) return markFills(text, fill)
  let html = ''
  let at = 0
  for (const { 0: token, index, groups = {} } of text.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => name !== 'end' && groups[name] !== undefined)
    html += `${markFills(text.slice(at, index), fill)}<span class="t-${kind}">${markFills(token, fill)}</span>`
    at = index + token.length
  }
  return html + markFills(text.slice(at), fill)
}

/**
 * Places of the address and the key in programs and in settings of clients. Others, such as those
 * of a proxy, keep the address that the page names.
 */
const FILLS: Readonly<Record<string, RegExp>> = {
  sh: /(?<url>\$URL\b|(?<=\bURL=)http:\/\/127\.0\.0\.1:8080)|(?<key>\$KEY\b|(?<=\bKEY=)rcl_\w+)/g,
  ts: /(?<url>process\.env\.URL\b)|(?<key>process\.env\.KEY\b)/g,
  python: /(?<url>os\.environ\[["']URL["']\])|(?<key>os\.environ\[["']KEY["']\])/g,
  json: /(?<url>http:\/\/127\.0\.0\.1:8080)|(?<key>\brcl_…)/g,
}

function markFills(text: string, pattern: RegExp | undefined): string {
  if (pattern === undefined) return escapeHtml(text)
  let html = ''
  let at = 0
  for (const { 0: place, index, groups = {} } of text.matchAll(pattern)) {
    const kind = groups['url'] === undefined ? 'key' : 'url'
    html += `${escapeHtml(text.slice(at, index))}<span data-fill="${kind}">${escapeHtml(place)}</span>`
    at = index + place.length
  }
  return html + escapeHtml(text.slice(at))
}
