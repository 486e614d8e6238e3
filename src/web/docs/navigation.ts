/** The path of the page that `/docs` itself shows. */
export const START_PATH = 'quick-start'

/** The path of the list of endpoints, which is made of the OpenAPI document. */
export const REFERENCE_PATH = 'reference'

/** The path of the page that lists the decisions. */
export const DECISIONS_PATH = 'decisions/README'

/** The pages at the side of every page: headings with the paths and names under them. */
export const NAVIGATION: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Begin',
    [
      [START_PATH, 'Quick start'],
      ['reading', 'What is read'],
    ],
  ],
  [
    'Guides',
    [
      ['guides/scanned-documents', 'Scanned documents'],
      ['guides/citations', 'Citations'],
      ['guides/corrections', 'Corrections'],
      ['guides/extraction', 'Extraction'],
      ['guides/evaluation', 'Evaluation'],
      ['guides/explanations', 'Explanations'],
      ['guides/http-tools', 'n8n and other HTTP tools'],
      ['guides/webhooks', 'Webhooks'],
      ['mcp', 'Model Context Protocol'],
      ['models', 'Models'],
      ['guides/export-and-import', 'Export and import'],
      ['guides/re-embedding', 'Another embedding model'],
      ['running', 'Running it for good'],
      ['backup', 'Backup'],
      ['scaling', 'Scaling'],
      ['capacity', 'How far it goes'],
      ['metrics', 'Metrics'],
      ['guides/security', 'Security'],
      ['guides/deleting-for-good', 'Deleting for good'],
      ['guides/verifying', 'Verifying'],
    ],
  ],
  [
    'Reference',
    [
      [REFERENCE_PATH, 'Endpoints'],
      ['command-line', 'Command line'],
      ['errors', 'Errors'],
      ['configuration', 'Settings'],
      ['limits', 'Limits'],
      ['licences', 'Licences'],
      ['benchmarks', 'Benchmarks'],
      ['relevance', 'Relevance'],
      ['architecture', 'How it is built'],
      ['internals/answers', 'How answers are made'],
      ['internals/storage', 'How data is stored'],
      ['internals/failures', 'When something fails'],
      [DECISIONS_PATH, 'Why it is so'],
      ['changelog', 'Changes'],
    ],
  ],
]

/** The address of a page by its path. */
export function addressOf(path: string): string {
  return path === START_PATH ? '/docs' : `/docs/${path}`
}
