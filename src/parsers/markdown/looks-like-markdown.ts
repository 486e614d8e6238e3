/** Signs of Markdown, of which a text that is meant as such has several. A lone `#` line may be a comment of a script. */
const SIGNS: readonly RegExp[] = [
  /^#{1,6} \S.*$/m,
  /^#{1,6} \S[^\n]*\n(?:[^\n]*\n)*?#{1,6} \S/m,
  /^(?:```|~~~)[\w-]*[ \t]*$/m,
  /^\|?[^\n|]+\|[^\n]+\n {0,3}\|? ?:?-{2,}:? ?\|/m,
  /\[[^\][\n]{1,200}\]\([^()\s]{1,500}\)/,
  /(?<![\w*])\*\*[^*\s][^*\n]*\*\*(?![\w*])/,
  /^\s{0,3}[-*+] \S/m,
  /^> \S/m,
]

/** True when the beginning of a text is clearly Markdown: a heading and one more sign, or three signs; and not the comments of a script. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, 16 * 1024).replace(/\r\n?/g, '\n')
  if (head.startsWith('#!') || isCommented(head)) return false
  const signs = SIGNS.filter((sign) => sign.test(head)).length
  return signs >= (SIGNS[0]?.test(head) ? 2 : 3)
}

/**
 * True for several lines of `# `, none of more marks, that mostly stand right above what they are about or go on in the next, in a text that is no
 * prose: settings, programs.
 */
function isCommented(head: string): boolean {
  if (/^#{2,6} \S/m.test(head)) return false
  const all = head.match(/^ {0,3}# \S/gm)?.length ?? 0
  const above = head.match(/^ {0,3}# \S[^\n]*\n(?=[^\n]*\S)/gm)?.length ?? 0
  return all > 1 && above * 2 > all && !isProse(head)
}

/** True where every third line that is no `# ` line ends a sentence. */
function isProse(head: string): boolean {
  const lines = head.split('\n').filter((line) => /\S/.test(line) && !/^ {0,3}# /.test(line))
  const sentences = lines.filter((line) => /(?:^|\s)\p{L}{2,}["')\]]?[.!?](?:\s|$)|[。！？]/u.test(line))
  return lines.length > 0 && sentences.length * 3 >= lines.length
}
