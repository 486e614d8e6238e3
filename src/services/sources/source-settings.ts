import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { FolderSettings, S3Settings, SentSource, WebsiteSettings } from '../../api/source.ts'
import type { Source } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import { describeFileError, isSlowPattern, isWithin } from '../../files/scan-folder.ts'
import { SOURCES } from '../../limits.ts'
import type { UrlFetcher } from '../../url-fetch/url-fetcher.ts'
import { cleanMetadata, cleanTags } from '../ingest/given-fields.ts'

/** Fields of all documents of a source. */
export type SourceFields = {
  tags: readonly string[]
  metadata: Readonly<Record<string, string | number | boolean | null>>
  storeSource: boolean
}

/** Settings of a source by its type. */
export type SourceSettings =
  | { type: 'website'; settings: WebsiteSettings }
  | { type: 's3'; settings: S3Settings }
  | { type: 'folder'; settings: FolderSettings }

const WEBSITE: WebsiteSettings = {
  startUrls: [],
  sitemapUrl: null,
  prefixes: [],
  maxDepth: SOURCES.depth.default,
  maxPages: SOURCES.pages.default,
  pauseMs: SOURCES.pauseMs.default,
  mainContent: true,
}
const S3: S3Settings = { bucket: '', prefix: '', endpoint: null, region: 'us-east-1', pathStyle: false, exclude: [] }
const FOLDER: FolderSettings = { path: '', exclude: [] }

/** Dependencies of the checks; `folders` are the real or given paths of the setting. */
export type SettingsDeps = { fetcher: Pick<UrlFetcher, 'requireUrl'>; folders: readonly string[] }

/** Settings of a row. */
export function readSettings({ type, settings }: Pick<Source, 'type' | 'settings'>): SourceSettings {
  return { type, settings: JSON.parse(settings) } as SourceSettings
}

/** Fields of the documents of a row. */
export function readFields({ fields }: Pick<Source, 'fields'>): SourceFields {
  return JSON.parse(fields) as SourceFields
}

/** The given fields over the former ones. */
export function mergeFields(before: SourceFields | null, { tags, metadata, storeSource }: SentSource): SourceFields {
  return {
    tags: tags === undefined ? (before?.tags ?? []) : cleanTags(tags),
    metadata: metadata === undefined ? (before?.metadata ?? {}) : cleanMetadata(metadata),
    storeSource: storeSource ?? before?.storeSource ?? false,
  }
}

/**
 * The given settings over the former ones, or over the defaults. Rejects with `validation_failed`,
 * `url_not_allowed` and `source_not_allowed`.
 */
export async function mergeSettings(
  deps: SettingsDeps,
  before: SourceSettings | { type: Source['type']; settings: null },
  sent: SentSource,
): Promise<SourceSettings> {
  for (const type of ['website', 's3', 'folder'] as const)
    if (type !== before.type && sent[type] !== undefined)
      throw invalid(type, `does not belong to a source of the type ${before.type}`)
  if (before.type === 'website') {
    const settings = { ...WEBSITE, ...before.settings, ...sent.website }
    return { type: 'website', settings: checkWebsite(deps, settings) }
  }
  if (before.type === 's3') {
    const { credentials: _, ...given } = sent.s3 ?? {}
    return { type: 's3', settings: checkBucket(deps, { ...S3, ...before.settings, ...given }) }
  }
  return { type: 'folder', settings: await checkFolder(deps, { ...FOLDER, ...before.settings, ...sent.folder }) }
}

function checkWebsite({ fetcher }: SettingsDeps, settings: WebsiteSettings): WebsiteSettings {
  const { startUrls, sitemapUrl, prefixes } = settings
  if (startUrls.length === 0 && sitemapUrl === null) throw invalid('website', 'needs startUrls or a sitemapUrl')
  const check = (url: string) => fetcher.requireUrl(url).href
  return {
    ...settings,
    startUrls: [...new Set(startUrls.map(check))],
    sitemapUrl: sitemapUrl === null ? null : check(sitemapUrl),
    prefixes: [...new Set(prefixes.map(check))],
  }
}

/** Rules for names of general purpose buckets of AWS; both parts become parts of a host name. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

function checkBucket({ fetcher }: SettingsDeps, settings: S3Settings): S3Settings {
  const { bucket, endpoint, region } = settings
  if (bucket === '') throw invalid('s3.bucket', 'is required')
  if (!BUCKET_NAME.test(bucket))
    throw invalid('s3.bucket', 'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens')
  if (!/^[A-Za-z0-9-]+$/.test(region)) throw invalid('s3.region', 'must be the name of a region, such as eu-central-1')
  requirePatterns('s3.exclude', settings.exclude)
  return { ...settings, endpoint: endpoint === null ? null : fetcher.requireUrl(endpoint).origin }
}

async function checkFolder({ folders }: SettingsDeps, settings: FolderSettings): Promise<FolderSettings> {
  const { path } = settings
  if (path === '') throw invalid('folder.path', 'is required')
  if (folders.length === 0) {
    throw new ApiError('source_not_allowed', {
      message: 'Folders are not enabled as sources.',
      remedy: 'Set RECOLLECT_SOURCE_FOLDERS to the folders that sources may read, and restart the service.',
    })
  }
  if (!isAbsolute(path) || path.includes('\0')) throw invalid('folder.path', 'must be an absolute path')
  requirePatterns('folder.exclude', settings.exclude)
  await requireSourceFolder(folders, resolve(path))
  return { ...settings, path: resolve(path) }
}

function requirePatterns(param: string, patterns: readonly string[]): void {
  const slow = patterns.findIndex(isSlowPattern)
  if (slow >= 0) throw invalid(`${param}[${slow}]`, 'may have ** before further folders at most twice')
}

/**
 * The real path of a folder below the allowed ones. Links are followed before the check. Rejects
 * with `source_not_allowed`, which does not reveal whether anything outside exists.
 */
export async function requireSourceFolder(folders: readonly string[], path: string): Promise<string> {
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)))
  const real = await realpath(path).catch((error: unknown) => {
    if (folders.some((folder) => isWithin(folder, path)))
      throw invalid('folder.path', `cannot be read. ${describeFileError(error)}`)
    return null
  })
  if (real === null || !allowed.some((folder) => isWithin(folder, real)))
    throw new ApiError('source_not_allowed', { message: 'The folder is not below RECOLLECT_SOURCE_FOLDERS.' })
  if (!(await stat(real)).isDirectory()) throw invalid('folder.path', 'must be a folder')
  return real
}

/** Name of a source without a given one. */
export function nameOf({ type, settings }: SourceSettings): string {
  if (type === 'website') return settings.startUrls[0] ?? settings.sitemapUrl ?? ''
  return type === 's3' ? `s3://${settings.bucket}/${settings.prefix}` : settings.path
}
