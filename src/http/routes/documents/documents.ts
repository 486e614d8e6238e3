import { Type } from 'typebox'
import { DOCUMENT_STATUSES, DocumentSchema, DocumentWithPagesSchema, SOURCE_TYPES } from '../../../api/document.ts'
import { AddDocumentsBody, AddDocumentsForm } from '../../../api/ingest.ts'
import { OneOf, pageOf, pageParameters } from '../../../api/values.ts'
import { MAX_FILE_BYTES, MAX_REQUEST_BODY_BYTES, PAGE_LIMIT } from '../../../limits.ts'
import { noContent, ok } from '../../answers/answers.ts'
import type { UploadForm } from '../../body/upload.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pageRequest } from '../page-request.ts'
import { pathParameter } from '../path-parameter.ts'
import { ADDING_ANSWERS, addDocuments } from './add-documents.ts'

const DOCUMENT_FORM: UploadForm = {
  parts: AddDocumentsForm,
  maxFileBytes: MAX_FILE_BYTES,
  tooLarge: 'file_too_large',
}

const ListQuery = Type.Object({
  ...pageParameters(PAGE_LIMIT.documents),
  status: Type.Optional(OneOf(DOCUMENT_STATUSES)),
  tag: Type.Optional(Type.String()),
  sourceType: Type.Optional(OneOf(SOURCE_TYPES, 'Corrections are left out unless asked for.')),
})

/** API document, "Documents". */
export const DOCUMENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/documents',
    operationId: 'addDocuments',
    summary: 'Add an uploaded file, texts, or what a URL names',
    tag: 'Documents',
    access: 'memory',
    body: AddDocumentsBody,
    form: DOCUMENT_FORM,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: ADDING_ANSWERS,
    errors: [
      'memory_not_found',
      'storage_quota_exceeded',
      'embedding_model_pinned',
      'file_too_large',
      'unsupported_file_type',
      'unprocessable_document',
      'url_not_allowed',
      'url_fetch_failed',
      'url_too_large',
      'queue_full',
      'insufficient_storage',
    ],
    handle: addDocuments,
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents',
    operationId: 'listDocuments',
    summary: 'List the documents of a memory',
    tag: 'Documents',
    access: 'memory',
    query: ListQuery,
    answers: {
      200: { description: 'A page of documents, newest first.', schema: pageOf('documents', DocumentSchema) },
    },
    errors: ['memory_not_found', 'invalid_cursor'],
    handle: async ({ services, caller, params, query, reserveMemory }) => {
      const filter = { status: query.status ?? null, tag: query.tag ?? null, sourceType: query.sourceType ?? null }
      const page = pageRequest({ query, reserveMemory }, PAGE_LIMIT.documents)
      return ok(await services.documents.list(caller, pathParameter(params, 'id'), filter, page))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId',
    operationId: 'getDocument',
    summary: 'Read a document and what became of its pages',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The document.', schema: DocumentWithPagesSchema } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.documents.get(caller, pathParameter(params, 'id'), pathParameter(params, 'documentId'))),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memories/:id/documents/:documentId',
    operationId: 'deleteDocument',
    summary: 'Delete a document or a correction',
    tag: 'Documents',
    access: 'memory',
    answers: { 204: { description: 'The document is gone.' } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params }) => {
      await services.documents.delete(caller, pathParameter(params, 'id'), pathParameter(params, 'documentId'))
      return noContent()
    },
  }),
]
