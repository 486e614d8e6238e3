import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import type { CliContext } from '../../../src/cli/cli-context.ts'
import { runProgram } from '../../../src/cli/program.ts'
import { useService } from '../../spec/service.ts'
import { fakeCliContext } from '../../support/fake-cli-context.ts'

const NAMES = ['Harbour', 'Night shift']
const service = useService({}, async ({ post }) => {
  for (const name of NAMES) {
    const { json } = await post<{ id: string }>('/v1/memories', { name, projectName: 'Boats' })
    await post(`/v1/memories/${json.id}/documents`, {
      documents: [{ title: name, text: `The ${name} lifts nine tonnes.` }],
    })
  }
})

/** Runs a command with the address and the key of the service in the environment. */
function run(args: string[], parts: Partial<CliContext> = {}) {
  const environment = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
  return runBare(args, { ...parts, environment: { ...environment, ...parts.environment } })
}

async function runBare(args: string[], parts: Partial<CliContext> = {}) {
  const { context, written } = fakeCliContext({ fetch: globalThis.fetch, ...parts })
  return { status: await runProgram(args, context), ...written }
}

describe('--url and --key', () => {
  const options = () => ['--url', service.url, '--key', service.bootstrapKey]

  it('name the service before and after the command, and override the environment', async () => {
    const environment = {
      RECOLLECT_URL: 'http://127.0.0.1:9',
      RECOLLECT_API_KEY: 'rcl_wrong',
      XDG_CONFIG_HOME: '/nowhere',
    }
    for (const args of [
      [...options(), 'memories', 'list'],
      ['memories', 'list', ...options()],
    ]) {
      const { status, out } = await runBare(args, { environment })
      assert.deepEqual([status, out.includes('Night shift')], [0, true])
    }
  })

  it('refuse an address that is none, as wrong usage', async () => {
    const { status, error } = await runBare(['memories', 'list', '--url', 'ftp://host'])
    assert.deepEqual([status, error.startsWith('--url must be an http')], [2, true])
  })
})

describe('RECOLLECT_MEMORY', () => {
  const environment = { RECOLLECT_MEMORY: 'Night shift' }

  it('is the memory of commands without --memory, which overrides it', async () => {
    const found = async (...args: string[]) => (await run(['find', 'tonnes', ...args], { environment })).out
    assert.match(await found(), /^1\. Night shift/)
    assert.match(await found('-m', 'Harbour'), /^1\. Harbour/)
    assert.match(
      (await run(['find', 'tonnes'], { environment: { RECOLLECT_MEMORY: '' } })).error,
      /There are 2 memories/,
    )
  })

  it('limits no list of jobs, which has all memories', async () => {
    const wrong = { RECOLLECT_MEMORY: 'nothing' }
    assert.equal((await run(['jobs', 'list'], { environment: wrong })).status, 0)
    assert.equal((await run(['documents', 'list'], { environment: wrong })).status, 1)
  })
})

describe('recollect status, usage and open', () => {
  it('show the service, the key and the jobs', async () => {
    const { status, out } = await run(['status'])
    assert.equal(status, 0)
    assert.match(out, /service +http.*, version \d/)
    assert.match(out, /state +ready\n[\s\S]*memories +2\ndocuments +2\njobs +0 running, 0 waiting\n/)
    assert.equal(JSON.parse((await run(['status', '--json'])).out).status, 'ready')
    assert.equal((await runBare(['status', '--url', 'http://127.0.0.1:9'])).status, 69)
  })

  it('show what a key of one memory may see', async () => {
    const memoryId = JSON.parse((await run(['memories', 'show', 'Harbour', '--json'])).out).id
    const key = (await run(['keys', 'create', '--memory', memoryId])).out.trim()
    assert.match((await run(['status', '--key', key])).out, /key +for one memory\nmemories +1\n/)
  })

  it('show what is used, with the limits of the plan', async () => {
    const { out } = await run(['usage'])
    assert.match(out, /^Default, plan Unlimited\n\n +USED +LIMIT\nstorage +\d+ bytes +-\nmemories +2 +-\n/)
    assert.equal(JSON.parse((await run(['usage', '--json'])).out).usage.documents, 2)
  })

  it('show the figures of days, memories and keys', async () => {
    await run(['find', '--memory', 'Harbour', 'rope'])
    const { out } = await run(['usage', '--days', '2', '--memory', 'Harbour'])
    const day = '\\d{4}-\\d\\d-\\d\\d'
    assert.match(out, new RegExp(`^DAY +FINDS .* STORAGE\\n${day} +0 .*\\n${day} +\\d+ .*\\ntotal +\\d+ .* ms +- +`))
    assert.match((await run(['usage', '--by', 'memory'])).out, /^MEMORY +FINDS .*\nmem_\w+ +\d+ [\s\S]*\ntotal +[1-9]/)
    assert.equal(JSON.parse((await run(['usage', '--by', 'key', '--json'])).out).days.length, 30)
    assert.equal((await run(['usage', '--days', '91'])).status, 2)
  })

  it('open the console or the documentation, and print the address also without a browser', async () => {
    const opened: string[] = []
    const openUrl = async (url: string) => opened.push(url) > 0
    assert.equal((await run(['open'], { openUrl })).out, `${service.url}/\n`)
    assert.equal((await run(['open', '--page', 'docs'], { openUrl })).out, `${service.url}/docs\n`)
    assert.deepEqual(opened, [`${service.url}/`, `${service.url}/docs`])
    assert.match((await run(['open'])).error, /No browser was found/)
  })
})

describe('recollect projects', () => {
  it('create, show, rename and delete a project, by name', async () => {
    const id = (await run(['projects', 'create', 'Ropes'])).out.trim()
    assert.match((await run(['projects', 'list'])).out, new RegExp(`${id} +0 .* Ropes\n`))
    assert.match((await run(['projects', 'show', 'Boats'])).out, /mem_\w+ +1 +Night shift\n/)
    assert.match((await run(['projects', 'rename', 'Ropes', 'Lines'])).error, /is named "Lines"/)
    assert.equal((await run(['projects', 'delete', 'Lines'])).status, 2)
    assert.equal((await run(['projects', 'delete', 'Lines', '--yes'])).status, 0)
    const { status, error } = await run(['projects', 'show', 'Lines'])
    assert.deepEqual([status, /There is no project "Lines"/.test(error)], [2, true])
  })
})

describe('recollect keys with a named service', () => {
  it('create, list, rename and revoke keys of it, without its data folder', async () => {
    const made = JSON.parse(
      (await run(['keys', 'create', '--name', 'laptop', '--expires', '2999-01-01', '--json'])).out,
    )
    assert.match(made.key, /^rcl_/)
    assert.match((await run(['keys', 'list'])).out, new RegExp(`${made.id} .* laptop\n`))
    assert.match((await run(['keys', 'rename', made.id, 'desk'])).error, /is named "desk"/)
    assert.equal((await run(['keys', 'revoke', made.id])).status, 0)
    assert.equal((await run(['memories', 'list', '--key', made.key])).status, 1)
  })

  it('use the data folder for an organization of it', async () => {
    const opened: (string | undefined)[] = []
    const openKeys = async (organization?: string) => {
      opened.push(organization)
      throw new Error('the data folder')
    }
    const organization = 'org_01jd0000000000000000000000'
    assert.equal((await run(['keys', 'list', '--organization', organization], { openKeys })).error, 'the data folder\n')
    assert.deepEqual(opened, [organization])
  })
})

describe('with --json', () => {
  const errorOf = async (args: string[]) => {
    const { status, out, error } = await run([...args, '--json'])
    return { ...JSON.parse(error.trimEnd().split('\n').at(-1) ?? '').error, exited: status, out }
  }

  it('an error is one line of JSON with its code and exit status', async () => {
    const missing = await errorOf(['memories', 'show', 'mem_01jd0000000000000000000000'])
    assert.deepEqual([missing.exited, missing.out, missing.code, missing.exitStatus], [1, '', 'memory_not_found', 1])
    assert.match(missing.requestId, /^req_/)
    for (const args of [['find'], ['find', 'x', '--mode', 'wild'], ['fnd'], ['keys', 'lst']]) {
      const wrong = await errorOf(args)
      assert.deepEqual([wrong.exited, wrong.code], [2, 'wrong_usage'], args.join(' '))
    }
    const unreachable = await errorOf(['memories', 'list', '--url', 'http://127.0.0.1:9'])
    assert.deepEqual([unreachable.exited, unreachable.code], [69, 'unreachable'])
  })
})

describe('recollect ask without an answer', () => {
  it('ends with 3, also as JSON and over a project', async () => {
    const project = JSON.parse((await run(['projects', 'show', 'Boats', '--json'])).out).id
    for (const where of [
      ['-m', 'Harbour'],
      ['-m', 'Harbour', '--json'],
      ['--project', project],
    ]) {
      const { status, out, error } = await run(['ask', ...where, 'Who painted the Mona Lisa?'])
      assert.deepEqual([status, out.includes('No answer was found'), error], [3, true, ''])
    }
    assert.equal((await run(['ask', '-m', 'Harbour', 'How much does the Harbour lift?'])).status, 0)
  })
})

describe('the completion of -m', () => {
  it('has the names of the memories, and nothing if the service does not answer', async () => {
    assert.equal((await run(['complete-memories'])).out, 'Night shift\nHarbour\n')
    const { status, out, error } = await run(['complete-memories', '--url', 'http://127.0.0.1:9'])
    assert.deepEqual([status, out, error], [0, '', ''])
  })

  it('quotes names for bash, after a quote or without', async () => {
    const { out } = await run(['completion', 'bash'])
    const complete = (typed: string) => {
      const words = `COMP_WORDS=(recollect find -m ${typed}); COMP_CWORD=3`
      const script = `recollect() { printf 'Harbour\\nNight shift\\n'; }\n${out}\n${words}\n_recollect; printf '%s,' "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout
    }
    assert.equal(complete("''"), 'Harbour,Night\\ shift,')
    assert.equal(complete(`'Night\\ s'`), 'Night\\ shift,')
    assert.equal(complete(`'"Ni'`), 'Night shift,')
  })
})
