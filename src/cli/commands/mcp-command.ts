import type { Command } from 'commander'
import { RecollectError } from '../../client/client-errors.ts'
import { readVersion } from '../../config/version.ts'
import type { ErrorFacts } from '../../mcp/mcp-server.ts'
import { openClient } from '../connection.ts'
import { describeFailure } from '../failures.ts'
import type { Surroundings } from '../surroundings.ts'

/** `recollect mcp`. */
export function addMcpCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('mcp')
    .description('speak the Model Context Protocol on standard input and output, for programs that start their servers')
    .action(() => serveMcp(surroundings))
}

/** Ends when standard input does. */
async function serveMcp(surroundings: Surroundings): Promise<void> {
  const { stdio, signal } = surroundings
  const { input, output } = stdio
  const client = openClient(surroundings)
  // The protocol takes its time to load, which no other command should wait for.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { createMcpServer } = await import('../../mcp/mcp-server.ts')
  const server = createMcpServer({ call: client.call, version: readVersion(), describeError: describeForModel })
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.connect(new StdioServerTransport(input, output))
  await ended
  await server.close()
}

function describeForModel(error: unknown): ErrorFacts {
  if (!(error instanceof RecollectError) || error.status === 0 || error.status === 401) {
    return { code: 'service_unavailable', message: describeFailure(error), remedy: '', details: [] }
  }
  const { code, message, remedy, details } = error
  return { code, message, remedy, details }
}
