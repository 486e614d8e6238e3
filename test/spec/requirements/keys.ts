import { requirementsOf } from './requirement.ts'

const contract = { source: 'contract', section: 'Keys and scopes', part: 1 } as const

/** Authentication, keys and scopes. */
export const keyRequirements = [
  ...requirementsOf(
    { source: 'api', section: 'Authentication', part: 1 },
    {
      'keys.api.required': 'Every protected endpoint requires an API key.',
      'keys.api.bearer': 'The key may be sent as Authorization: Bearer <API_KEY>.',
      'keys.api.header': 'The key may be sent as X-API-Key: <API_KEY>.',
      'keys.api.memory-scope': 'A memory-scoped key restricts access to one memory and its documents and jobs.',
      'keys.api.health-open': 'Health and readiness need no credentials.',
    },
  ),
  ...requirementsOf(contract, {
    'keys.scheme-case': 'The Bearer scheme is case-insensitive.',
    'keys.both-different': 'Both headers with different keys is 401.',
    'keys.format': 'A key is rcl_, 40 random base62 characters and 6 base62 characters of CRC-32.',
    'keys.typo': 'A key with a typing mistake is refused.',
    'keys.stored-hash': 'Only the SHA-256 of a key, its first 8 and last 4 characters are stored.',
    'keys.shown-once': 'A key is shown once, when it is made.',
    'keys.scopes': 'There are two scopes: organization and memory.',
    'keys.memory-scope.allowed': 'A memory-scoped key may do everything under its memory except delete the memory.',
    'keys.memory-scope.list': 'A memory-scoped key sees only its memory in GET /v1/memories.',
    'keys.memory-scope.jobs': 'A memory-scoped key sees only the jobs of its memory.',
    'keys.memory-scope.others-404': 'Another memory, its documents and its jobs are 404 for a memory-scoped key.',
    'keys.memory-scope.forbidden':
      'Memory create and delete, projects, account and keys are 403 scope_forbidden for a memory-scoped key.',
    'keys.issue.http':
      'Keys are issued by POST /v1/keys, listed by GET /v1/keys and revoked by DELETE /v1/keys/:id, by organization keys only.',
    'keys.issue.cli': 'Keys are issued by the command line.',
    'keys.fields': 'A key has id, name, key (once), keyPreview, scope, memoryId, createdAt, lastUsedAt, expiresAt.',
    'keys.revoked': 'A revoked key is refused.',
    'keys.expired': 'An expired key is refused.',
    'keys.first-start':
      'The first start on empty storage makes one organization and one organization key and prints it once.',
    'keys.bootstrap': 'RECOLLECT_BOOTSTRAP_KEY supplies the first key instead.',
    'keys.auth-off-loopback': 'With keys switched off nothing but loopback may be bound.',
  }),
  ...requirementsOf(contract, {
    'keys.organizations.cli':
      'recollect organizations create makes an organization and its first key; recollect keys takes --organization.',
    'keys.organizations.http':
      'POST and GET /v1/organizations make and list organizations with the key of RECOLLECT_ADMIN_KEY, which opens nothing else; every other key is 403 scope_forbidden there.',
    'keys.organizations.apart': 'No key of an organization finds, lists or changes anything of another organization.',
  }),
  ...requirementsOf(
    { source: 'project', section: 'Tools for agents', part: 7 },
    {
      'mcp.find-size':
        'The result of find has at most 6,000 bytes by default; its cursor gives the passages that follow.',
      'mcp.excerpts': 'A passage in a result of find is exactly the text between its offsets, also as an excerpt.',
      'mcp.memories': 'list_memories and create_memory list and create the memories that the key may see and create.',
      'mcp.delete-document': 'delete_document deletes a document or a correction, and returns its title.',
      'mcp.resources':
        'Documents are resources: listed in pages, and read as their extracted text, within the scope of the key.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Roles of keys', part: 7 },
    {
      'keys.roles':
        'A key has a role: a reader searches, asks and reads, a writer also changes memories and documents, an admin also manages keys and webhooks.',
      'keys.roles.forbidden': '403 role_forbidden: the role of the key is too low; the message names the role needed.',
      'keys.roles.default':
        'Without a role, an organization key is an admin, and a memory-scoped key a writer; a memory-scoped admin is 400.',
      'keys.roles.mcp': 'The tools of MCP need the same role as their operations.',
      'keys.memories': 'memoryIds limits a key to up to 50 memories, each as if it were the only one.',
      'keys.unknown-field': 'An unknown or mistyped field of POST /v1/keys is 400, and no key is made.',
      'keys.last-admin': 'The last admin key of an organization is 409 last_admin_key on DELETE, unless force=true.',
    },
  ),
  ...requirementsOf(
    { source: 'project', section: 'Sign-in of people', part: 7 },
    {
      'sign-in.flow': 'People sign in at an OpenID Connect provider, with a code, PKCE, state and nonce.',
      'sign-in.advertised': 'GET / names the address of sign-in, if there is a provider.',
      'sign-in.roles': 'The values of a claim give the role of the session: admin, writer or reader.',
      'sign-in.no-role': 'A person without any of the roles is refused with a page that says so.',
      'sign-in.cookies':
        'The cookies are HttpOnly and SameSite=Lax, end by themselves, and hold no token of the provider.',
      'sign-in.response': 'A response with another state, without its cookie or with a used code signs nobody in.',
      'sign-in.session': 'A session that was changed, has expired or is of another installation is 401.',
      'sign-in.own-page': 'A session is accepted only from pages of the console, and only below /v1; else 403 or 401.',
      'sign-in.keys': 'API keys work unchanged; a request with a key does not use the session.',
      'sign-in.author': 'Corrections name the person who made them.',
      'sign-in.sign-out': 'Signing out deletes the session and names the address where the provider signs out.',
      'sign-in.provider-down': 'A provider that is down stops neither the start nor the use and end of sessions.',
      'sign-in.processes':
        'Sessions and begun sign-ins hold in every process with the same secret, without stored state.',
      'sign-in.off': 'Without a provider there is no sign-in, and a cookie opens nothing.',
      'sign-in.settings':
        'Settings of sign-in that are wrong or incomplete stop the start, and the message names them.',
    },
  ),
  ...requirementsOf(
    { ...contract, part: 3 },
    {
      'keys.memory-scope.ask-once': 'ask-once is 403 scope_forbidden for a memory-scoped key.',
    },
  ),
]
