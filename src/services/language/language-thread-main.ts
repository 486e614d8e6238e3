/** Runs in the thread of `language-detector.ts`: answers a `LanguageRequest` after the other. */
import { detectLanguageOf } from '../../engine/analysis/detect-language.ts'
import { answerMessages } from '../threads/answer-messages.ts'
import type { LanguageReply, LanguageRequest } from './language-thread-messages.ts'

answerMessages(({ samples }: LanguageRequest): LanguageReply => ({ language: detectLanguageOf(samples) }))
