import { readFile } from 'node:fs/promises'
import type { Cell } from '../ooxml/docx/table-builder.ts'
import { splitBlocks, toParagraph } from '../ooxml/office-block.ts'
import { type Block, type ParseEvent, type SourceFile, unreadable } from '../parse-event.ts'
import { CHARACTERS, decodeRun, decodeUnicode, type RtfFont } from './rtf-characters.ts'
import { type ParagraphFormat, RtfStory } from './rtf-story.ts'
import { type RtfToken, readRtfTokens } from './rtf-tokens.ts'

/**
 * Reads an RTF file: headings by style and outline level, list items with their numbers, and table
 * rows. Notes, comments and text boxes follow their paragraph; headers and footers come once at the
 * end. Hidden and deleted text is skipped; embedded files are counted in a warning.
 *
 * Throws `unprocessable_document` for damage and without text.
 */
export async function* readRtf({ path }: Pick<SourceFile, 'path'>): AsyncGenerator<ParseEvent> {
  yield* readRtfBytes(await readFile(path))
}

/** The same from bytes. */
export function* readRtfBytes(file: Buffer): Generator<ParseEvent> {
  const events: ParseEvent[] = []
  const document = new RtfDocument((event) => void events.push(event))
  let characters = 0
  const take = function* () {
    for (const event of events.splice(0)) {
      if ('block' in event) characters += event.block.text.trim().length
      yield event
    }
  }
  for (const token of readRtfTokens(file)) {
    if (!document.take(token)) break
    if (events.length > 0) yield* take()
  }
  const isCut = document.isOpen()
  document.end()
  yield* take()
  if (characters === 0) throw unreadable('The RTF file has no text.')
  if (isCut) yield { cut: 'The RTF file is damaged: its end is missing, so the file is probably truncated.' }
}

/** Where text goes. `skip` drops the group with all groups in it. */
type Destination = 'text' | 'marker' | 'skip' | 'fonts' | 'styles' | 'info' | 'title' | 'author'

type State = {
  destination: Destination
  story: RtfStory
  /** Blocks of a story that begins with this group; `null` in other groups. */
  own: { blocks: Block[]; kind: StoryKind } | null
  font: number | null
  fallbackUnits: number
  isHidden: boolean
  isDeleted: boolean
  paragraph: ParagraphFormat
}

type StoryKind = 'note' | 'comment' | 'margin'

const STORY_GROUPS: Readonly<Record<string, StoryKind>> = {
  ...{ footnote: 'note', shptxt: 'note', dptxbxtext: 'note', annotation: 'comment' },
  ...{ header: 'margin', headerl: 'margin', headerr: 'margin', headerf: 'margin' },
  ...{ footer: 'margin', footerl: 'margin', footerr: 'margin', footerf: 'margin' },
}
const DESTINATIONS: Readonly<Record<string, Destination>> = {
  ...{
    fonttbl: 'fonts',
    stylesheet: 'styles',
    info: 'info',
    listtext: 'marker',
    pntext: 'marker',
    atnauthor: 'author',
  },
  ...{ colortbl: 'skip', pict: 'skip', shppict: 'skip', nonshppict: 'skip', shprslt: 'skip', sp: 'skip', xe: 'skip' },
  ...{ tc: 'skip', filetbl: 'skip', fldinst: 'skip', private: 'skip', objdata: 'skip', pntxtb: 'skip', pntxta: 'skip' },
  ...{ bkmkstart: 'skip', bkmkend: 'skip', object: 'text', shpinst: 'text', do: 'text' },
  ...{ nesttableprops: 'skip', nonesttables: 'skip', ftnsep: 'skip', ftnsepc: 'skip', aftnsep: 'skip' },
}
const BODY_TEXT: ParagraphFormat = { isInTable: false, outlineLevel: null, style: null }
/** Honest files nest some ten groups. */
const MAX_DEPTH = 2_000
const MAX_ENTRIES = 10_000
const MAX_TITLE_CHARACTERS = 1_000
const MAX_OUTLINE_LEVEL = 8

class RtfDocument {
  readonly #emit: (event: ParseEvent) => void
  readonly #fonts = new Map<number, RtfFont>()
  readonly #styleLevels = new Map<number, number>()
  readonly #margins = new Set<string>()
  readonly #stack: State[] = []
  #state: State
  #codePage = 1252
  #defaultFont: number | null = null
  /** Bytes that one call decodes, because a character may have two. */
  #bytes = ''
  #unitsToSkip = 0
  /** True after `\*`: the group is skipped unless it is known. */
  #isOptional = false
  #merge: Cell['merge'] = null
  #entry: { number: number; text: string; level: number | null } = { number: 0, text: '', level: null }
  #title = ''
  #author = ''
  #hasBlocks = false
  #objects = 0

  constructor(emit: (event: ParseEvent) => void) {
    this.#emit = emit
    const story = this.#createStory((block) => {
      this.#hasBlocks = true
      emit({ block })
    })
    this.#state = {
      ...{ destination: 'text', story, own: null, font: null, fallbackUnits: 1 },
      ...{ isHidden: false, isDeleted: false, paragraph: BODY_TEXT },
    }
  }

  /** Returns false after the end of the document. Throws for excessive nesting. */
  take(token: RtfToken): boolean {
    if (token.kind === 'text') this.#takeText(token.bytes)
    else {
      this.#flush()
      if (token.kind === 'open') this.#open()
      else if (token.kind === 'close') return this.#close()
      else this.#takeWord(token.name, token.value)
    }
    return true
  }

  isOpen(): boolean {
    return this.#stack.length > 0
  }

  /** Ends the text, also of groups that the file leaves open. */
  end(): void {
    this.#flush()
    while (this.#stack.length > 1) this.#close()
    this.#state.story.end(this.#state.paragraph)
    for (const block of splitBlocks([...this.#margins].map(toParagraph))) this.#emit({ block })
    if (this.#objects === 0) return
    const what = this.#objects === 1 ? 'An embedded file was' : `${this.#objects} embedded files were`
    this.#emit({ warning: `${what} not read: files in RTF files are not supported.` })
  }

  #createStory(emit: (block: Block) => void): RtfStory {
    return new RtfStory((style) => this.#styleLevels.get(style ?? -1) ?? null, emit)
  }

  #open(): void {
    if (this.#stack.length >= MAX_DEPTH) throw unreadable('The RTF file is damaged: its groups nest too deeply.')
    this.#stack.push(this.#state)
    this.#state = { ...this.#state, own: null }
    this.#unitsToSkip = 0
  }

  #close(): boolean {
    const closed = this.#state
    const outer = this.#stack.pop()
    if (outer === undefined) return false
    this.#unitsToSkip = 0
    this.#isOptional = false
    this.#state = outer
    if (closed.own !== null) this.#closeStory(closed, closed.own)
    if (closed.destination === 'fonts' || closed.destination === 'styles') this.#addEntry(closed.destination)
    if (closed.destination === 'title') this.#emitTitle()
    return this.#stack.length > 0
  }

  #closeStory({ story, paragraph }: State, { blocks, kind }: { blocks: Block[]; kind: StoryKind }): void {
    story.end(paragraph)
    const texts = blocks.filter(({ text }) => text.trim() !== '')
    const [first, ...rest] = texts.map(({ text }): Block => ({ text: `${text.trim()}\n\n`, kind: 'paragraph' }))
    if (first === undefined) return
    if (kind === 'margin') {
      for (const { text } of [first, ...rest]) if (/\p{L}/u.test(text)) this.#margins.add(text.trim())
      return
    }
    const by = this.#author === '' ? '' : ` by ${this.#author.trim()}`
    const label = kind === 'comment' ? `Comment${by}: ` : ''
    if (kind === 'comment') this.#author = ''
    this.#state.story.addNote([{ ...first, text: `${label}${first.text}` }, ...rest])
  }

  #emitTitle(): void {
    const title = this.#title.trim()
    if (title !== '' && !this.#hasBlocks) this.#emit({ title, over: 'file-name' })
    this.#title = ''
  }

  #takeText(bytes: string): void {
    if (this.#state.destination === 'skip' || this.#state.destination === 'info') return
    const skipped = Math.min(this.#unitsToSkip, bytes.length)
    this.#unitsToSkip -= skipped
    this.#bytes += bytes.slice(skipped)
  }

  #getFont(): RtfFont | undefined {
    return this.#fonts.get(this.#state.font ?? this.#defaultFont ?? -1)
  }

  #flush(): void {
    if (this.#bytes === '') return
    const font = this.#state.destination === 'fonts' ? undefined : this.#getFont()
    this.#write(decodeRun(this.#bytes, font, this.#codePage))
    this.#bytes = ''
  }

  #write(text: string): void {
    const { destination, story, isHidden, isDeleted } = this.#state
    if (destination === 'title') this.#title = (this.#title + text).slice(0, MAX_TITLE_CHARACTERS)
    else if (destination === 'author') this.#author = (this.#author + text).slice(0, MAX_TITLE_CHARACTERS)
    else if (destination === 'fonts' || destination === 'styles') this.#writeEntry(text, destination)
    else if (isHidden || isDeleted) return
    else if (destination === 'marker') story.writeMarker(text)
    else if (destination === 'text') story.write(text)
  }

  /** Entries end with a semicolon; the groups around them are optional. */
  #writeEntry(text: string, destination: 'fonts' | 'styles'): void {
    this.#entry.text = (this.#entry.text + text).slice(0, MAX_TITLE_CHARACTERS)
    if (text.includes(';')) this.#addEntry(destination)
  }

  #addEntry(destination: 'fonts' | 'styles'): void {
    const { number, text, level } = this.#entry
    const name = text.split(';')[0]?.trim() ?? ''
    const font = this.#fonts.get(number)
    if (destination === 'fonts' && font !== undefined && font.name === '') font.name = name
    const byName = /^heading ([1-9])$/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? '1' : null)
    const found = level ?? (byName === null ? null : Number(byName))
    if (destination === 'styles' && found !== null && this.#styleLevels.size < MAX_ENTRIES)
      this.#styleLevels.set(number, found)
    this.#entry = { number: 0, text: '', level: null }
  }

  #takeWord(name: string, value: number | null): void {
    if (name === '*') {
      this.#isOptional = true
      return
    }
    const isOptional = this.#isOptional
    this.#isOptional = false
    if (name === 'objdata') this.#objects += 1
    // Names such as `constructor` are keys of every object.
    if (this.#state.destination === 'skip' || name in Object.prototype) return
    if (name === 'u') {
      this.#write(decodeUnicode(value ?? 0, this.#getFont()))
      this.#unitsToSkip = this.#state.fallbackUnits
    } else if (this.#unitsToSkip > 0) this.#unitsToSkip -= 1
    else if (!this.#beginGroup(name, isOptional)) this.#format(name, value)
  }

  /** Handles a word that gives its group a destination; returns false for other words. */
  #beginGroup(name: string, isOptional: boolean): boolean {
    const kind = STORY_GROUPS[name]
    if (kind !== undefined && this.#stack.length > 1) {
      const blocks: Block[] = []
      const story = this.#createStory((block) => void blocks.push(block))
      Object.assign(this.#state, { own: { blocks, kind }, story, destination: 'text', paragraph: BODY_TEXT })
      return true
    }
    const { destination } = this.#state
    if (destination === 'info') this.#state.destination = name === 'title' ? 'title' : 'info'
    else if (DESTINATIONS[name] !== undefined) this.#state.destination = DESTINATIONS[name]
    else if (isOptional && (destination !== 'styles' || name !== 'cs')) this.#state.destination = 'skip'
    else return false
    return true
  }

  #format(name: string, value: number | null): void {
    const { destination } = this.#state
    const character = CHARACTERS[name]
    if (destination === 'fonts') this.#formatFont(name, value ?? 0)
    else if (destination === 'styles') this.#formatStyle(name, value ?? 0)
    else if (PARAGRAPH_WORDS[name] !== undefined) PARAGRAPH_WORDS[name](this.#state, value)
    else if (name === 'ansicpg' && value !== null && value > 0) this.#codePage = value
    else if (name === 'mac') this.#codePage = 10_000
    else if (name === 'pc') this.#codePage = 437
    else if (name === 'pca') this.#codePage = 850
    else if (name === 'deff') this.#defaultFont = value
    else if (destination === 'text') this.#formatText(name)
    if (character !== undefined) this.#write(character)
  }

  #formatFont(name: string, value: number): void {
    if (name === 'f') {
      this.#entry = { number: value, text: '', level: null }
      if (this.#fonts.size < MAX_ENTRIES) this.#fonts.set(value, { name: '', charset: null, codePage: null })
    }
    const font = this.#fonts.get(this.#entry.number)
    if (font === undefined) return
    if (name === 'fcharset') font.charset = value === 1 ? null : value
    else if (name === 'cpg') font.codePage = value
  }

  #formatStyle(name: string, value: number): void {
    if (name === 's') this.#entry.number = value
    else if (name === 'outlinelevel' && value <= MAX_OUTLINE_LEVEL) this.#entry.level = value + 1
  }

  #formatText(name: string): void {
    const { story, paragraph } = this.#state
    if (name === 'par' || name === 'sect' || name === 'page') story.endParagraph(paragraph)
    else if (name === 'cell') story.endCell()
    else if (name === 'row') story.endRow()
    else if (name === 'trowd') {
      story.defineRow()
      this.#merge = null
    } else if (name === 'trhdr') story.markHeaderRow()
    else if (name === 'clvmgf') this.#merge = 'begin'
    else if (name === 'clvmrg') this.#merge = 'continue'
    else if (name === 'cellx') {
      story.defineCell(this.#merge)
      this.#merge = null
    }
  }
}

/** Words that change the format of a group. */
const PARAGRAPH_WORDS: Readonly<Record<string, (state: State, value: number | null) => void>> = {
  pard(state) {
    state.paragraph = BODY_TEXT
  },
  intbl(state, value) {
    state.paragraph = { ...state.paragraph, isInTable: value !== 0 }
  },
  s(state, value) {
    state.paragraph = { ...state.paragraph, style: value }
  },
  outlinelevel(state, value) {
    const level = value !== null && value >= 0 && value <= MAX_OUTLINE_LEVEL ? value + 1 : null
    state.paragraph = { ...state.paragraph, outlineLevel: level }
  },
  f(state, value) {
    state.font = value
  },
  plain(state) {
    Object.assign(state, { font: null, isHidden: false, isDeleted: false })
  },
  v(state, value) {
    state.isHidden = value !== 0
  },
  deleted(state, value) {
    state.isDeleted = value !== 0
  },
  uc(state, value) {
    state.fallbackUnits = Math.max(0, Math.min(value ?? 1, 100))
  },
}
