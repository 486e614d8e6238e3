/** Main module of the thread of `language-detector.ts`: handles each `LanguageRequest` in order. */

import { answerMessages } from '../../../concurrency/worker-thread.ts'
import { detectLanguageOf } from '../../../engine/analysis/detect-language.ts'
import type { LanguageReply, LanguageRequest } from './language-detector.ts'

answerMessages(({ samples }: LanguageRequest): LanguageReply => ({ language: detectLanguageOf(samples) }))
