import type { Route } from '../route.ts'
import { ACCOUNT_ROUTES } from './account/account.ts'
import { JOB_ROUTES } from './account/jobs.ts'
import { KEY_ROUTES } from './account/keys.ts'
import { ORGANIZATION_ROUTES } from './account/organizations.ts'
import { PROJECT_ROUTES } from './account/projects.ts'
import { WEBHOOK_ROUTES } from './account/webhooks.ts'
import { CORRECTION_ROUTES } from './documents/corrections.ts'
import { DOCUMENT_CONTENT_ROUTES } from './documents/document-content.ts'
import { DOCUMENT_ROUTES } from './documents/documents.ts'
import { IMAGE_ROUTES } from './documents/images.ts'
import { PAGE_PICTURE_ROUTES } from './documents/page-picture.ts'
import { ARCHIVE_ROUTES } from './memories/archive.ts'
import { MEMORY_ROUTES } from './memories/memories.ts'
import { PAGE_TOTALS_ROUTES } from './memories/page-totals.ts'
import { REEMBED_ROUTES } from './memories/reembed.ts'
import { VERIFY_ROUTES } from './memories/verify.ts'
import { ASK_ROUTES } from './questions/ask.ts'
import { EVALUATE_ROUTES } from './questions/evaluate.ts'
import { EXTRACT_ROUTES } from './questions/extract.ts'
import { SEARCH_ROUTES } from './questions/search.ts'
import { CONSOLE_ROUTES } from './service/console.ts'
import { DOCS_ROUTES } from './service/docs.ts'
import { HEALTH_ROUTES } from './service/health.ts'
import { createMcpRoute } from './service/mcp.ts'
import { METRICS_ROUTES } from './service/metrics.ts'
import { SERVICE_ROUTES } from './service/service.ts'

const API_ROUTES: readonly Route[] = [
  ...HEALTH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...KEY_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...MEMORY_ROUTES,
  ...REEMBED_ROUTES,
  ...ARCHIVE_ROUTES,
  ...DOCUMENT_ROUTES,
  ...DOCUMENT_CONTENT_ROUTES,
  ...PAGE_PICTURE_ROUTES,
  ...PAGE_TOTALS_ROUTES,
  ...SEARCH_ROUTES,
  ...ASK_ROUTES,
  ...EVALUATE_ROUTES,
  ...EXTRACT_ROUTES,
  ...IMAGE_ROUTES,
  ...CORRECTION_ROUTES,
  ...JOB_ROUTES,
  ...PROJECT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...VERIFY_ROUTES,
  ...SERVICE_ROUTES,
  ...METRICS_ROUTES,
  ...CONSOLE_ROUTES,
  ...DOCS_ROUTES,
]

/** Every endpoint, in the order of the API document. */
export const ROUTES: readonly Route[] = [...API_ROUTES, createMcpRoute(API_ROUTES)]
