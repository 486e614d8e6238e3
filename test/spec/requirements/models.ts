import { requirementsOf } from './requirement.ts'

const project = (section: string) => ({ source: 'project', section, part: 3 }) as const

/** Language models and models that see, where the API document and the contract leave off. */
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
  ...requirementsOf(project('Models that see'), {
    'ocr.model-accurate': 'A model that sees reads accurate pictures; fast ones and blank ones are not sent to it.',
    'ocr.model-scans': 'Scanned pages of documents are read by the model, too.',
    'ocr.model-fallback':
      'Where the model fails, hangs or is not believed, the embedded reading stands and a warning says so; a model that keeps failing is left alone.',
  }),
]
