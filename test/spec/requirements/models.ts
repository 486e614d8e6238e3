import { requirementsOf } from './requirement.ts'

const project = (section: string) => ({ source: 'project', section, part: 3 }) as const

/** Language and vision models, where the API document and the contract end. */
export const modelRequirements = [
  ...requirementsOf(project('Models'), {
    'models.missing-access':
      'A model that is named without the key or address it needs stops the start, exit status 78.',
    'models.start-sends-nothing': 'A start asks no language model anything, and works while none answers.',
    'models.ready':
      'Readiness lists the models behind endpoints, llm, embedder, reranker and ocr, as optional checks; one that is down or hangs says so.',
    'models.no-secrets-logged':
      'No key, no prompt and no document reaches the log, also where a model answers with them.',
  }),
  ...requirementsOf(project('Embedders'), {
    'embedders.side-by-side':
      'The embedded embedder stays available beside a configured one, by its own name and as embedded; each memory is added to and searched with its own.',
    'embedders.restart':
      'A memory keeps its embedder when the setting changes; it is searched and added to as before while that one is configured.',
    'embedders.not-configured':
      'A memory whose embedder is not configured is searched lexically with a warning, in every mode, and adds to it are 409 embedding_model_pinned with a remedy.',
    'embedders.down-search':
      'While the endpoint of an embedder is down, hybrid and auto fall back to lexical with a warning, and semantic is 502 model_failed.',
    'embedders.down-add':
      'While it is down, a synchronous add is 502 model_failed, keeps nothing and pins nothing; a job is tried again.',
    'embedders.across-languages':
      'With an embedder behind an endpoint, meaning outweighs words for a question in a language without documents.',
    'embedders.late': 'A start does not wait for the endpoint of an embedder, which may come later.',
  }),
  ...requirementsOf(project('Rerankers'), {
    'reranker.order':
      'With a reranking model the first fifty hits stand in its order, with scores.rerank; corrections stay first.',
    'reranker.fails': 'Where it fails or takes too long, the order without it stands and warnings says so.',
    'reranker.folder-missing':
      'A folder of a model that cannot be used stops the start with a message, exit status 78.',
  }),
  ...requirementsOf(project('Models that see'), {
    'ocr.model-accurate': 'A model that sees reads accurate pictures; fast ones and blank ones are not sent to it.',
    'ocr.model-scans': 'Scanned pages of documents are read by the model, too.',
    'ocr.model-fallback':
      'Where the model fails, hangs or is not believed, the embedded reading stands and a warning says so; a model that keeps failing is left alone.',
  }),
]
