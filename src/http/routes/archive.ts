import type { AcceptedDocuments } from '../../api/ingest.ts'
import { AcceptedDocumentsSchema } from '../../api/ingest.ts'
import type { ImportedMemory } from '../../api/memory.ts'
import { ImportedMemorySchema, ImportFieldsSchema, ImportForm } from '../../api/memory.ts'
import type { Warning } from '../../api/values.ts'
import { invalid } from '../../errors.ts'
import { MAX_ARCHIVE_BYTES } from '../../limits.ts'
import { accepted, contentDisposition, created, respond } from '../answers/answers.ts'
import type { UploadForm } from '../body/upload.ts'
import { readBody } from '../read-value.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'

const ARCHIVE_FORM: UploadForm = { parts: ImportForm, maxFileBytes: MAX_ARCHIVE_BYTES, tooLarge: 'body_too_large' }

/** Room for the form fields around the archive. */
const FORM_BYTES = 1024 * 1024

function answerImported(imported: ImportedMemory | AcceptedDocuments, own: readonly Warning[]) {
  const warnings = [...own, ...imported.warnings]
  if ('pollUrl' in imported) return accepted<AcceptedDocuments>(imported.pollUrl, { ...imported, warnings })
  return created<ImportedMemory>(`/v1/memories/${imported.id}`, { ...imported, warnings })
}

/** Contract, "Export and import". */
export const ARCHIVE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/export',
    operationId: 'exportMemory',
    summary: 'Export a memory',
    description:
      'Downloads a memory as a .tar.gz archive of documents, corrections, vectors and stored originals. ' +
      'Import the archive with POST /v1/memories/import.',
    tag: 'Memories',
    access: 'memory',
    answers: {
      200: { description: 'The archive (.tar.gz), streamed while it is created.', contentType: 'application/gzip' },
    },
    errors: ['memory_not_found', 'memory_too_large'],
    handle: async ({ services, caller, params }) => {
      const { content, filename } = await services.archive.export(caller, pathParameter(params, 'id'))
      const headers = { 'content-type': 'application/gzip', 'content-disposition': contentDisposition(filename) }
      return respond(200, headers, content)
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/import',
    operationId: 'importMemory',
    summary: 'Import a memory',
    description:
      'Creates a memory from an archive. All hashes are verified before the memory becomes visible. ' +
      'Documents are only embedded again if the embedding model differs.',
    tag: 'Memories',
    access: 'organization',
    form: ARCHIVE_FORM,
    maxBodyBytes: MAX_ARCHIVE_BYTES + FORM_BYTES,
    answers: {
      201: { description: 'The imported memory.', schema: ImportedMemorySchema },
      202: { description: 'A background job imports the memory.', schema: AcceptedDocumentsSchema },
    },
    errors: [
      'invalid_archive',
      'project_not_found',
      'memory_limit_reached',
      'storage_quota_exceeded',
      'queue_full',
      'insufficient_storage',
    ],
    handle: async ({ services, caller, upload, signal, storeResponseAs }) => {
      if (upload === null) throw invalid('file', 'is required and must be a file part of the form')
      const { value, warnings: unread } = readBody(ImportFieldsSchema, upload.fields)
      const warnings = [...upload.warnings, ...unread]
      const { name = null, projectId = null, options = {} } = value
      const toAnswer = (imported: ImportedMemory | AcceptedDocuments) => answerImported(imported, warnings)
      const work = { signal, storeResponse: storeResponseAs(toAnswer) }
      const wanted = { name, projectId, async: options.async ?? false }
      return toAnswer(await services.archive.import(caller, upload.file, { options: wanted, work }))
    },
  }),
]
