import { ApiError } from '../../errors.ts'
import { describeAttached } from '../describe-attached.ts'
import { createHtmlReader } from '../html/html-reader.ts'
import type { Block } from '../parse-event.ts'
import { createPlainTextReader } from '../plain-text.ts'
import type { BlockReader, Emit } from '../text/block-reader.ts'
import { createLineSplitter } from '../text/line-splitter.ts'
import { readText } from '../text/read-text.ts'
import { isFolderLine } from './is-mail.ts'
import type { MailFields } from './mail-fields.ts'
import { createMailParts } from './mail-parts.ts'

/** What a person sees at the head of a mail, beside its subject. */
const SHOWN_FIELDS = ['From', 'To', 'Cc', 'Date'] as const
const MAX_SUBJECT_CHARACTERS = 300
const MAX_LEVEL = 6
/** Where the plain text is so much shorter, it says no more than that there is a page. */
const STUB_SHARE = 3
const STUB_CHARACTERS = 200

/**
 * Reads a mail as a mail program shows it, or a folder of mails (mbox): the subject is a heading, sender, recipients and date a record, then the text, in the
 * letters it was written in. Of a text and a page that say the same the text is read, unless it is a stub. Attached mails are read, attached files named in a
 * warning.
 */
export function createMailReader(emit: Emit, head: string): BlockReader {
  const isFolder = isFolderLine(head.slice(0, 1000).split(/\r\n?|\n/)[0] ?? '')
  const choices: Choice[] = []
  const attached: string[] = []
  let hasText = false

  function emitBlocks(blocks: readonly Block[]): void {
    hasText ||= blocks.some(({ text }) => text.trim() !== '')
    for (const block of blocks) emit({ block })
  }

  const parts = createMailParts(
    {
      message: (fields, depth) => emitBlocks(readHead(fields, depth)),
      beginChoice: () => choices.push({ plain: null, page: null }),
      endChoice() {
        emitBlocks(choose(choices.pop() ?? { plain: null, page: null }))
      },
      text(text, isHtml) {
        const blocks = isHtml ? readPage(text) : readPlain(text)
        const choice = choices.at(-1)
        if (choice === undefined) emitBlocks(blocks)
        else choice[isHtml ? 'page' : 'plain'] = [...(choice[isHtml ? 'page' : 'plain'] ?? []), ...blocks]
      },
      attachment: (name) => attached.push(name ?? ''),
    },
    isFolder,
  )
  let line = ''
  const lines = createLineSplitter(({ text, isEnd }) => {
    line += text
    if (!isEnd) return
    parts.line(line)
    line = ''
  })
  // A folder has many titles.
  if (isFolder) emit({ title: null, over: 'headings' })
  return {
    write: lines.write,
    end() {
      lines.end()
      if (line !== '') parts.line(line)
      parts.end()
      if (!hasText) throw new ApiError('unprocessable_document', { message: 'The mail has no text.' })
      const warning = describeAttached(attached.length, attached)
      if (warning !== null) emit({ warning })
    },
  }
}

/** The same words as a text and as a page. */
type Choice = { plain: Block[] | null; page: Block[] | null }

function choose({ plain, page }: Choice): Block[] {
  if (plain === null || page === null) return plain ?? page ?? []
  return measure(page) > STUB_SHARE * measure(plain) + STUB_CHARACTERS ? page : plain
}

function measure(blocks: readonly Block[]): number {
  return blocks.reduce((total, { text }) => total + text.trim().length, 0)
}

function readHead(fields: MailFields, depth: number): Block[] {
  const subject = (fields.get('subject') ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_SUBJECT_CHARACTERS)
    .toWellFormed()
  const lines = SHOWN_FIELDS.flatMap((name) => {
    const value = fields.get(name.toLowerCase())
    return value === undefined || value === '' ? [] : [`${name}: ${value}\n`]
  })
  const heading = {
    text: `${subject}\n\n`,
    kind: 'heading',
    level: Math.min(1 + depth, MAX_LEVEL),
    heading: subject,
  } as const
  const record = { text: `${lines.join('')}\n`, kind: 'record' } as const
  return [...(subject === '' ? [] : [heading]), ...(lines.length === 0 ? [] : [record])]
}

function readPlain(text: string): Block[] {
  if (text.trim() === '') return []
  const whole = `${text.trimEnd()}\n\n`
  return [...readText(createPlainTextReader, whole)].flatMap((event) => ('block' in event ? [event.block] : []))
}

function readPage(text: string): Block[] {
  const blocks: Block[] = []
  const reader = createHtmlReader((event) => {
    if ('block' in event) blocks.push(event.block)
  }, text)
  try {
    reader.write(text)
    reader.end()
  } catch (error) {
    // Pictures alone.
    if (!(error instanceof ApiError)) throw error
  }
  return blocks
}
