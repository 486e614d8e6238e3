import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RecollectError } from '../client/client-errors.ts'
import { ApiError, invalid } from '../errors.ts'
import { describeFailure } from './failures.ts'

const remedy = 'Correct it and try again.'

function refused(message: string, details: { param: string; message: string }[]): RecollectError {
  return new RecollectError(message, { status: 400, code: 'validation_failed', remedy, details })
}

describe('describeFailure', () => {
  it('says a field that is wrong once, and then what to do', () => {
    const error = refused('topK must be a number', [{ param: 'topK', message: 'must be a number' }])
    assert.equal(describeFailure(error), `topK must be a number. ${remedy}`)
  })

  it('says a field that is wrong here as a sentence, too', () => {
    assert.equal(describeFailure(invalid('name', 'must not be blank')), `name must not be blank. ${remedy}`)
  })

  it('names a command where the service names an endpoint', () => {
    const { message, remedy } = new ApiError('job_not_found')
    const answered = new RecollectError(message, { status: 404, code: 'job_not_found', remedy })
    for (const error of [answered, new ApiError('job_not_found')]) {
      assert.equal(describeFailure(error), 'Job not found. List the jobs with: recollect jobs list.')
    }
  })

  it('names below it each further field that is wrong', () => {
    const details = [
      { param: 'topK', message: 'must be a number' },
      { param: 'query', message: 'is required' },
    ]
    assert.equal(
      describeFailure(refused('topK must be a number', details)),
      `topK must be a number. ${remedy}\n  query is required`,
    )
  })
})
