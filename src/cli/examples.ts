import type { Command } from 'commander'

const NOTES = `
The address of the service is --url or RECOLLECT_URL (default: http://127.0.0.1:8080). The API key is --key,
RECOLLECT_API_KEY, or in the file RECOLLECT_API_KEY_FILE or ~/.config/recollect/key (mode 0600). RECOLLECT_MEMORY
is the memory of commands without --memory. The commands serve, migrate, backup, move, organizations and, without
RECOLLECT_URL, keys use the database and the data folder directly, see docs/configuration.md.

Exit status: 0 success, 1 failure, 2 wrong usage, 3 no answer (ask), 69 service unreachable, 78 invalid settings,
130 ^C. With --json, the last line of standard error is the error as JSON: {"error":{"code","message",…}}.`

/** Example commands by the path of their command; the empty path is the program itself. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': [
    'recollect serve                                        start the service',
    'recollect memories create Handbook                     create a memory',
    'recollect add -m Handbook ./docs https://example.org/  add a folder and a page',
    'recollect ask -m Handbook "When are refunds paid?"     an answer with its sources',
    "recollect find --json refunds | jq '.hits[0].text'     the best passage, for a script",
  ],
  serve: [
    'recollect serve',
    'recollect serve --verbose                              with a line for each request',
    'RECOLLECT_PORT=9000 RECOLLECT_DATA_DIR=/srv/recollect recollect serve',
  ],
  status: ['recollect status', 'recollect status --url https://memory.example.org --json | jq .jobs'],
  open: ['recollect open                                         the console', 'recollect open --page docs'],
  usage: [
    'recollect usage',
    'recollect usage --json | jq .usage.queries',
    'recollect usage --days 7',
    'recollect usage --by memory',
  ],
  projects: [
    'recollect projects list',
    'recollect projects create Support',
    'recollect projects show Support                        with its memories',
    'recollect projects rename Support "Support 2026"',
    'recollect projects delete Support --yes',
  ],
  organizations: [
    'recollect organizations create Acme --plan starter     create a tenant and its first key',
    'recollect keys create --organization org_…             a further key for it',
  ],
  keys: [
    'recollect keys create --name laptop                    a key for everything',
    'recollect keys create --memory mem_… --expires 90d     a key for one memory, for 90 days',
    'recollect keys list --json                             every key, for a script',
    'recollect keys revoke key_…                            revoke a key',
    'recollect keys create --url https://memory.example.org      in a service on another machine',
    'mkdir -p ~/.config/recollect && touch ~/.config/recollect/key && chmod 600 ~/.config/recollect/key && \\\n' +
      '    recollect keys create > ~/.config/recollect/key',
  ],
  sync: [
    'recollect sync -m Handbook ./docs                      add, replace and delete, as the folder has it',
    'recollect sync -m Handbook ./docs --dry-run            the changes only',
    'recollect sync -m Handbook ./docs --as docs --watch    follow the folder until ^C',
  ],
  sources: [
    'recollect sources add -m Handbook https://help.example.com/guide/ --every 1440',
    'recollect sources add -m Handbook s3://handbooks/en/ --region eu-central-1',
    'recollect sources list -m Handbook',
    'recollect sources run -m Handbook src_…',
  ],
  webhooks: [
    'recollect webhooks add https://hooks.example.com/recollect --event job.failed job.partial',
    'recollect webhooks test whk_…                           send a test message now',
    'recollect webhooks deliveries whk_… --json | jq -r \'.deliveries[] | select(.outcome == "failed") | .error\'',
  ],
  migrate: ['recollect migrate                                      before the first process of a new version starts'],
  move: [
    'RECOLLECT_S3_ENDPOINT=… AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… \\\n' +
      '    recollect move --to-database postgres://… --to-objects s3://bucket/prefix',
  ],
  backup: ['recollect backup "/backups/recollect-$(date +%F)"          also while the service runs'],
  doctor: [
    'recollect doctor',
    'recollect doctor --storage --fix                        while no service uses the data folder',
    'recollect doctor --json | jq -r \'.findings[] | select(.state != "ok") | .detail\'',
  ],
  memories: [
    'recollect memories list',
    'recollect memories create "Support KB" --project Support',
    'recollect memories show "Support KB" --json',
    'recollect memories delete "Support KB" --yes',
  ],
  export: [
    'recollect export Handbook                              to Handbook.tar.gz',
    'recollect export Handbook - | ssh other.host recollect import - --name Handbook',
  ],
  import: [
    'recollect import Handbook.tar.gz',
    'recollect import Handbook.tar.gz --name "Handbook, March" --json | jq -r .id',
  ],
  add: [
    'recollect add handbook.pdf',
    "recollect add -m Handbook --create ./docs 'reports/**/*.pdf'",
    'recollect add https://example.org/terms.html --store-source',
    'recollect add handbook.pdf --title Handbook --tag hr --metadata year=2026 --external-id handbook',
    'pandoc -t markdown notes.tex | recollect add - --name notes.md',
    'recollect add ./scans --ocr-max-pages 200 --json | jq -r \'select(.status == "failed") | .source\'',
  ],
  documents: [
    'recollect documents list --status partial',
    'recollect documents show doc_…                         with its pages',
    'recollect documents edit doc_… --title Handbook --tag hr --hide',
    'recollect documents pages                              page results of all documents',
    'recollect documents text doc_… | wc -w',
    'recollect documents chunks doc_… --json | jq .text',
    'recollect documents delete doc_…',
    'recollect documents delete --tag draft --created-before 2026-01-01 --dry-run',
  ],
  find: [
    'recollect find how fast do we acknowledge a P1',
    'recollect find -m Handbook --mode lexical -n 3 INV-2041',
    "recollect find refunds --metadata team=support --metadata 'year>=2025' --created-after 2026-01-01",
    'recollect find --explain --explain-document doc_… when do refunds arrive',
    'recollect find refunds --tag policy --min-score 0.5 --json | jq -r ".hits[].text"',
  ],
  ask: [
    'recollect ask "When are refunds paid?"',
    'recollect ask -m Handbook --json "Who approves travel?" | jq .citations',
    'recollect ask --min-confidence 0.8 --tag policy "Who approves travel?"',
  ],
  evaluate: [
    'recollect evaluate -m Handbook questions.jsonl',
    'recollect evaluate --modes hybrid --min-ndcg 0.8 - < questions.jsonl',
    `where questions.jsonl has lines such as {"query":"When are refunds paid?","externalIds":["handbook"]}`,
  ],
  verify: ['recollect verify Handbook', 'recollect verify Handbook --json | jq .problems'],
  extract: [
    'recollect extract -m Contracts invoice.json',
    'recollect extract --json - < invoice.json | jq .values',
    `where invoice.json is {"sections":[{"id":"invoice","name":"Invoice","fields":[
    {"key":"date","label":"Invoice date","data_type":"date"}]}]}`,
  ],
  reembed: ['recollect reembed Handbook embedded', 'recollect reembed Handbook openai:nomic-embed-text --no-wait'],
  correct: [
    'recollect correct -m Handbook "P1 incidents are acknowledged within 5 minutes." --topic incidents',
    'recollect correct --expires 6w "The boat house closes at 18:00 while the roof is mended."',
  ],
  corrections: [
    'recollect corrections -m Handbook',
    'recollect corrections --json | jq ".corrections[].lastOutranked"',
  ],
  jobs: [
    'recollect jobs list --status failed',
    'recollect jobs watch                                   follow all running jobs',
    'recollect jobs retry job_…',
  ],
  mcp: [
    'recollect mcp                                          in the settings of an MCP client:',
    '{"mcpServers":{"recollect":{"command":"recollect","args":["mcp"],"env":{"RECOLLECT_API_KEY":"…"}}}}',
  ],
  completion: [
    'source <(recollect completion bash)                    in ~/.bashrc',
    'source <(recollect completion zsh)                     in ~/.zshrc, after compinit',
    'recollect completion fish > ~/.config/fish/completions/recollect.fish',
  ],
}

const ADD_NOTES = `
Added sources are recorded per memory in ~/.local/state/recollect/added, by content (SHA-256) or URL.
You can interrupt the command at any moment. Run again, it skips added sources, waits for running jobs,
retries failed sources, sends the rest, and adds deleted documents again. The record is per user and machine.
From folders and patterns, only supported file types are added, and no hidden files.`

/**
 * Adds examples to the help of every command, and general notes to the help of the program.
 * Examples of a group appear in each of its commands.
 */
export function addExamples(program: Command): void {
  program.addHelpText('after', `${describe(EXAMPLES[''] ?? [])}\n${NOTES}`)
  for (const command of program.commands) {
    const examples = EXAMPLES[command.name()] ?? []
    for (const each of [command, ...command.commands]) {
      const own = each === command ? examples : examples.filter((line) => line.includes(` ${each.name()}`))
      if (own.length > 0) each.addHelpText('after', describe(own))
    }
    if (command.name() === 'add') command.addHelpText('after', ADD_NOTES)
  }
}

function describe(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`
}
