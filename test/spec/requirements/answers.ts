import { requirementsOf } from './requirement.ts'

const api = (section: string, part: number) => ({ source: 'api', section, part }) as const
const contract = (section: string, part: number) => ({ source: 'contract', section, part }) as const
const project = (section: string, part: number) => ({ source: 'project', section, part }) as const

/** Ask, ask-once, extraction and image text recognition. */
export const answerRequirements = [
  ...requirementsOf(api('What the service does', 3), {
    'ask.purpose': 'Ask retrieves from a memory and generates an answer with an LLM, optionally with sources.',
    'ask-once.purpose': 'A one-shot variant answers over text of the request and persists nothing.',
    'extract.purpose': 'Extraction fills a caller-defined schema of sections and fields from a memory.',
  }),
  ...requirementsOf(api('Endpoints: Ask', 3), {
    'ask.question': 'ask: question is a required string.',
    'ask.model': 'ask: options.model is a string, default gpt-4.',
    'ask.max-context-chunks': 'ask: options.maxContextChunks is an int, default 10, the most chunks given to the LLM.',
    'ask.include-sources': 'ask: options.includeSources is a bool, default false, and returns source documents.',
    'ask-once.fields':
      'ask-once: question, content and model are strings; nothing is persisted, no memory is involved.',
  }),
  ...requirementsOf(contract('Answers: ask', 3), {
    'ask.answer-fields':
      'ask answers question, answer, model, requestedModel, answered, citations, sources, usage, stats.',
    'ask.citations': 'citations always come, with document, chunk, page, offsets and their place in the answer.',
    'ask.sources': 'sources is [] unless includeSources.',
    'ask.unknown-model': 'An unknown model name is no error: the configured one answers and model says which.',
    'ask.extractive':
      'With no LLM the embedded answerer quotes the best sentences with citations; model is extractive.',
    'ask.not-answered': 'Nothing relevant: 200, answered false, a plain sentence that says so.',
    'ask.stream': 'Accept: text/event-stream streams token, citation, done and error events.',
    'ask.fenced': 'Retrieved text is delimited as data in the prompt.',
    'ask-once.answer':
      'ask-once answers the same without memory and document fields; citations are offsets into content.',
  }),
  ...requirementsOf(project('Answers that can be checked', 3), {
    'ask.offsets': 'The offsets of a citation cut the supporting words exactly out of the extracted text.',
    'ask.citation-removed': 'A citation that leads to no source is removed from the answer, and a warning says so.',
    'ask.withheld': 'A model that cites nothing and says what stands in no source is not quoted: answered is false.',
    'ask.unsupported':
      'An answer that its citations do not support is answered false, with a warning; its text is in draft.',
    'ask.model-declines': 'Where the model says that the sources do not answer, answered is false.',
    'ask.corrections-first': 'Corrections stand first among the sources and are marked as what is right.',
    'ask.max-chunks-range': 'options.maxContextChunks is 1 to 100.',
    'ask.hostile': 'A document cannot leave its tags: its text is never outside the tags of the prompt.',
    'ask.context': 'No prompt is larger than the context of the model; what does not fit is warned about.',
    'ask.usage': 'usage and stats say what retrieval and model really took.',
    'ask.grounding':
      'grounding says how far a model keeps to the words it cites, and which sentences do not; null for quotes.',
    'ask.confidence': 'confidence is 0 to 1 for quotes, also declined ones, and null with a model.',
    'ask.min-confidence':
      'An answer of quotes below options.minConfidence is declined; a low one returns what is declined by default.',
    'ask.incomplete-question':
      'A question without a subject of its own is not answered: a sentence and a warning incomplete_question say so.',
    'ask.messages':
      'messages replaces question: the last message is the question of the user; both, or another last message, is 400.',
    'ask.messages.follow-up':
      'A follow-up question is completed by the questions before it, and rewrittenQuestion is the question that was answered.',
    'ask.messages.complete': 'A complete question is answered as it is, without rewrittenQuestion.',
    'ask.messages.model': 'With a model, the model completes the question by the latest messages that fit its context.',
    'ask.question-language': 'What the service itself says in an answer is in the language of the question.',
    'ask.model-failed': 'A model that fails is 502 model_failed, whatever it does; the next question is answered.',
    'ask.model-error-owner':
      'The error of a failed model says whose it is: the refused model key, a limit, no connection, the time limit.',
    'ask.stream-equals':
      'The tokens of a stream are the answer or draft of done, and no token shows a citation that done lacks.',
    'ask.stream-error': 'A model that fails in the middle of a stream ends it with an event error, as errors are.',
    'ask.stop': 'A service that ends waits some seconds for a silent model, then answers 503.',
    'ask.client-leaves': 'A client that leaves stops the call of the model.',
    'ask-once.kept-nowhere':
      'Of ask-once no file, row, log line or usage record stays but the count of the query, also with an Idempotency-Key.',
    'ask-once.large': 'content may have many megabytes: more than any other JSON but documents.',
  }),
  ...requirementsOf(api('Resources: Extraction schema', 3), {
    'extract.sections': 'sections: required array, at least one.',
    'extract.section-id': 'sections[].id: required, unique.',
    'extract.section-name': 'sections[].name: required.',
    'extract.field-key': 'sections[].fields[].key: required.',
    'extract.field-label': 'sections[].fields[].label: required, used as the search query for the field.',
    'extract.data-type': 'sections[].fields[].data_type: optional type hint, for example date or currency.',
    'extract.context': 'context: optional description of the material.',
  }),
  ...requirementsOf(api('Endpoints: Structured extraction', 3), {
    'extract.endpoint': 'POST /v1/memories/:id/extract takes the extraction schema.',
  }),
  ...requirementsOf(contract('Answers: extract', 3), {
    'extract.answer': 'extract answers 200 with memoryId, values, sections, fieldsTotal, fieldsFound, model, warnings.',
    'extract.not-found': 'Not found is found false, value null, no sources: never a guess.',
    'extract.types':
      'date, currency, number, integer, percent, boolean, email, phone, url and list are normalised; an unknown hint is a string.',
    'extract.duplicates': 'Duplicate section ids or keys are 400.',
  }),
  ...requirementsOf(api('Supported image types', 2), {
    'ocr.types': 'PNG, JPEG, WebP, GIF, TIFF and BMP are recognised.',
    'ocr.purpose': 'The endpoint reads text from an image and ingests the result into the memory.',
  }),
  ...requirementsOf(api('Endpoints: Image text recognition', 2), {
    'ocr.multipart': 'Multipart: file (image) and optional form field mode.',
    'ocr.json': 'JSON: imageBase64 and options with mode and languageHints.',
    'ocr.modes': 'mode is fast or accurate.',
    'ocr.ingested': 'The recognised text is ingested automatically.',
  }),
  ...requirementsOf(contract('Answers: ocr', 2), {
    'ocr.answer':
      'ocr answers 200, or 202 as documents, with text, confidence, mode, engine, languages, width, height, blocks, ids, counts and warnings.',
    'ocr.no-text': 'No text: 200, text "", nothing added.',
    'ocr.default-mode': 'The default mode is fast.',
    'ocr.data-url': 'imageBase64 may carry a data-URL prefix.',
  }),
]
