import { ApiError } from '../../errors.ts'
import { describeAttached } from '../describe-attachments.ts'
import { createPageTokenizer } from '../html/html-reader.ts'
import type { Block, ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import { createPlainTextReader } from '../plain-text.ts'
import type { BlockReader, CreateReader, Emit } from '../text/block-reader.ts'
import { createLineSplitter } from '../text/line-splitter.ts'
import { readText, readTextFile } from '../text/read-text.ts'
import { isMboxSeparator } from './is-mail.ts'
import type { MailFields } from './mail-fields.ts'
import { createMailPartSplitter, MAX_PART_CHARACTERS, type TextKind } from './mail-parts.ts'

/** Fields shown at the head of a mail, beside the subject. */
const SHOWN_FIELDS = ['From', 'To', 'Cc', 'Date'] as const
/** Sender of pages saved by a browser. */
const SAVED_BY = /^<Saved by [^>]*>$/
const MAX_SUBJECT_CHARACTERS = 300
const MAX_LEVEL = 6
/** The bytes of a byte order mark. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/
const CUT_WARNING = 'A text of the mail has more than 20,000,000 characters; the rest was not read.'

/**
 * Reads a mail as mail programs show it, or a mail folder (mbox). The subject is a heading; sender,
 * recipients and date are a record; then the text follows.
 *
 * Of text and HTML alternatives the text is read, unless it is a stub; both if they
 * differ. Attached mails are read; other attachments are named in a warning.
 *
 * The characters passed in are the bytes of the file, because each part has its own encoding.
 */
export function createMailReader(emit: Emit, head: string): BlockReader {
  const isFolder = isMboxSeparator(
    head
      .slice(0, 1000)
      .replace(BYTE_ORDER_MARK, '')
      .trimStart()
      .split(/\r\n?|\n/)[0] ?? '',
  )
  const charsets = new Set<string>()
  const attached: string[] = []
  let hasText = false
  let isCut = false
  /** Heading level of the subject; headings of the text are below. */
  let level = 1
  let subject = ''

  const choices = createAlternatives((block) => {
    hasText ||= block.text.trim() !== ''
    emit({ block })
  })
  const parts = createMailPartSplitter(
    {
      message(fields, depth) {
        level = Math.min(1 + depth, MAX_LEVEL)
        subject = readSubject(fields)
        choices.settle()
        choices.add(readHead(fields, subject, level), 'plain')
      },
      beginAlternatives: choices.begin,
      endAlternatives: choices.end,
      text(text, facts) {
        isCut ||= facts.isCut
        const blocks = facts.kind === 'page' ? withoutTitle(readPage(text), subject) : readPlain(text)
        choices.add(lowerHeadings(blocks, level), facts.kind)
      },
      attachment: (name) => attached.push(name ?? ''),
      unknownCharset: (charset) => charsets.add(charset),
    },
    isFolder,
  )
  let line = ''
  let isFirst = true
  const endLine = () => {
    parts.line(isFirst ? line.replace(BYTE_ORDER_MARK, '') : line)
    isFirst = false
    line = ''
  }
  const lines = createLineSplitter(({ text, isEnd }) => {
    if (line.length <= MAX_PART_CHARACTERS) line += text
    if (isEnd) endLine()
  })
  // A folder has many titles.
  if (isFolder) emit({ title: null, over: 'headings' })
  return {
    write: lines.write,
    end() {
      lines.end()
      if (line !== '') endLine()
      parts.end()
      if (!hasText) throw new ApiError('unprocessable_document', { message: 'The mail has no text.' })
      if (isCut) emit({ warning: CUT_WARNING })
      const warning = describeAttached(attached.length, attached)
      if (warning !== null) emit({ warning })
      for (const charset of [...charsets].slice(0, MAX_CHARSETS)) emit({ warning: describeUnknownCharset(charset) })
    },
  }
}

/** Warnings name so many unknown encodings at most. */
const MAX_CHARSETS = 3

function describeUnknownCharset(charset: string): string {
  const name = charset.replace(/[^\w.:-]+/g, ' ').slice(0, 40)
  return `The encoding "${name}" of a text is not known; it was read in the encoding that fits best.`
}

function readSubject(fields: MailFields): string {
  const subject = (fields.get('subject') ?? '').replace(/\s+/g, ' ').trim()
  return subject.slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed()
}

/** A saved page starts with the subject as title. */
function withoutTitle(blocks: Block[], subject: string): Block[] {
  const [first] = blocks
  const isTitle = first?.kind === 'heading' && first.text.replace(/\s+/g, ' ').trim() === subject
  return isTitle ? blocks.slice(1) : blocks
}

function readHead(fields: MailFields, subject: string, level: number): Block[] {
  const lines = SHOWN_FIELDS.flatMap((name) => {
    const value = fields.get(name.toLowerCase())
    return value === undefined || value === '' || SAVED_BY.test(value) ? [] : [`${name}: ${value}\n`]
  })
  const heading = { text: `${subject}\n\n`, kind: 'heading', level, heading: subject } as const
  const record = { text: `${lines.join('')}\n`, kind: 'record' } as const
  return [...(subject === '' ? [] : [heading]), ...(lines.length === 0 ? [] : [record])]
}

function lowerHeadings(blocks: readonly Block[], by: number): Block[] {
  return blocks.map((block) =>
    block.level === undefined ? block : { ...block, level: Math.min(block.level + by, MAX_LEVEL) },
  )
}

function readPlain(text: string): Block[] {
  if (text.trim() === '') return []
  const whole = `${text.trimEnd()}\n\n`
  return [...readText(createPlainTextReader, whole)].flatMap((event) => ('block' in event ? [event.block] : []))
}

/**
 * Returns the blocks of an HTML text inside another file, without the page title: mail and word
 * processors set that.
 */
export function readPage(text: string): Block[] {
  const blocks: Block[] = []
  const page = createPageTokenizer(
    (block) => blocks.push(block),
    () => undefined,
    false,
  )
  page.write(text, false)
  page.write('', true)
  return blocks
}

/**
 * Reads a mail as bytes, which each part decodes. A file that an editor saved as UTF-16 or UTF-32
 * is converted to UTF-8 first.
 */
export function readMail(source: SourceFile, type: SniffedType): AsyncGenerator<ParseEvent> {
  const isWide = /^utf-(?:16|32)/.test(type.encoding ?? '')
  return isWide
    ? readTextFile(source, type, createWideReader)
    : readTextFile(source, { ...type, encoding: 'latin1' }, createMailReader)
}

const createWideReader: CreateReader = (emit, head) => {
  const reader = createMailReader(emit, toBytes(head))
  return { write: (text) => reader.write(toBytes(text)), end: reader.end }
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Takes the blocks of alternatives, possibly nested, and emits one alternative of each. */
export type Alternatives = {
  begin(): void
  end(): void
  /** Blocks outside of alternatives are emitted directly. */
  add(blocks: readonly Block[], kind: TextKind): void
  /** Emits everything so far: a new mail starts. */
  settle(): void
}

/** Alternative versions of the same content. */
type Alternative = Record<TextKind, Block[]>

/** A plain text this much shorter only refers to the HTML part. */
const STUB_SHARE = 3
const STUB_CHARACTERS = 200

/** Creates the alternatives of a file. */
export function createAlternatives(give: (block: Block) => void): Alternatives {
  const open: Alternative[] = []

  function add(blocks: readonly Block[], kind: TextKind): void {
    const choice = open.at(-1)
    for (const block of blocks) {
      if (choice === undefined) give(block)
      else choice[kind].push(block)
    }
  }

  return {
    begin: () => void open.push(createAlternative()),
    end() {
      const choice = open.pop()
      if (choice !== undefined) add(chooseAlternative(choice), 'page')
    },
    add,
    settle() {
      for (const [index, choice] of open.entries()) {
        for (const block of chooseAlternative(choice)) give(block)
        open[index] = createAlternative()
      }
    },
  }
}

function createAlternative(): Alternative {
  return { plain: [], page: [], other: [] }
}

function chooseAlternative({ plain, page, other }: Alternative): readonly Block[] {
  const [plainLength, pageLength] = [measure(plain), measure(page)]
  if (plainLength === 0 && pageLength === 0) return other
  if (pageLength === 0) return plain
  if (plainLength === 0 || pageLength > STUB_SHARE * plainLength + STUB_CHARACTERS) return page
  const [plainWords, pageWords] = [wordsOf(plain), wordsOf(page)]
  if (pageWords.size < MIN_PAGE_WORDS || shareIn(plainWords, pageWords) >= MIN_SHARED) return plain
  // The texts differ: a short one says that there is a page, others are both kept.
  const isStub = plainLength <= STUB_CHARACTERS || shareIn(pageWords, plainWords) >= MIN_CONTAINED
  return isStub ? page : [...plain, ...page]
}

/** Words of a page from which its overlap with the plain text says something. */
const MIN_PAGE_WORDS = 5
/** Share of the words of a page in the plain text; versions of one text share nearly all. */
const MIN_SHARED = 0.3
/** Share of the words of a plain text in the page from which the page replaces it. */
const MIN_CONTAINED = 0.7
/** Words are compared up to this length of a text. */
const MAX_COMPARED_CHARACTERS = 50_000

/** Returns the distinct words; scripts without spaces count by character. */
function wordsOf(blocks: readonly Block[]): ReadonlySet<string> {
  let text = ''
  for (const block of blocks) if (text.length < MAX_COMPARED_CHARACTERS) text += `${block.text} `
  return new Set(text.slice(0, MAX_COMPARED_CHARACTERS).toLowerCase().match(WORD) ?? [])
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]{2,}/gu

function shareIn(known: ReadonlySet<string>, words: ReadonlySet<string>): number {
  return words.size === 0 ? 1 : [...words].filter((word) => known.has(word)).length / words.size
}

function measure(blocks: readonly Block[]): number {
  return blocks.reduce((total, { text }) => total + text.trim().length, 0)
}
