import { SIGN_IN_ROUTES } from '../callers/sign-in-routes.ts'
import type { Route } from '../route.ts'
import { ARCHIVE_ROUTES } from './archive.ts'
import { ASK_ROUTES, EXTRACT_ROUTES } from './ask.ts'
import { CORRECTION_ROUTES } from './corrections.ts'
import { DOCUMENT_CONTENT_ROUTES } from './document-content.ts'
import { DOCUMENT_ROUTES } from './documents.ts'
import { HEALTH_ROUTES, METRICS_ROUTES } from './health.ts'
import { IMAGE_ROUTES } from './images.ts'
import { JOB_ROUTES } from './jobs.ts'
import { KEY_ROUTES } from './keys.ts'
import { createMcpRoute } from './mcp.ts'
import { MEMORY_ROUTES, PROJECT_ROUTES } from './memories.ts'
import { OPENAI_ROUTES } from './openai.ts'
import { ORGANIZATION_ROUTES } from './organizations.ts'
import { SEARCH_ROUTES } from './search.ts'
import { SERVICE_ROUTES } from './service.ts'
import { SOURCE_ROUTES } from './sources.ts'
import { WEBHOOK_ROUTES } from './webhooks.ts'

const API_ROUTES: readonly Route[] = [
  ...HEALTH_ROUTES,
  ...KEY_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...MEMORY_ROUTES,
  ...ARCHIVE_ROUTES,
  ...DOCUMENT_ROUTES,
  ...DOCUMENT_CONTENT_ROUTES,
  ...SEARCH_ROUTES,
  ...ASK_ROUTES,
  ...EXTRACT_ROUTES,
  ...IMAGE_ROUTES,
  ...CORRECTION_ROUTES,
  ...SOURCE_ROUTES,
  ...JOB_ROUTES,
  ...PROJECT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...OPENAI_ROUTES,
  ...SERVICE_ROUTES,
  ...SIGN_IN_ROUTES,
  ...METRICS_ROUTES,
]

/** All endpoints, in the order of the API document. */
export const ROUTES: readonly Route[] = [...API_ROUTES, createMcpRoute(API_ROUTES)]
