import type { RecognizedImage } from '../../api/image.ts'
import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import type { Warning } from '../../api/values.ts'
import { ApiError } from '../../errors.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { RecognizedPage } from '../reading/recognition.ts'
import type { AddContext, AddDeps } from './add-context.ts'
import { addFile, type FileToAdd } from './add-file.ts'
import type { ImageOptions, UploadedFile } from './ingest.ts'

/** An image on the local disk, and how to recognise its text. */
type ImageToAdd = { image: UploadedFile; options: ImageOptions }

type Page = RecognizedPage & { page: number }

/**
 * Recognises the text of an image and adds the text as {@link addFile} does. An image without text
 * adds nothing, and warnings explain why. Rejects with `unsupported_file_type` for other files, and
 * with `image_unreadable` for a damaged image or a timeout.
 */
export async function addImage(
  deps: AddDeps,
  add: AddContext<RecognizedImage | AcceptedDocuments>,
  { image, options }: ImageToAdd,
): Promise<RecognizedImage | AcceptedDocuments> {
  const type = await sniff(image, 'images')
  const { mode, languageHints, ocrMaxPages, fields } = options
  const pages: Page[] = []
  const toResult = (added: AddedDocuments | AcceptedDocuments) =>
    added.status === 'pending' ? added : describeImage(added, pages, mode)
  const storeResponse: AddContext['storeResponse'] = (transaction, added) =>
    add.storeResponse(transaction, toResult(added))
  const file: FileToAdd = {
    file: image,
    type,
    sourceType: 'ocr',
    url: null,
    fields,
    namelessTitle: `Image of ${toMinute(deps.now())}`,
    recognition: { enabled: true, maxPages: ocrMaxPages, mode, vision: mode === 'accurate', languages: languageHints },
    mayBeEmpty: true,
    onRecognized: (page, recognized) => void pages.push({ ...recognized, page }),
  }
  return toResult(await addFile(deps, { ...add, storeResponse }, file))
}

function describeImage(added: AddedDocuments, pages: readonly Page[], mode: ImageOptions['mode']): RecognizedImage {
  requireReadable(pages)
  return { ...describePages(pages, mode), ...describeDocument(added, pages), processingMs: added.processingMs }
}

/** Throws `image_unreadable` when recognition failed for every page; nothing was added then. */
function requireReadable(pages: readonly Page[]): void {
  const reasons = pages.map(({ recognition: { outcome, message } }) =>
    outcome === 'failed' || outcome === 'timeout' ? message : null,
  )
  const [first] = reasons
  if (typeof first !== 'string' || reasons.includes(null)) return
  throw new ApiError('image_unreadable', { message: first })
}

/** Example: `2026-11-21 11:05 UTC`. */
function toMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function describePages(
  pages: readonly Page[],
  mode: ImageOptions['mode'],
): Pick<RecognizedImage, 'text' | 'confidence' | 'mode' | 'engine' | 'languages' | 'width' | 'height' | 'blocks'> {
  const withText = pages.filter(({ recognition }) => recognition.outcome === 'text')
  const { width = 0, height = 0 } = pages[0] ?? {}
  return {
    text: withText.map(({ recognition }) => recognition.text).join('\n\n'),
    confidence: meanConfidence(withText),
    mode,
    engine: nameEngines(withText.length > 0 ? withText : pages),
    languages: [...new Set(pages.flatMap(({ recognition }) => recognition.languages))],
    width,
    height,
    blocks: withText.flatMap(({ page, recognition }) =>
      recognition.blocks.map((block) => (pages.length === 1 ? block : { ...block, page })),
    ),
  }
}

/** Pages that the model did not read were read by the embedded engine. */
function nameEngines(pages: readonly Page[]): string {
  const engines = new Set(pages.map(({ recognition }) => recognition.engine).filter((engine) => engine !== ''))
  return [...engines].join(', ') || 'embedded'
}

/** Rounded to three digits, as the recogniser rounds. */
function meanConfidence(pages: readonly Page[]): number {
  const characters = pages.reduce((total, { recognition }) => total + recognition.text.length, 0)
  if (characters === 0) return 0
  const sum = pages.reduce((total, { recognition }) => total + recognition.confidence * recognition.text.length, 0)
  return Math.round((1000 * sum) / characters) / 1000
}

function describeDocument(
  { documentIds, documentsAdded, documentsSkipped, chunksCreated, documents, warnings }: AddedDocuments,
  pages: readonly Page[],
): Pick<
  RecognizedImage,
  'documentId' | 'duplicateOf' | 'documentIds' | 'documentsAdded' | 'documentsSkipped' | 'chunksCreated' | 'warnings'
> {
  const duplicateOf = documents[0]?.duplicateOf ?? null
  return {
    documentId: documentIds[0] ?? null,
    duplicateOf,
    documentIds,
    documentsAdded,
    documentsSkipped,
    chunksCreated,
    warnings: [
      ...warnings,
      ...listRecognitionWarnings(pages),
      ...(duplicateOf === null ? [] : [duplicateWarning(duplicateOf)]),
    ],
  }
}

/** Ignored hints and pages without text. Failed pages are reported by the add itself. */
function listRecognitionWarnings(pages: readonly Page[]): Warning[] {
  const ignored = new Set(pages.flatMap(({ recognition }) => recognition.warnings))
  const blank = pages.filter(({ recognition }) => recognition.outcome === 'blank')
  return [
    ...[...ignored].map((message) => ({ code: 'language_hint_ignored', message, param: 'languageHints' })),
    ...blank.map(({ page, recognition }) => ({
      code: 'no_text',
      message: `Page ${page}: ${recognition.message ?? 'The page has no text.'}`,
      param: null,
    })),
  ]
}

function duplicateWarning(documentId: string): Warning {
  const message = `The memory already contains this text as ${documentId}; nothing was added.`
  return { code: 'duplicate_document', message, param: null }
}
