import { answerRequirements } from './requirements/answers.ts'
import { beyondRequirements } from './requirements/beyond.ts'
import { changeRequirements } from './requirements/changes.ts'
import { documentRequirements } from './requirements/documents.ts'
import { errorRequirements } from './requirements/errors.ts'
import { formatRequirements } from './requirements/formats.ts'
import { jobRequirements } from './requirements/jobs.ts'
import { keyRequirements } from './requirements/keys.ts'
import { memoryRequirements } from './requirements/memories.ts'
import { modelRequirements } from './requirements/models.ts'
import type { Requirement } from './requirements/requirement.ts'
import { ruleRequirements } from './requirements/rules.ts'
import { searchRequirements } from './requirements/search.ts'
import { serviceRequirements } from './requirements/service.ts'
import { settingRequirements } from './requirements/settings.ts'
import { sourceRequirements } from './requirements/sources.ts'

/**
 * Every normative sentence of the API document and of the contract, and further promises of the
 * project.
 */
export const REQUIREMENTS: readonly Requirement[] = [
  ...ruleRequirements,
  ...errorRequirements,
  ...keyRequirements,
  ...serviceRequirements,
  ...memoryRequirements,
  ...documentRequirements,
  ...changeRequirements,
  ...formatRequirements,
  ...searchRequirements,
  ...jobRequirements,
  ...answerRequirements,
  ...beyondRequirements,
  ...sourceRequirements,
  ...settingRequirements,
  ...modelRequirements,
]

/** The last implemented part: every requirement up to this part must have a test. */
export const BUILT_PART = 7
