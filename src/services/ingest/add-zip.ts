import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import type { ArchiveMember } from '../../api/job.ts'
import type { Warning } from '../../api/values.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { ApiError, invalid } from '../../errors.ts'
import { ASYNC_FILE_BYTES, ZIP_ARCHIVE } from '../../limits.ts'
import { isReadInChild, ZIP } from '../../parsers/formats.ts'
import type { ParseEvent, SniffedType } from '../../parsers/parse-event.ts'
import { sniff } from '../../parsers/sniff.ts'
import { openZipMembers, type ZipLimits, type ZipMember, type ZipMembers } from '../../parsers/zip-members.ts'
import { pluralize } from '../../text/pluralize.ts'
import { documentObject } from '../document-objects.ts'
import { InlineBudgetSpent } from '../reading/inline-budget.ts'
import { requireGoing } from '../request-work.ts'
import { type AddContext, type AddDeps, addDocuments, toAcceptCommand } from './add-context.ts'
import { createInlineExtent, type FileToAdd, parseInline, toDocument, toFacts } from './add-file.ts'
import { enqueueIngestion } from './enqueue-ingestion.ts'
import { NO_FILE_FIELDS } from './given-fields.ts'
import type { UploadedFile } from './ingest.ts'
import type { DocumentToAdd } from './ingest-inline.ts'

/** A member that can become a document, unpacked, with its result. */
type FileOfZip = { given: FileToAdd; member: ArchiveMember }

/** The results of all members in directory order, and the files to add. */
type UnpackedZip = { members: ArchiveMember[]; files: FileOfZip[] }

const DEFAULT_LIMITS: ZipLimits = {
  maxMembers: ZIP_ARCHIVE.members.default,
  maxBytes: ZIP_ARCHIVE.megabytes.default * 1024 ** 2,
}
/** Uploads moved into the object store at a time; each takes some milliseconds there. */
const STAGED_AT_ONCE = 4

/**
 * Adds each member of a ZIP archive as a document, within the request or by one job, under the
 * limits of a single file. Unreadable members do not fail the others; `members` has all results.
 *
 * Rejects as `addFile` does, and with `unprocessable_document` for an archive that is damaged,
 * beyond the limits, or without any file to add.
 */
export async function addZip(
  deps: AddDeps,
  add: AddContext,
  given: FileToAdd,
): Promise<AddedDocuments | AcceptedDocuments> {
  requireSharedFields(given)
  const folder = await mkdtemp(join(deps.temporaryDirectory, 'zip-'))
  try {
    // One archive at a time: unpacked, it takes far more of the disk than its upload.
    const { organizationId } = add.caller
    const unpacked = await deps.unpacking.run(organizationId, () => unpackZip(deps, add, { given, folder }))
    return await addUnpacked(deps, add, { given, unpacked })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Members share tags and metadata. */
function requireSharedFields({ fields = NO_FILE_FIELDS }: FileToAdd): void {
  const own = (['title', 'externalId'] as const).find((name) => fields[name] !== null)
  if (own !== undefined) throw invalid(own, 'must be omitted for an archive, because each member becomes a document')
}

async function unpackZip(
  deps: AddDeps,
  add: AddContext,
  { given, folder }: { given: FileToAdd; folder: string },
): Promise<UnpackedZip> {
  const zip = await openZipMembers(given.file.path, deps.zipLimits ?? DEFAULT_LIMITS)
  try {
    await deps.blobs.requireRoom(zip.members.reduce((total, { entry }) => total + (entry?.bytes ?? 0), 0))
    const unpacked: UnpackedZip = { members: [], files: [] }
    for (const [place, member] of zip.members.entries()) {
      requireGoing(add.signal)
      const path = join(folder, String(place))
      const taken = await takeMember(deps, add, { zip, member, path })
      const result = toResult(member, taken)
      unpacked.members.push(result)
      if ('type' in taken)
        unpacked.files.push({ given: { ...given, file: taken.file, type: taken.type }, member: result })
    }
    if (unpacked.files.length === 0) throw nothingToAdd(unpacked.members)
    return unpacked
  } finally {
    await zip.close()
  }
}

type Refusal = { status: ArchiveMember['status']; message: string }
type TakenFile = { file: UploadedFile; type: SniffedType }

/** Unpacks a member and detects its type; or returns why there is no document. */
async function takeMember(
  deps: AddDeps,
  { caller, signal }: AddContext,
  { zip, member, path }: { zip: ZipMembers; member: ZipMember; path: string },
): Promise<TakenFile | Refusal> {
  if (member.entry === null) return member.refusal
  const file = { path, bytes: member.bytes, filename: member.filename, declaredType: null }
  try {
    await zip.unpack(member.entry, path, signal)
    await deps.reader.requireReadable(file, caller)
    const type = await sniff(file)
    if (type.format === ZIP) return { status: 'unsupported', message: 'An archive in an archive is not opened.' }
    return { file, type }
  } catch (error) {
    requireGoing(signal)
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    await rm(path, { force: true })
    return toRefusal(error)
  }
}

function toRefusal({ code, message, facts }: ApiError): Refusal {
  if (code !== 'unsupported_file_type') return { status: 'failed', message }
  const detected = facts.extra?.['detectedType']
  return { status: 'unsupported', message: `The file type is not supported: ${String(detected)}.` }
}

function toResult({ filename }: ZipMember, taken: TakenFile | Refusal): ArchiveMember {
  const { status, message } = 'type' in taken ? { status: 'pending' as const, message: null } : taken
  return { filename, status, documentId: null, duplicateOf: null, message }
}

/** All reasons in one sentence each, with the number of members. */
function nothingToAdd(members: readonly ArchiveMember[]): ApiError {
  const told = members.filter(({ status }) => status !== 'skipped')
  const groups = Map.groupBy(told.length === 0 ? members : told, ({ message }) => message ?? '')
  const reasons = [...groups].map(([message, those]) => `${pluralize(those.length, 'member')}: ${message}`)
  return new ApiError('unprocessable_document', {
    message: ['The archive contains no file that can be added.', ...reasons.slice(0, MAX_REASONS)].join(' '),
    remedy: 'Send an archive with at least one file of a supported type.',
  })
}

const MAX_REASONS = 5

type ZipToAdd = { given: FileToAdd; unpacked: UnpackedZip }

async function addUnpacked(deps: AddDeps, add: AddContext, zip: ZipToAdd): Promise<AddedDocuments | AcceptedDocuments> {
  const { options, signal } = add
  if (options.async) return enqueueZip(deps, add, { ...zip, reason: 'async_requested' })
  const bytes = zip.unpacked.files.reduce((total, { given }) => total + given.file.bytes, 0)
  const isLarge = Math.max(bytes, zip.given.file.bytes) > ASYNC_FILE_BYTES
  if (isLarge) return enqueueZip(deps, add, { ...zip, reason: 'file_over_sync_threshold' })
  try {
    const parsed = await parseAll(deps, add, zip.unpacked)
    if (typeof parsed === 'string') return await enqueueZip(deps, add, { ...zip, reason: parsed })
    return await addInline(deps, add, { unpacked: zip.unpacked, parsed })
  } catch (error) {
    requireGoing(signal)
    if (!(error instanceof InlineBudgetSpent)) throw error
    return enqueueZip(deps, add, { ...zip, reason: 'file_over_sync_threshold' })
  }
}

/** Files with their events, `null` for a text; or the reason for a job. */
type ParsedFile = FileOfZip & { parsed: readonly ParseEvent[] | null }

async function parseAll(
  deps: AddDeps,
  add: AddContext,
  { members, files }: UnpackedZip,
): Promise<ParsedFile[] | AcceptedDocuments['reason']> {
  const extent = createInlineExtent(deps)
  const all: ParsedFile[] = []
  for (const { given, member } of files) {
    try {
      const parsed = isReadInChild(given.type.format) ? await parseInline(deps, add, { ...given, extent }) : null
      if (typeof parsed === 'string') return parsed
      all.push({ given, member, parsed })
    } catch (error) {
      requireGoing(add.signal)
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      refuse(member, error)
    }
  }
  if (all.length === 0) throw nothingToAdd(members)
  return all
}

function refuse(member: ArchiveMember, error: ApiError): void {
  Object.assign(member, toRefusal(error), { documentId: null })
}

function addInline(
  deps: AddDeps,
  add: AddContext,
  { unpacked: { members }, parsed }: { unpacked: UnpackedZip; parsed: readonly ParsedFile[] },
): Promise<AddedDocuments> {
  const unreadable = new Set<ArchiveMember>()
  const entries = parsed.map(({ given, member, parsed: events }): DocumentToAdd => {
    const onUnreadable = (error: ApiError) => {
      refuse(member, error)
      if (unreadable.add(member).size === parsed.length) throw nothingToAdd(members)
    }
    return { ...toDocument(deps, add, { given, parsed: events }), onUnreadable }
  })
  const withMembers = (added: AddedDocuments): AddedDocuments => {
    const read = parsed.map(({ member }) => member).filter((member) => !unreadable.has(member))
    // The results are in the order of the entries, without unreadable ones.
    for (const [place, member] of read.entries()) {
      const { id = null, status = 'ready', duplicateOf = null } = added.documents[place] ?? {}
      Object.assign(member, { status, documentId: id, duplicateOf })
    }
    const { warnings, ...rest } = added
    return { ...rest, members, warnings: [...warnings, ...warnOfMembers(members)] }
  }
  const storeResponse: AddContext['storeResponse'] = (transaction, added) =>
    add.storeResponse(transaction, added.status === 'completed' ? withMembers(added) : added)
  return addDocuments(deps, { ...add, storeResponse }, entries).then(withMembers)
}

async function enqueueZip(
  deps: AddDeps,
  add: AddContext,
  { given: { recognition }, unpacked: { members, files }, reason }: ZipToAdd & { reason: AcceptedDocuments['reason'] },
): Promise<AcceptedDocuments> {
  const accepted = files.map(({ given, member }) => {
    const facts = toFacts(add, given)
    Object.assign(member, { status: 'pending', documentId: facts.id, message: null })
    return { facts, given }
  })
  const types = Object.fromEntries(accepted.map(({ facts, given }) => [facts.id, given.type]))
  const facts = accepted.map((one) => one.facts)
  const command = toAcceptCommand(add, facts, { reason, file: null, zip: { types, recognition, members } })
  return enqueueIngestion(deps, {
    ...command,
    warnings: [...command.warnings, ...warnOfMembers(members)],
    stage: async () => {
      await mapConcurrent(accepted, STAGED_AT_ONCE, async ({ facts: { id }, given: { file } }) => {
        requireGoing(add.signal)
        await deps.blobs.putFile(documentObject(add.memory.id, id, 'upload'), file.path)
      })
      return new Map()
    },
  })
}

/** A warning if members other than system files were not added. */
function warnOfMembers(members: readonly ArchiveMember[]): Warning[] {
  const refused = members.filter(({ status }) => status === 'unsupported' || status === 'failed')
  if (refused.length === 0) return []
  const message = `${refused.length} of ${members.length} members were not added; members gives the reasons.`
  return [{ code: 'members_not_added', message, param: null }]
}
