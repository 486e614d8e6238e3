import type { Recognizer } from '../recognizer.ts'
import type { VisionReader } from './vision-reader.ts'

/** A recogniser that reads `accurate` pages with a vision model as well; `fast` ones are the embedded engine's alone. */
export function createVisionRecognizer({
  vision,
  embedded,
}: {
  vision: VisionReader
  embedded: Recognizer
}): Recognizer {
  return {
    engine: vision.engine,
    languages: embedded.languages,
    async recognize(request) {
      const reading = await embedded.recognize(request)
      return request.mode === 'fast' ? reading : await vision.improve({ ...request, embedded: reading })
    },
    close: () => embedded.close(),
  }
}
