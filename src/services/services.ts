import type { AccountService } from './account/account.ts'
import type { KeysService } from './account/keys.ts'
import type { OrganizationsService } from './account/organizations-service.ts'
import type { ProjectsService } from './account/projects.ts'
import type { ArchiveService } from './archive/archives.ts'
import type { AskService } from './ask/ask.ts'
import type { CorrectionsService } from './corrections/corrections.ts'
import type { VerifyService } from './doctor/verification.ts'
import type { DocumentsService } from './documents/documents.ts'
import type { PagePicturesService } from './documents/page-pictures.ts'
import type { EvaluateService } from './evaluate/evaluation.ts'
import type { ExtractService } from './extract/extraction.ts'
import type { HealthService } from './health.ts'
import type { IdempotencyService } from './idempotency/idempotency.ts'
import type { IngestService } from './ingest/ingest.ts'
import type { JobsService } from './jobs/jobs.ts'
import type { MemoriesService } from './memories/memories.ts'
import type { MetricsService } from './metrics-service.ts'
import type { ReembedService } from './reembed/reembed.ts'
import type { SearchService } from './search/search.ts'
import type { WebhooksService } from './webhooks/webhooks.ts'

/**
 * What the routes, the worker and the command line may ask for. Every function takes the caller first and looks up
 * nothing that the caller may not see: the organization stands in the query itself. All reject with `ApiError`. What they give are resources as
 * callers see them: flat, camelCase, `null` where absent (contract, "Answers, endpoint by endpoint").
 */
export type Services = {
  account: AccountService
  archive: ArchiveService
  ask: AskService
  corrections: CorrectionsService
  documents: DocumentsService
  evaluate: EvaluateService
  extract: ExtractService
  health: HealthService
  idempotency: IdempotencyService
  ingest: IngestService
  jobs: JobsService
  keys: KeysService
  memories: MemoriesService
  metrics: MetricsService
  organizations: OrganizationsService
  pagePictures: PagePicturesService
  projects: ProjectsService
  reembed: ReembedService
  search: SearchService
  verify: VerifyService
  webhooks: WebhooksService
}
