/**
 * How plainly the project speaks: its comments, its documentation and the sentences that users read.
 * The pronoun list is calibrated: kysely and supabase/storage have 3.0 to 4.3 of these words in 100 of comments.
 */
import { between, type Figure, none } from './figures.ts'
import type { ProjectFile } from './project-files.ts'

/** A block of comment: its first line (from 1), its lines as written, and its prose without marks. */
type Comment = { line: number; lines: readonly string[]; prose: string }

const MAX_COMMENT_COLUMNS = 100
const MAX_SENTENCE_WORDS = 25
const MAX_PRONOUNS_PER_1000_WORDS = 45
const MAX_OPENINGS_PER_1000_COMMENTS = 10
/** A file is named when it has this share and enough words to judge by. */
const FILE_PRONOUNS = { maxPer1000: 80, minWords: 60 }

const PRONOUN = new RegExp(
  `\\b(?:${'what whatever which whichever that those these this it its they them their one ones other others another who whom whose whoever none nobody'.replaceAll(' ', '|')})\\b`,
  'gi',
)
const OPENING =
  /^(?:what|whatever|which|who|whom|whose|whoever|where|how|whether|when it|that|those|these|it|its|they|their|one that|ones|others|none|nobody|of (?:the|a|an|these|those)|(?:to|for|by|of|with|in) (?:whom|which|what|those|that))\b/i
/** Words of a dialect that readers have to translate; each has a plain word that people search for. */
const DENIED =
  /\b(?:anew|stands?|stood|told|tells?|go(?:es)? on|went on|who(?:m)?ever|whatever|(?:comes?|came|becomes?|became) of|h(?:o|e)ld(?:s)? up|by (?:it|them)sel(?:f|ves)|(?:in the )?midst|nobody|no more(?! than)|at once|for good|passed over|passes over|of (?:its|their|his|your) own|takes? away|taken away|where it stands)\b/gi
const OLD_BOUND = /\b(?:[A-Z]+_)*(?:MOST|LEAST|LONGEST|SHORTEST|FEWEST)_[A-Z]\w*/g
/** The rule itself and its planted breaches. */
const SPEAKS_OF_WORDS = /^test\/architecture\/(?:plain-words|figures\.test)\.ts$/
/** Data of languages, of formats and of the benches' questions contains such words. */
const HOLDS_WORDS_AS_DATA =
  /^src\/(?:engine|extraction|parsers)\/|^test\/architecture\/plain-words|^bench\/relevance\/auto-set\/|^CHANGELOG\.md$/

/** The figures of plain words over code (comments, sentences in strings) and documentation. */
export function listWordFigures(files: readonly ProjectFile[]): Figure[] {
  const code = files.filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path) && !SPEAKS_OF_WORDS.test(path))
  const comments = code.map((file) => ({ file, comments: listComments(file.source) }))
  const all = comments.flatMap(({ file, comments }) => comments.map((comment) => ({ path: file.path, ...comment })))
  const words = all.map(({ prose }) => countWords(prose)).reduce((sum, count) => sum + count, 0)
  const pronouns = all.map(({ prose }) => prose.match(PRONOUN)?.length ?? 0).reduce((sum, count) => sum + count, 0)
  const openings = all.filter(({ prose }) => OPENING.test(prose))
  return [
    none('comment lines over 100 columns', all.flatMap(wideLines)),
    none('comment sentences over 25 words', all.flatMap(longSentences)),
    between(
      'comments in 1,000 that open with a pronoun or question word',
      Math.ceil((1000 * openings.length) / Math.max(1, all.length)),
      {
        max: MAX_OPENINGS_PER_1000_COMMENTS,
        breaches: openings.map(({ path, line, prose }) => `${path}:${line} opens "${prose.slice(0, 40)}"`),
      },
    ),
    between('pronouns in 1,000 words of comments', Math.ceil((1000 * pronouns) / Math.max(1, words)), {
      max: MAX_PRONOUNS_PER_1000_WORDS,
      breaches: comments.flatMap(({ file, comments }) => tooManyPronouns(file.path, comments)),
    }),
    none('words of the deny list', [
      ...all.flatMap(deniedInComment),
      ...code.flatMap(deniedInStrings),
      ...files.filter(({ path }) => path.endsWith('.md')).flatMap(deniedInDocument),
    ]),
    none('constants MOST_, LEAST_, LONGEST_ in place of MAX_ and MIN_', code.flatMap(oldBounds)),
  ]
}

/** Block comments and runs of line comments that begin a line. */
function listComments(source: string): Comment[] {
  return [...source.matchAll(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+/gm)].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    lines: match[0].trimEnd().split('\n'),
    prose: proseOf(match[0]),
  }))
}

function proseOf(comment: string): string {
  return comment
    .replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)[ \t]?/gm, '')
    .replace(/\*\//g, '')
    .replace(/`[^`]*`/g, 'x')
    .replace(/^[ \t]*(?:[-*]|\d+\.)[ \t]/gm, '. ')
    .replace(/\n[ \t]*\n/g, '. ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+/, '')
    .trim()
}

function countWords(prose: string): number {
  return prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,/-]*/gu)?.length ?? 0
}

function wideLines({ path, line, lines }: Comment & { path: string }): string[] {
  return lines.flatMap((text, index) => {
    const isWide = text.length > MAX_COMMENT_COLUMNS && !/https?:\/\/\S{40}|biome-ignore|@ts-/.test(text)
    return isWide ? [`${path}:${line + index} has ${text.length} columns`] : []
  })
}

function longSentences({ path, line, prose }: Comment & { path: string }): string[] {
  return prose.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
    const words = countWords(sentence)
    return words > MAX_SENTENCE_WORDS ? [`${path}:${line} has a sentence of ${words} words`] : []
  })
}

function tooManyPronouns(path: string, comments: readonly Comment[]): string[] {
  const prose = comments.map((comment) => comment.prose).join(' ')
  const words = countWords(prose)
  const share = Math.round((1000 * (prose.match(PRONOUN)?.length ?? 0)) / Math.max(1, words))
  const isOver = words >= FILE_PRONOUNS.minWords && share > FILE_PRONOUNS.maxPer1000
  return isOver ? [`${path} has ${share} in 1,000`] : []
}

function deniedInComment({ path, line, prose }: Comment & { path: string }): string[] {
  return [...prose.matchAll(DENIED)].map(([word]) => `${path}:${line} says "${word}" in a comment`)
}

/** Sentences in strings: three words or more that begin with a capital letter. */
function deniedInStrings({ path, source }: ProjectFile): string[] {
  if (HOLDS_WORDS_AS_DATA.test(path) || !path.startsWith('src/') || path.endsWith('.test.ts')) return []
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(?:\*|\/\/|\/\*)/.test(text)) return []
    const strings = [...text.matchAll(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`([^`]*)`?/g)]
    const sentences = strings.map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    return sentences
      .filter((sentence) => /\S+ \S+ \S+/.test(sentence))
      .flatMap((sentence) => [...sentence.replace(/\$\{[^}]*\}/g, 'x').matchAll(DENIED)])
      .map(([word]) => `${path}:${index + 1} says "${word}" to users`)
  })
}

function deniedInDocument({ path, source }: ProjectFile): string[] {
  if (HOLDS_WORDS_AS_DATA.test(path)) return []
  const prose = source.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, 'x')
  return prose
    .split('\n')
    .flatMap((text, index) => [...text.matchAll(DENIED)].map(([word]) => `${path}:${index + 1} says "${word}"`))
}

function oldBounds({ path, source }: ProjectFile): string[] {
  return [...new Set(source.match(OLD_BOUND) ?? [])].map((name) => `${path} has ${name}`)
}
