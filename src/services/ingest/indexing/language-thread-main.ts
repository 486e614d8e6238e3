/** Runs in the thread of `language-detector.ts`: answers a `LanguageRequest` after the other. */

import { answerMessages } from '../../../concurrency/worker-thread.ts'
import { detectLanguageOf } from '../../../engine/analysis/detect-language.ts'
import type { LanguageReply, LanguageRequest } from './language-detector.ts'

answerMessages(({ samples }: LanguageRequest): LanguageReply => ({ language: detectLanguageOf(samples) }))
