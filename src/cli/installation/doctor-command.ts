import type { Command } from 'commander'
import type { Health, Readiness } from '../../client/accounts.ts'
import { readVersion } from '../../config/version.ts'
import { isId } from '../../ids.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { CliContext } from '../cli-context.ts'
import { type Connection, openClient, readConnection, readHealth } from '../connection.ts'
import { describeFailure, UsageError } from '../failures.ts'
import { asJson, oneLine } from '../printing.ts'
import { examineStorage, type StorageOptions } from './doctor-storage.ts'
import { type CheckResult, examineDataFolder, examineRecognitionData, examineSandbox } from './examine-data-folder.ts'

/** `recollect doctor`. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('check service, key, stores, models, data folder, disk, OCR languages and sandbox')
    .option('--json', 'print the findings as JSON')
    .option('--storage', 'verify database, objects and memory files instead; no service may use the data folder')
    .option('--fix', 'like --storage, and repair without losing acknowledged data')
    .option('--accept-rows', 'like --storage, and accept changed rows as they are now')
    .option('--memory <id>', 'like --storage, for this memory only')
    .action((options: StorageOptions & { storage?: true }) => {
      if (options.memory !== undefined && !isId('mem', options.memory))
        throw new UsageError(`${options.memory} is not the id of a memory.`)
      if (options.fix && options.acceptRows)
        throw new UsageError('Check the rows first: run --accept-rows before --fix, in a separate run.')
      const { storage, fix, acceptRows, memory } = options
      const isOfStorage = storage || fix || acceptRows || memory !== undefined
      return isOfStorage ? examineStorage(context, options) : examine(context, options)
    })
}

async function examine(context: CliContext, { json }: { json?: true }): Promise<void> {
  const connection = readConnection(context)
  const service = await examineService(context, connection)
  const isReached = service[0]?.state === 'ok'
  const findings = [
    { check: 'command line', state: 'ok' as const, detail: `${readVersion()} on Node ${process.versions.node}` },
    ...service,
    ...(isReached ? [await examineKey(context, connection)] : []),
    ...(await examineDataFolder(context.environment)),
    examineRecognitionData(),
    await examineSandbox(),
  ]
  if (json) context.writeOut(asJson({ findings }))
  else for (const finding of findings) context.writeOut(describe(finding))
  const troubles = findings.filter(({ state }) => state === 'trouble').length
  // The client's error has the exit status that scripts expect.
  if (!isReached) await openClient(context).call('getHealth', {})
  if (troubles > 0) throw new Error(`${troubles} of ${findings.length} checks need attention.`)
}

const SIGNS = { ok: 'ok     ', trouble: 'TROUBLE', unknown: '?      ' } as const

function describe({ check, state, detail }: CheckResult): string {
  return `${SIGNS[state]}  ${check}: ${oneLine(detail)}\n`
}

async function examineService(context: CliContext, { baseUrl }: Connection): Promise<CheckResult[]> {
  const check = 'service'
  try {
    const { version } = (await readHealth(context, `${baseUrl}/health`)) as Health
    const own = readVersion()
    const differs = version === own ? '' : `; this command line is ${own}`
    const found: CheckResult = { check, state: 'ok', detail: `${baseUrl} answers, version ${version}${differs}` }
    const { checks } = (await readHealth(context, `${baseUrl}/health/ready`)) as Readiness
    return [found, ...Object.entries(checks).map(([name, result]) => toFinding(name, result))]
  } catch (error) {
    return [{ check, state: 'trouble', detail: `${baseUrl} does not answer as the service does (${reasonOf(error)})` }]
  }
}

function toFinding(name: string, { status, latencyMs, error, optional }: Readiness['checks'][string]): CheckResult {
  const took = latencyMs === undefined ? '' : `, ${latencyMs} ms`
  const kind = optional ? ' (optional)' : ''
  return {
    check: name,
    state: status === 'up' ? 'ok' : 'trouble',
    detail: `${status}${kind}${took}${error === undefined ? '' : `: ${error}`}`,
  }
}

/** The cause behind fetch's "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

async function examineKey(context: CliContext, { apiKey, keyFrom }: Connection): Promise<CheckResult> {
  const check = 'key'
  try {
    const { total } = await openClient(context).memories.listPage({ limit: 1 })
    const from = apiKey === null ? 'none is asked for' : `the one of ${keyFrom} is valid`
    return { check, state: 'ok', detail: `${from}; it sees ${pluralize(total, 'memory', 'memories')}` }
  } catch (error) {
    return { check, state: 'trouble', detail: describeFailure(error) }
  }
}
