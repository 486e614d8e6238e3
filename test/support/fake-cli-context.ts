import { PassThrough } from 'node:stream'
import type { CliContext } from '../../src/cli/cli-context.ts'

/**
 * Dependencies that write into `written`, without terminal, network, input, service or keys unless
 * given in `parts`.
 */
export function fakeCliContext(parts: Partial<CliContext> = {}) {
  const written = { out: '', error: '' }
  const missing = (what: string) => async () => {
    throw new Error(`no ${what} here`)
  }
  const context: CliContext = {
    writeOut: (text) => {
      written.out += text
    },
    writeError: (text) => {
      written.error += text
    },
    isTerminal: false,
    barStream: null,
    readInput: missing('input'),
    stdio: { input: new PassThrough(), output: new PassThrough() },
    confirm: async () => null,
    environment: { XDG_CONFIG_HOME: '/nowhere' },
    given: {},
    fetch: missing('network'),
    signal: new AbortController().signal,
    now: () => new Date('2026-11-21T10:00:00.000Z'),
    openUrl: async () => false,
    serve: missing('service'),
    migrate: missing('database'),
    backup: missing('data folder'),
    openStorageDoctor: missing('storage'),
    move: missing('data folder'),
    openKeys: missing('keys'),
    ...parts,
  }
  return { context, written }
}
