import type { SentSource, SourceResource, SourceRunResource } from '../../api/source.ts'
import type { SourceChange } from '../../database/jobs/sources-table.ts'
import type { Source } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { requireName } from '../account/account-checks.ts'
import type { SecretBox } from './encrypt-secret.ts'
import {
  mergeFields,
  mergeSettings,
  nameOf,
  readFields,
  readSettings,
  type SettingsDeps,
  type SourceSettings,
} from './source-settings.ts'

/** Dependencies of the rows. `secrets` is `null` without a key for credentials. */
export type SourceRowDeps = SettingsDeps & { secrets: SecretBox | null; now: () => Date }

/** Body of POST /v1/memories/{id}/sources. */
export type NewSource = SentSource & { type: Source['type']; paused?: boolean | undefined }

/** Row of a new source, whose first run is due. Rejects without a key for given credentials. */
export function newSource(
  { secrets, now }: SourceRowDeps,
  chosen: SourceSettings,
  { memory, sent }: { memory: { id: string; organization_id: string }; sent: NewSource },
): Source {
  const at = now()
  const id = newId('src', at)
  return {
    id,
    organization_id: memory.organization_id,
    memory_id: memory.id,
    name: requireName('name', sent.name ?? nameOf(chosen).slice(0, 200)),
    type: chosen.type,
    settings: JSON.stringify(chosen.settings),
    credentials: seal(secrets, id, sent),
    fields: JSON.stringify(mergeFields(null, sent)),
    interval_minutes: sent.intervalMinutes ?? null,
    paused: sent.paused === true ? 1 : 0,
    next_run_at: at.toISOString(),
    lease_token: null,
    lease_expires_at: null,
    attempts: 0,
    current_run: null,
    last_run: null,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  }
}

/** Encrypts the credentials of a request; `null` without any. */
function seal(secrets: SecretBox | null, id: string, { s3 }: SentSource): string | null {
  if (s3?.credentials === undefined) return null
  if (secrets === null) {
    throw new ApiError('source_not_allowed', {
      message: 'Credentials cannot be stored without a key to encrypt them.',
      remedy: 'Set RECOLLECT_SECRETS_KEY on all processes and restart them.',
    })
  }
  return secrets.seal(id, JSON.stringify(s3.credentials))
}

/** Columns that a request changes. Rejects as {@link mergeSettings} does. */
export async function readChange(deps: SourceRowDeps, source: Source, sent: SentSource): Promise<SourceChange> {
  const before = readSettings(source)
  const isOfType = (['website', 's3', 'folder'] as const).some((type) => sent[type] !== undefined)
  const sealed = seal(deps.secrets, source.id, sent)
  return {
    ...(sent.name !== undefined && { name: requireName('name', sent.name) }),
    ...(isOfType && { settings: JSON.stringify((await mergeSettings(deps, before, sent)).settings) }),
    ...(sealed !== null && { credentials: sealed }),
    fields: JSON.stringify(mergeFields(readFields(source), sent)),
    ...(sent.intervalMinutes !== undefined && changeInterval(source, sent.intervalMinutes, deps.now())),
    updated_at: deps.now().toISOString(),
  }
}

/** The next run is an interval after the end of the last one; a due run stays due. */
function changeInterval(source: Source, minutes: number | null, now: Date): SourceChange {
  const { next_run_at: next, last_run: last, lease_token: token } = source
  const isDue = token !== null || (next !== null && next <= now.toISOString())
  if (isDue) return { interval_minutes: minutes }
  const ended = last === null ? now.toISOString() : (JSON.parse(last) as { endedAt: string }).endedAt
  const at = minutes === null ? null : new Date(Date.parse(ended) + minutes * 60_000).toISOString()
  return { interval_minutes: minutes, next_run_at: at }
}

/** Converts a source for the response, without its credentials. */
export function toSourceResource(source: Source, { documents, now }: { documents: number; now: Date }): SourceResource {
  const { type, settings } = readSettings(source)
  const isRunning = source.lease_token !== null && (source.lease_expires_at ?? '') > now.toISOString()
  return {
    id: source.id,
    memoryId: source.memory_id,
    name: source.name,
    type,
    website: type === 'website' ? settings : null,
    s3: type === 's3' ? { ...settings, hasCredentials: source.credentials !== null } : null,
    folder: type === 'folder' ? settings : null,
    ...readFields(source),
    tags: [...readFields(source).tags],
    intervalMinutes: source.interval_minutes,
    status: readStatus(source, { isRunning, now }),
    nextRunAt: source.next_run_at,
    documentCount: documents,
    currentRun: isRunning ? readRun(source.current_run) : null,
    lastRun: readRun(source.last_run),
    createdAt: source.created_at,
    updatedAt: source.updated_at,
  }
}

function readStatus(
  { paused, next_run_at: next }: Source,
  { isRunning, now }: { isRunning: boolean; now: Date },
): SourceResource['status'] {
  if (paused === 1) return 'paused'
  if (isRunning) return 'running'
  if (next === null) return 'idle'
  return next <= now.toISOString() ? 'queued' : 'scheduled'
}

function readRun(text: string | null): SourceRunResource | null {
  return text === null ? null : (JSON.parse(text) as SourceRunResource)
}
