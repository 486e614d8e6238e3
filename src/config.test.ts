import assert from 'node:assert/strict'
import { isAbsolute } from 'node:path'
import { describe, it } from 'node:test'
import { SETTING_GROUPS } from './config/setting-groups.ts'
import { SETTINGS } from './config/settings.ts'
import { ConfigError, readConfig } from './config.ts'

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return ''
}

describe('readConfig', () => {
  it('gives the defaults of the contract for an empty environment', () => {
    const config = readConfig({})
    assert.deepEqual(config.http, {
      host: '127.0.0.1',
      port: 8080,
      auth: 'on',
      rateLimitPerMinute: 0,
      areMetricsPublic: false,
      corsOrigins: [],
    })
    assert.deepEqual(config.organization, { plan: 'unlimited', bootstrapKey: null, adminKey: null })
    assert.deepEqual(config.search, { embedder: 'embedded', reranker: 'embedded', memoryBytes: null })
    assert.deepEqual(config.recognition, { engine: 'embedded', languages: ['eng'] })
    assert.deepEqual(config.urls, { allowPrivate: [] })
    assert.deepEqual([config.role, config.log], ['all', { level: 'info', secrets: [] }])
    assert.ok(isAbsolute(config.dataDir) && config.dataDir.endsWith('data'))
  })

  it('takes origins of web pages, and nothing else', () => {
    const origins = 'https://app.example.com, http://localhost:3000'
    const { corsOrigins } = readConfig({ RECOLLECT_CORS_ORIGINS: origins }).http
    assert.deepEqual(corsOrigins, ['https://app.example.com', 'http://localhost:3000'])
    for (const wrong of [
      '*',
      'app.example.com',
      'https://app.example.com/',
      'https://A.example.com',
      'file:///a',
      'null',
    ])
      assert.match(problemsOf({ RECOLLECT_CORS_ORIGINS: wrong }), /RECOLLECT_CORS_ORIGINS must be origins/)
  })

  it('is frozen at every level', () => {
    const config = readConfig({})
    assert.ok(Object.isFrozen(config))
    for (const slice of Object.values(config)) assert.ok(Object.isFrozen(slice))
  })

  it('takes PORT where RECOLLECT_PORT is absent', () => {
    assert.equal(readConfig({ PORT: '3000' }).http.port, 3000)
    assert.equal(readConfig({ PORT: '3000', RECOLLECT_PORT: '0' }).http.port, 0)
    assert.match(problemsOf({ PORT: 'http' }), /PORT must be a whole number from 0 to 65535/)
  })

  it('counts an empty value as absent', () => {
    assert.equal(readConfig({ RECOLLECT_PORT: '', RECOLLECT_PLAN: '', RECOLLECT_LLM: '' }).http.port, 8080)
  })

  it('takes a bootstrap key of 20 characters or more, without the white space around it, which no request can show', () => {
    const key = 'any text at all,  20+'
    for (const given of [key, `${key}\n`, ` ${key}\r\n`]) {
      const config = readConfig({ RECOLLECT_BOOTSTRAP_KEY: given })
      assert.equal(config.organization.bootstrapKey, key)
      assert.deepEqual(config.log.secrets, [key])
    }
    for (const given of [' '.repeat(20), `${'x'.repeat(19)}\n`])
      assert.match(problemsOf({ RECOLLECT_BOOTSTRAP_KEY: given }), /must have 20 characters or more/)
  })

  it('takes the keys of other services without the white space around them, which no header carries', () => {
    const { models, log } = readConfig({ OPENAI_API_KEY: 'sk-one\n', ANTHROPIC_API_KEY: ' \n' })
    assert.equal(models.access.openai.apiKey, 'sk-one')
    assert.equal(models.access.anthropic.apiKey, null)
    assert.deepEqual(log.secrets, ['sk-one'])
  })

  it('takes languages by their codes, each once', () => {
    const languages = (text: string) => readConfig({ RECOLLECT_OCR_LANGUAGES: text }).recognition.languages
    assert.deepEqual(languages('deu, eng,chi_sim,deu,fr'), ['deu', 'eng', 'chi_sim', 'fr'])
    for (const text of ['eng,', 'German', 'd', 'eng;deu', '../eng', 'eng deu']) {
      assert.match(
        problemsOf({ RECOLLECT_OCR_LANGUAGES: text }),
        /RECOLLECT_OCR_LANGUAGES must be a comma-separated list/,
      )
    }
  })

  it('takes the private hosts that URLs may name, and names an entry that is wrong', () => {
    const config = readConfig({ RECOLLECT_URL_ALLOW_PRIVATE: 'wiki.lan:80, 10.1.0.0/16' })
    assert.deepEqual(config.urls.allowPrivate, [{ host: 'wiki.lan', port: 80 }, { network: '10.1.0.0/16' }])
    assert.match(problemsOf({ RECOLLECT_URL_ALLOW_PRIVATE: 'wiki.lan' }), /RECOLLECT_URL_ALLOW_PRIVATE .*"wiki\.lan"/)
  })

  it('takes IPv6 addresses with and without brackets', () => {
    assert.equal(readConfig({ RECOLLECT_HOST: '[::1]' }).http.host, '::1')
    assert.equal(readConfig({ RECOLLECT_HOST: '::' }).http.host, '::')
  })

  it('names everything that is wrong at once, and what is allowed', () => {
    const message = problemsOf({ RECOLLECT_PORT: '70000', RECOLLECT_PLAN: 'gold', RECOLLECT_COLOUR: 'red' })
    assert.match(message, /RECOLLECT_PORT must be a whole number from 0 to 65535/)
    assert.match(message, /RECOLLECT_PLAN must be one of "free", "starter", "unlimited"/)
    assert.match(message, /RECOLLECT_COLOUR is not a setting/)
  })

  it('names what does not go together at once with what is wrong, but of a wrong setting only that', () => {
    const message = problemsOf({
      RECOLLECT_PORT: '70000',
      RECOLLECT_ROLE: 'worker',
      RECOLLECT_LLM: 'openai:gpt-4.1-mini',
    })
    assert.match(message, /RECOLLECT_PORT must be/)
    assert.match(message, /RECOLLECT_ROLE=worker needs RECOLLECT_DATABASE_URL/)
    assert.match(message, /RECOLLECT_LLM names a model of openai/)
    const store = problemsOf({ RECOLLECT_OBJECT_STORE_URL: 's3://b', RECOLLECT_S3_ENDPOINT: 'http://127.0.0.1:9000' })
    assert.match(store, /RECOLLECT_OBJECT_STORE_URL must be s3:.* of 3 to 63 lower-case letters/)
    assert.doesNotMatch(store, /needs/)
  })

  it('names the setting that a mistyped one most likely means', () => {
    assert.match(problemsOf({ RECOLLECT_DATADIR: '/x' }), /RECOLLECT_DATADIR .* did you mean RECOLLECT_DATA_DIR\?/)
    assert.match(problemsOf({ recollect_port: '1' }), /did you mean RECOLLECT_PORT\?/)
  })

  it('shows with an address that is wrong how that one is written', () => {
    assert.match(
      problemsOf({ RECOLLECT_URL: 'localhost:8080' }),
      /RECOLLECT_URL must .* such as http:\/\/127.0.0.1:8080\./,
    )
    assert.match(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }), /such as http:\/\/127.0.0.1:4318\./)
    assert.match(problemsOf({ OPENAI_BASE_URL: 'ollama' }), /such as http:\/\/127.0.0.1:11434\/v1\./)
  })

  it('never repeats a secret that is wrong', () => {
    assert.match(problemsOf({ RECOLLECT_BOOTSTRAP_KEY: 'hunter2' }), /must have 20 characters or more/)
    assert.doesNotMatch(problemsOf({ RECOLLECT_BOOTSTRAP_KEY: 'hunter2' }), /hunter2/)
  })

  it('refuses to switch keys off where others than this machine could come in', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.4', 'example.org'])
      assert.match(problemsOf({ RECOLLECT_AUTH: 'off', RECOLLECT_HOST: host }), /needs a loopback RECOLLECT_HOST/)
    for (const host of ['127.0.0.1', '127.8.9.1', '::1', 'localhost'])
      assert.equal(readConfig({ RECOLLECT_AUTH: 'off', RECOLLECT_HOST: host }).http.auth, 'off')
  })

  it('takes a database, and shares it where the objects are shared, too', () => {
    const url = 'postgres://me:hunter2@db:5432/recollect?sslmode=verify-full'
    const alone = readConfig({ RECOLLECT_DATABASE_URL: url, RECOLLECT_DATABASE_CONNECTIONS: '4' })
    assert.deepEqual(alone.database, { url, maxConnections: 4 })
    assert.deepEqual([alone.hasPeers, alone.drainMs, alone.log.secrets], [false, 0, [url]])
    const shared = readConfig({ RECOLLECT_DATABASE_URL: url, RECOLLECT_OBJECT_STORE_URL: 's3://bucket' })
    assert.deepEqual([shared.hasPeers, shared.drainMs], [true, 5000])
    assert.equal(readConfig({}).database, null)
    for (const wrong of ['db:5432/recollect', 'mysql://me:hunter2@db/x', 'postgres:'])
      assert.doesNotMatch(problemsOf({ RECOLLECT_DATABASE_URL: wrong }), /hunter2|^$/)
  })

  it('refuses a role of one among several processes without what they share', () => {
    const both = { RECOLLECT_DATABASE_URL: 'postgres://db/x', RECOLLECT_OBJECT_STORE_URL: 's3://bucket' }
    for (const role of ['api', 'worker']) {
      assert.equal(readConfig({ ...both, RECOLLECT_ROLE: role }).role, role)
      for (const name of Object.keys(both))
        assert.match(problemsOf({ ...both, [name]: '', RECOLLECT_ROLE: role }), new RegExp(`${role} needs .*${name}`))
    }
  })

  it('shows metrics without a key only where it is told to', () => {
    assert.equal(readConfig({}).http.areMetricsPublic, false)
    assert.equal(readConfig({ RECOLLECT_METRICS_PUBLIC: 'true' }).http.areMetricsPublic, true)
  })

  it('tells a plain mistake from something that comes later', () => {
    assert.match(problemsOf({ RECOLLECT_DATABASE_URL: 'mysql://db' }), /must be a URL such as postgres/)
    assert.match(problemsOf({ RECOLLECT_EMBEDDER: 'openai' }), /RECOLLECT_EMBEDDER must be "embedded", openai:<model>/)
  })

  it('has no model unless one is named', () => {
    const nothing = { baseUrl: null, apiKey: null }
    assert.deepEqual(readConfig({}).models, {
      chat: null,
      answerTimeoutMs: 60_000,
      access: { openai: nothing, anthropic: { apiKey: null }, google: { apiKey: null } },
    })
  })

  it('takes the models that are named, and the addresses and keys for them, which are secret', () => {
    const config = readConfig({
      RECOLLECT_LLM: 'anthropic:claude-sonnet-4-5',
      RECOLLECT_LLM_TIMEOUT_SECONDS: '90',
      RECOLLECT_EMBEDDER: 'openai:text-embedding-3-small',
      RECOLLECT_RERANKER: 'onnx:/models/reranker',
      RECOLLECT_OCR_ENGINE: 'openai-compatible:qwen3-vl:8b@32k',
      ANTHROPIC_API_KEY: 'sk-a',
      OPENAI_API_KEY: 'sk-o',
      OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/',
    })
    assert.deepEqual(config.models, {
      chat: { provider: 'anthropic', model: 'claude-sonnet-4-5', contextTokens: null },
      answerTimeoutMs: 90_000,
      access: {
        openai: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: 'sk-o' },
        anthropic: { apiKey: 'sk-a' },
        google: { apiKey: null },
      },
    })
    const embedder = { provider: 'openai', model: 'text-embedding-3-small', contextTokens: null }
    const reranker = { provider: 'onnx', model: '/models/reranker', contextTokens: null }
    assert.deepEqual(config.search, { embedder, reranker, memoryBytes: null })
    const engine = { provider: 'openai-compatible', model: 'qwen3-vl:8b', contextTokens: 32_768 }
    assert.deepEqual(config.recognition.engine, engine)
    assert.deepEqual([...config.log.secrets].sort(), ['sk-a', 'sk-o'])
  })

  it('reads the memory for searches in megabytes, or with its unit', () => {
    const memory = (text: string) => readConfig({ RECOLLECT_SEARCH_MEMORY: text }).search.memoryBytes
    assert.deepEqual(
      ['0', '64', '512MB', '2 GB', '1gb'].map(memory),
      [0, 64, 512, 2048, 1024].map((mb) => mb * 1024 ** 2),
    )
    for (const text of ['-1', '1.5GB', '20%', 'MB'])
      assert.match(
        problemsOf({ RECOLLECT_SEARCH_MEMORY: text }),
        /RECOLLECT_SEARCH_MEMORY must be a size such as 512MB/,
      )
  })

  it('names every key and address that the models need', () => {
    const message = problemsOf({
      RECOLLECT_LLM: 'openai-compatible:qwen3:8b',
      RECOLLECT_EMBEDDER: 'openai:text-embedding-3-small',
      RECOLLECT_RERANKER: 'openai-compatible:rerank-v3.5',
      RECOLLECT_OCR_ENGINE: 'google:gemini-2.5-flash',
      RECOLLECT_AUTH: 'off',
      RECOLLECT_HOST: '0.0.0.0',
    })
    assert.match(message, /RECOLLECT_LLM names a model of openai-compatible, for which OPENAI_BASE_URL must say where/)
    assert.match(message, /RECOLLECT_EMBEDDER names a model of openai, for which OPENAI_API_KEY must be set/)
    assert.match(message, /RECOLLECT_RERANKER .* OPENAI_BASE_URL/)
    assert.match(message, /RECOLLECT_OCR_ENGINE .* GOOGLE_GENERATIVE_AI_API_KEY/)
    assert.match(message, /needs a loopback RECOLLECT_HOST/)
  })

  it('keeps keys that no model needs secret all the same', () => {
    const config = readConfig({ OPENAI_API_KEY: 'sk-1', AWS_REGION: 'eu-west-1' })
    assert.deepEqual(config.log.secrets, ['sk-1'])
  })
})

describe('the table of settings', () => {
  it('has every setting under one heading of the documentation', () => {
    const grouped = SETTING_GROUPS.flatMap((group) => group.names)
    assert.deepEqual([...grouped].sort(), Object.keys(SETTINGS).sort())
  })

  it('accepts each of its own defaults', () => {
    for (const [name, setting] of Object.entries(SETTINGS))
      assert.ok('value' in setting.parse(setting.default ?? ''), `${name} refuses its default`)
  })
})
