/** Path of the page at `/docs`. */
export const START_PATH = 'quick-start'

/** The path of the API reference, rendered from the OpenAPI document. */
export const REFERENCE_PATH = 'reference'

/** Path of the page that lists the architecture decisions. */
export const DECISIONS_PATH = 'decisions/README'

/** The navigation of every page: headings with the paths and titles below them. */
export const NAVIGATION: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Get started',
    [
      [START_PATH, 'Quick start'],
      ['installation', 'Installation'],
      ['docker', 'Docker'],
      ['supported-files', 'Supported file types'],
    ],
  ],
  [
    'Guides',
    [
      ['guides/scanned-documents', 'Scanned documents'],
      ['guides/sources', 'Sources'],
      ['guides/filters', 'Filters and several memories'],
      ['guides/citations', 'Citations'],
      ['guides/corrections', 'Corrections'],
      ['guides/extraction', 'Extraction'],
      ['guides/evaluation', 'Evaluation'],
      ['guides/explanations', 'Score explanations'],
      ['guides/typescript-client', 'TypeScript client'],
      ['guides/python-client', 'Python client'],
      ['guides/openai', 'Clients of OpenAI'],
      ['guides/http-tools', 'n8n and other HTTP tools'],
      ['guides/webhooks', 'Webhooks'],
      ['mcp', 'Model Context Protocol'],
      ['models', 'Models'],
      ['guides/export-and-import', 'Export and import'],
      ['guides/re-embedding', 'Change the embedding model'],
      ['guides/permanent-deletion', 'Permanent deletion'],
    ],
  ],
  [
    'Operations',
    [
      ['production', 'Production'],
      ['configuration', 'Configuration'],
      ['backup', 'Backup and restore'],
      ['scaling', 'Scaling'],
      ['capacity', 'Capacity planning'],
      ['metrics', 'Metrics'],
      ['guides/usage', 'Usage by day'],
      ['guides/security', 'Security'],
      ['guides/sign-in', 'Single sign-on'],
      ['guides/integrity-checks', 'Integrity checks'],
    ],
  ],
  [
    'Reference',
    [
      [REFERENCE_PATH, 'API reference'],
      ['command-line', 'Command line'],
      ['errors', 'Errors'],
      ['limits', 'Limits'],
      ['licences', 'Licences'],
      ['benchmarks', 'Benchmarks'],
      ['relevance', 'Relevance'],
      ['architecture', 'Architecture'],
      ['internals/answers', 'Internals: answers'],
      ['internals/storage', 'Internals: storage'],
      ['internals/failures', 'Internals: failures'],
      ['internals/console-design', 'Internals: console design'],
      [DECISIONS_PATH, 'Architecture decisions'],
      ['changelog', 'Changelog'],
    ],
  ],
]

/** The address of a page by its path. */
export function pageUrl(path: string): string {
  return path === START_PATH ? '/docs' : `/docs/${path}`
}
