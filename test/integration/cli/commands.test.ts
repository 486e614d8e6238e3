import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { CliContext } from '../../../src/cli/cli-context.ts'
import { runProgram } from '../../../src/cli/program.ts'
import { useService } from '../../spec/service.ts'
import { fakeCliContext } from '../../support/fake-cli-context.ts'

const TEXTS = [
  { title: 'Crane', text: 'The crane lifts nine tonnes. It was inspected on 3 May 2026.', tags: ['gear'] },
  { title: 'Red \u001b[31m rope', text: 'Ropes are kept in the loft, \u001b]0;title\u0007 dry.' },
]
const folder = mkdtempSync(join(tmpdir(), 'recollect-commands-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const service = useService({}, async ({ post }) => {
  const { json } = await post<{ id: string }>('/v1/memories', { name: 'Harbour' })
  await post(`/v1/memories/${json.id}/documents`, { documents: TEXTS })
})

async function run(args: string[], parts: Partial<CliContext> = {}, environment: Record<string, string> = {}) {
  const { context, written } = fakeCliContext({
    environment: { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey, ...environment },
    fetch: globalThis.fetch,
    ...parts,
  })
  const status = await runProgram(args, context)
  return { status, ...written }
}

describe('recollect find, ask, extract and correct', () => {
  it('find the passages of the only memory, and of one that is named', async () => {
    const { status, out } = await run(['find', 'how', 'much', 'does', 'the', 'crane', 'lift', '-n', '1'])
    assert.equal(status, 0)
    assert.match(out, /^1\. Crane {2}\[[\d.]+\] {2}doc_\w+\n {3}The crane lifts nine tonnes/)
    const json = await run(['find', '-m', 'Harbour', '--tag', 'gear', '--json', 'crane'])
    assert.deepEqual(
      JSON.parse(json.out).hits.map(({ title }: { title: string }) => title),
      ['Crane'],
    )
  })

  it('leave out weak documents and weak answers on request', async () => {
    const weak = await run(['find', '--min-score', '1', 'a crane near the harbour wall'])
    assert.deepEqual([weak.status, weak.out, weak.error], [0, '', 'Nothing was found.\n'])
    assert.match((await run(['find', '--min-score', '0.1', 'crane'])).out, /^1\. Crane/)
    const { out } = await run(['ask', '--min-confidence', '1', 'How much does the crane lift?'])
    assert.match(out, /^No answer was found/)
    for (const share of ['1.5', '-1', 'much'])
      assert.equal((await run(['find', '--min-score', share, 'crane'])).status, 2, share)
  })

  it('show copies once with their number, and each on request', async () => {
    const text = 'Oars are returned to rack 4.'
    const { json } = await service.post<{ id: string }>('/v1/memories', { name: 'Boats' })
    await service.post(`/v1/memories/${json.id}/documents`, {
      documents: [1, 2, 3].map((number) => ({ title: `Notice ${number}`, text })),
    })
    const args = ['find', '-m', 'Boats', 'oars']
    assert.match((await run(args)).out, /^1\. Notice \d {2}\[[\d.]+\] {2}doc_\w+ {2}\(2 copies\)\n.*\n$/)
    assert.match((await run([...args, '--all-copies'])).out, /^1\. .*\n.*\n2\. .*\n.*\n3\. /)
    await service.call('DELETE', `/v1/memories/${json.id}`)
  })

  it('explain a score, and the rank of a missing document', async () => {
    const { out } = await run(['find', '--explain', '-n', '1', '--mode', 'lexical', 'what does the crane lift tonight'])
    assert.match(out, /\n {4}0\.\d\d {2}Lexical: BM25 [\d.]+/)
    assert.match(
      out,
      /\n {3}terms {2}crane \(crane\), lift \(lifts\)\n {3}not there {2}tonight\n {3}Overall match .*\n$/,
    )
    const { json: list } = await service.get<{ documents: { id: string; title: string }[] }>(
      `/v1/memories/${JSON.parse((await run(['memories', 'show', 'Harbour', '--json'])).out).id}/documents`,
    )
    const rope = list.documents.find(({ title }) => title.includes('rope'))?.id ?? ''
    const missed = await run(['find', '--explain-document', rope, '--mode', 'lexical', 'crane'])
    assert.match(
      missed.out,
      /\n\nRed ·\[31m rope {2}doc_\w+\n {3}It was not among the candidates\. Lexical: no passage/,
    )
  })

  it('show nothing of a document that a terminal would obey', async () => {
    const { out } = await run(['find', '--full', 'ropes'])
    assert.match(out, /Red ·\[31m rope[\s\S]*·\]0;title· dry/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
    assert.ok(!/[\u0007\u001b]/.test(out))
  })

  it('stream an answer, with sources as footnotes', async () => {
    const pieces: string[] = []
    const { status } = await run(['ask', 'How much does the crane lift?'], {
      writeOut: (text) => void pieces.push(text),
    })
    assert.equal(status, 0)
    assert.ok(pieces.length > 1)
    assert.match(pieces.join(''), /nine tonnes\. \[1\]\n\n\[1\] Crane {2}doc_\w+\n$/)
    const { out } = await run(['ask', '--json', 'How much does the crane lift?'])
    assert.equal(JSON.parse(out).sources.length > 0, true)
  })

  it('evaluate questions from a file or standard input, and refuse invalid ones', async () => {
    const { out: list } = await run(['documents', 'list', '--json'])
    const ids = Object.fromEntries(
      (JSON.parse(list).documents as { title: string; id: string }[]).map(({ title, id }) => [title, id]),
    )
    const path = join(folder, 'questions.jsonl')
    const missed = { query: 'what does the crane lift', documentIds: [ids['Red \u001b[31m rope']] }
    const found = { query: 'where are ropes kept', documentIds: missed.documentIds }
    writeFileSync(path, `${JSON.stringify(found)}\n${JSON.stringify(missed)}\n`)
    const { status, out } = await run(['evaluate', path, '-k', '1', '--modes', 'lexical,hybrid'])
    assert.equal(status, 0)
    assert.match(
      out,
      /^MODE +NDCG@1 +RECALL@1 +MRR +PRECISION@1 +MS\nlexical +0\.500 +0\.500 +0\.500 +0\.500 +[\d.]+\n/,
    )
    assert.match(out, /\nLEXICAL +HYBRID +ANSWERED WORST\n- +- +what does the crane lift\n$/)
    const input = { readInput: async () => Buffer.from(`where are ropes kept\t${ids['Crane']}\n`) }
    const json = await run(['evaluate', '-', '--json', '--modes', 'hybrid', '--min-ndcg', '0.9'], input)
    assert.deepEqual([json.status, JSON.parse(json.out).perQuestion[0].rank], [1, 2])
    assert.match(json.error, /nDCG is below 0\.9: hybrid has 0\.\d+/)
    for (const text of ['{', '', 'no tab']) {
      writeFileSync(path, text)
      assert.equal((await run(['evaluate', path])).status, 2)
    }
    assert.equal((await run(['evaluate', join(folder, 'none.jsonl')])).status, 2)
    writeFileSync(path, 'q\tnothing-like-it')
    const unknown = await run(['evaluate', path])
    assert.equal(unknown.status, 1)
    assert.match(unknown.error, /questions\[0\]\.externalIds\[0\] does not exist in this memory: nothing-like-it/)
  })

  it('fill a schema from a file or standard input, and refuse invalid ones', async () => {
    const fields = [
      { key: 'date', label: 'crane inspected on', data_type: 'date' },
      { key: 'x', label: 'moon' },
    ]
    const schema = JSON.stringify({ sections: [{ id: 'c', name: 'Crane', fields }] })
    const path = join(folder, 'schema.json')
    writeFileSync(path, schema)
    const { out, error } = await run(['extract', path])
    assert.match(out, /crane inspected on +2026-05-03 +Crane\nmoon +\(not found\)/)
    assert.match(error, /1 of 2 fields/)
    const json = await run(['extract', '-', '--json'], { readInput: async () => Buffer.from(schema) })
    assert.deepEqual(JSON.parse(json.out).values, { c: { date: '2026-05-03', x: null } })
    writeFileSync(path, '{')
    assert.equal((await run(['extract', path])).status, 2)
    assert.equal((await run(['extract', join(folder, 'none.json')])).status, 2)
  })

  it('edit a document and a memory', async () => {
    const { documents } = JSON.parse((await run(['documents', 'list', '--json'])).out)
    const { id, title } = documents[0] as { id: string; title: string }
    const edited = await run(['documents', 'edit', id, '--tag', 'a', '--metadata', 'year=2026', '--hide', '--json'])
    assert.equal(edited.status, 0, edited.error)
    const { tags, metadata, enabled, ...rest } = JSON.parse(edited.out)
    assert.deepEqual([tags, metadata, enabled, rest.title], [['a'], { year: 2026 }, false, title])
    assert.match((await run(['documents', 'show', id])).out, /hidden/)
    assert.equal((await run(['documents', 'edit', id, '--no-tag', '--no-metadata', '--show'])).status, 0)
    assert.doesNotMatch((await run(['documents', 'show', id])).out, /hidden|tags/)
    assert.equal((await run(['documents', 'edit', id])).status, 2)
    const { description } = JSON.parse(
      (await run(['memories', 'edit', 'Harbour', '--description', 'Boats', '--json'])).out,
    )
    assert.equal(description, 'Boats')
    assert.equal((await run(['memories', 'edit', 'Harbour', '--description', '', '--no-project'])).status, 0)
    assert.equal((await run(['memories', 'edit', 'Harbour', '--project', 'none'])).status, 2)
    assert.equal((await run(['memories', 'edit', 'Harbour'])).status, 2)
  })

  it('delete documents by a filter, once it is confirmed', async () => {
    const { documents } = JSON.parse((await run(['documents', 'list', '--json'])).out)
    const { id } = documents[0] as { id: string }
    await run(['documents', 'edit', id, '--metadata', 'draft=true'])
    const filter = ['--metadata', 'draft=true']
    assert.match((await run(['documents', 'delete', ...filter, '--dry-run'])).error, /^1 document to delete/)
    assert.equal((await run(['documents', 'delete', ...filter])).status, 2)
    assert.equal((await run(['documents', 'delete'])).status, 2)
    assert.equal((await run(['documents', 'delete', id, ...filter])).status, 2)
    assert.match(
      (await run(['documents', 'delete', 'doc_none', 'x', '--dry-run'])).error,
      /doc_none is not in the memory/,
    )
    assert.equal((await run(['documents', 'edit', id, '--no-metadata'])).status, 0)
    assert.match((await run(['documents', 'delete', ...filter, '--yes'])).error, /^0 documents to delete/)
  })

  it('add a correction that a search then brings first', async () => {
    const { status, out } = await run(['correct', 'The loft is damp.', '--topic', 'loft', '--boost', '3'])
    assert.equal(status, 0)
    assert.match((await run(['find', 'loft'])).out, new RegExp(`^1\\. correction .*${out.trim()}`))
    assert.equal((await run(['correct', 'x', '--boost', '11'])).status, 2)
  })

  it('list corrections with the passages they last overrode', async () => {
    const id = (await run(['correct', 'The crane lifts ten tonnes since June.'])).out.trim()
    assert.doesNotMatch((await run(['corrections', '--limit', '1'])).out, /last outranked/)
    await run(['find', 'how much does the crane lift'])
    const { out } = await run(['corrections', '--limit', '1'])
    assert.ok(out.startsWith(`${id}  `), out)
    assert.match(
      out,
      /\n {2}The crane lifts ten tonnes since June\.\n {2}last outranked, [-0-9: ]{16}:\n {4}Crane {2}doc_\w+\.0\n/,
    )
    const page = JSON.parse((await run(['corrections', '--json'])).out)
    assert.equal(page.corrections[0].id, id)
    assert.equal((await run(['documents', 'delete', id])).status, 0)
  })

  it('show the passages a correction overrides, and its expiry', async () => {
    const made = await run(['correct', 'Ropes are kept in the cellar, dry.', '--expires', '2099-01-01'])
    assert.equal(made.status, 0)
    assert.match(made.error, /^Outranks:\n {2}Red ·\[31m rope: Ropes are kept in the loft/)
    const { out } = await run(['correct', '--json', '--expires', '2099-01-01T12:00:00Z', 'The quay is closed.'])
    assert.equal(JSON.parse(out).expiresAt, '2099-01-01T12:00:00.000Z')
    const late = await run(['correct', '--expires', '2020-01-01', 'x'])
    assert.deepEqual([late.status, /has passed already/.test(late.error)], [2, true])
  })
})

describe('recollect memories and jobs', () => {
  it('make, list, show and delete a memory, by its name or id', async () => {
    const id = (await run(['memories', 'create', 'Port', '--project', 'Coast'])).out.trim()
    assert.match((await run(['memories', 'list'])).out, new RegExp(`^ID .*NAME\n${id} .*Port\n`))
    assert.match((await run(['memories', 'show', 'Port'])).out, /project +Coast/)
    const unasked = await run(['memories', 'delete', id])
    assert.deepEqual([unasked.status, /--yes/.test(unasked.error)], [2, true])
    assert.match(
      (await run(['memories', 'delete', 'Port'], { confirm: async () => false })).error,
      /Nothing was deleted/,
    )
    assert.equal((await run(['memories', 'delete', 'Port', '--yes'])).status, 0)
    assert.equal((await run(['memories', 'show', id])).status, 1)
  })

  it('require the name of a memory where there are several, and distinguish equal names', async () => {
    const ids = [await run(['memories', 'create', 'Twin']), await run(['memories', 'create', 'Twin'])].map(({ out }) =>
      out.trim(),
    )
    const unnamed = await run(['find', 'crane'])
    assert.deepEqual([unnamed.status, /--memory: "Twin", "Twin", "Harbour"/.test(unnamed.error)], [2, true])
    const twins = await run(['find', '-m', 'Twin', 'crane'])
    assert.ok(twins.status === 2 && ids.every((id) => twins.error.includes(id)))
    for (const id of ids) await run(['memories', 'delete', id, '-y'])
  })

  it('follow jobs to their end, and fail with a failed job', async () => {
    const { json } = await service.get<{ memories: { id: string }[] }>('/v1/memories')
    const body = (text: string) => ({ documents: [{ text }], options: { async: true } })
    const start = await service.post<{ jobId: string }>(
      `/v1/memories/${json.memories[0]?.id}/documents`,
      body('The quay.'),
    )
    const { jobId } = start.json
    const { status, out } = await run(['jobs', 'watch', jobId])
    assert.deepEqual([status, out.trimEnd().split('\n').at(-1)?.startsWith(`${jobId}  completed`)], [0, true])
    assert.match((await run(['jobs', 'list', '-m', 'Harbour'])).out, new RegExp(`${jobId} +completed +100%`))
    assert.match((await run(['jobs', 'show', jobId])).out, /status +completed/)
    assert.equal((await run(['jobs', 'cancel', jobId])).status, 1)
    assert.match((await run(['jobs', 'watch'])).error, /No job is waiting/)
    const another = await service.post<{ jobId: string }>(
      `/v1/memories/${json.memories[0]?.id}/documents`,
      body('The pier.'),
    )
    await run(['jobs', 'watch', another.json.jobId])
    assert.equal((await run(['jobs', 'list', '-n', '1'])).error, 'These are 1 of 2.\n')
  })

  it('follow all running jobs over any number of pages', async () => {
    const jobs = Array.from({ length: 130 }, (_, index) => ({ id: `job_${index}`, message: 'Done.', progress: 100 }))
    const pageOf = (from: number) => ({ jobs: jobs.slice(from, from + 100), nextCursor: from === 0 ? '100' : null })
    const answer = ({ pathname, searchParams }: URL) => {
      if (pathname !== '/v1/jobs') return { ...jobs[Number(pathname.split('_')[1])], status: 'completed' }
      if (searchParams.get('status') === 'processing') return { jobs: [], nextCursor: null }
      return pageOf(Number(searchParams.get('cursor') ?? 0))
    }
    const { status, out } = await run(['jobs', 'watch'], {
      fetch: async (url) => Response.json(answer(new URL(String(url)))),
    })
    assert.deepEqual([status, new Set(out.match(/job_\d+(?= {2}completed)/g)).size], [0, 130])
  })

  it('follow the next one as soon as one ends, and none any more where one cannot be followed', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `job_${index}`)
    const asked = new Set<string>()
    const endOf = async (url: string | URL | Request, signal: AbortSignal | null | undefined) => {
      const id = new URL(String(url)).pathname.split('/').at(-1) ?? ''
      asked.add(id)
      await new Promise((resolve) => setTimeout(resolve, 5))
      signal?.throwIfAborted()
      const isOver = id !== 'job_0' || asked.has('job_100')
      return { id, message: 'Done.', progress: 100, status: isOver ? 'completed' : 'processing' }
    }
    const { status } = await run(['jobs', 'watch', ...ids], {
      fetch: async (url, init) => Response.json(await endOf(url, init?.signal)),
    })
    assert.deepEqual([status, asked.size], [0, 101])
    asked.clear()
    const gone = { error: { code: 'job_not_found', message: 'No such job.', details: [], requestId: 'req_1' } }
    const wrong = await run(['jobs', 'watch', 'job_0', 'job_wrong'], {
      fetch: async (url, init) =>
        String(url).includes('job_wrong')
          ? Response.json(gone, { status: 404 })
          : Response.json(await endOf(url, init?.signal)),
    })
    assert.equal(wrong.status, 1)
    assert.match(wrong.error, /No such job/)
  })
})

describe('recollect documents', () => {
  it('list, show, read and delete a document', async () => {
    const { json } = await service.get<{ memories: { id: string }[] }>('/v1/memories')
    const body = { documents: [{ title: 'Buoys', text: 'Buoy nine is \u001b[32mgreen.', tags: ['sea'] }] }
    await service.post(`/v1/memories/${json.memories[0]?.id}/documents`, body)
    const listed = (await run(['documents', 'list', '--tag', 'sea'])).out
    const [id = ''] = /doc_\w+/.exec(listed) ?? []
    assert.match(listed, /ready +1 .*Buoys\n/)
    assert.match((await run(['documents', 'show', id])).out, /title +Buoys\n[\s\S]*PAGE[\s\S]*1 +text +2\d/)
    assert.match((await run(['documents', 'pages'])).out, /^pages +\d\ntext +\d\nocr +0\nempty +0\nfailed +0\n$/)
    assert.deepEqual(JSON.parse((await run(['documents', 'pages', '--json'])).out).documents, [])
    assert.equal((await run(['documents', 'text', id])).out, 'Buoy nine is \u001b[32mgreen.')
    assert.equal((await run(['documents', 'text', id], { isTerminal: true })).out, 'Buoy nine is ·[32mgreen.')
    assert.equal((await run(['documents', 'delete', id])).status, 0)
    const gone = await run(['documents', 'show', id])
    assert.deepEqual([gone.status, /Document not found/.test(gone.error)], [1, true])
  })
})

describe('the connection of the command line', () => {
  const nowhere = { RECOLLECT_URL: 'http://127.0.0.1:9' }

  it('is reported as missing with status 69, and what to do', async () => {
    const { status, error } = await run(['memories', 'list'], {}, nowhere)
    assert.deepEqual([status, /recollect serve.*RECOLLECT_URL/.test(error)], [69, true])
    const doctor = await run(['doctor'], {}, nowhere)
    assert.deepEqual(
      [doctor.status, /TROUBLE {2}service: http:\/\/127\.0\.0\.1:9 does not answer/.test(doctor.out)],
      [69, true],
    )
  })

  it('takes a key from a file private to its owner, and refuses others', async () => {
    const environment = { RECOLLECT_API_KEY: '', XDG_CONFIG_HOME: folder }
    assert.match((await run(['memories', 'list'], {}, environment)).error, /RECOLLECT_API_KEY/)
    mkdirSync(join(folder, 'recollect'))
    const path = join(folder, 'recollect', 'key')
    writeFileSync(path, `${service.bootstrapKey}\n`, { mode: 0o600 })
    assert.equal((await run(['memories', 'list'], {}, environment)).status, 0)
    chmodSync(path, 0o640)
    const { status, error } = await run(['memories', 'list'], {}, environment)
    assert.deepEqual([status, error.includes(`chmod 600 ${path}`)], [78, true])
    const missing = { RECOLLECT_API_KEY: '', RECOLLECT_API_KEY_FILE: join(folder, 'none') }
    assert.equal((await run(['memories', 'list'], {}, missing)).status, 78)
    assert.equal((await run(['memories', 'list'], {}, { RECOLLECT_URL: 'ftp://x' })).status, 78)
  })
})

describe('recollect doctor', () => {
  it('finds a running service, its stores, its key and its folder intact', async () => {
    const { status, out } = await run(['doctor'], {}, { RECOLLECT_DATA_DIR: service.dataDirectory })
    assert.equal(status, 0, out)
    for (const line of [
      /ok {7}service: .*version/,
      /database: up/,
      /objectStore: up/,
      /key: .*valid/,
      /lock: a service is using/,
      /OCR languages: .*deu [\d.]+ MB, eng .*script detection/,
    ]) {
      assert.match(out, line)
    }
  })

  it('names a wrong key and wrong settings', async () => {
    const { status, out } = await run(['doctor', '--json'], {}, { RECOLLECT_API_KEY: 'rcl_wrong', RECOLLECT_PROT: '1' })
    const { findings } = JSON.parse(out) as { findings: { check: string; state: string; detail: string }[] }
    const troubles = findings
      .filter(({ state }) => state === 'trouble')
      .map(({ check, detail }) => `${check} ${detail}`)
    assert.equal(status, 1)
    assert.match(troubles.join('\n'), /^key [\s\S]*\nsettings .*RECOLLECT_PORT\?/)
  })
})

/** Completes the last word, in the way of each shell. */
const SHELLS: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
  bash: (script, words) =>
    `${script}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _recollect; printf '%s\n' "\${COMPREPLY[@]}"`,
  // Zsh's completion needs a terminal; these stubs replace its callers.
  zsh: (script, words) =>
    `compdef() {}; _files() {}; compadd() { shift; print -l -- "$@" }\n${script}\nwords=(${words.join(' ')}); CURRENT=${words.length}; _recollect`,
  fish: (script, words) => `${script}\ncomplete -C "${words.join(' ').replaceAll("''", '')}"`,
}

describe('recollect completion', () => {
  for (const [shell, write] of Object.entries(SHELLS)) {
    const isThere = spawnSync(shell, ['-c', 'true']).status === 0
    it(`completes commands, subcommands and options in ${shell}`, {
      skip: isThere ? false : `there is no ${shell}`,
    }, async () => {
      const { out } = await run(['completion', shell])
      const complete = (...words: string[]) =>
        spawnSync(shell, ['-c', write(out, ['recollect', ...words])], { encoding: 'utf8' }).stdout.split('\n')
      assert.ok(complete("''").includes('memories'))
      assert.ok(complete('memories', "''").includes('show'))
      assert.ok(!complete('memories', "''").includes('find'))
      assert.ok(complete('find', '-m', 'add', '--').includes('--mode'))
      const modes = complete('find', '--mode', "''")
      assert.ok(modes.includes('lexical') && !modes.includes('--tag'))
      assert.ok(complete('find', '--mode', 'lexical', '--').includes('--tag'))
      assert.ok(complete('jobs', 'list', '--status', 'pa').includes('partial'))
    })
  }

  it('is printed for no other shell', async () => {
    assert.equal((await run(['completion', 'sh'])).status, 2)
  })
})
