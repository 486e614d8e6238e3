import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMembers } from './describe-members.ts'

function member(filename: string, status: string, message: string | null = null) {
  return { filename, status, message }
}

test('names members that were not added, with their reasons', () => {
  const members = [
    member('a.txt', 'ready'),
    member('b.exe', 'unsupported', 'The file type is not supported: Windows executable.'),
    member('folder', 'skipped', 'A folder.'),
    member('c.txt', 'failed', 'The file is damaged.'),
  ]
  assert.equal(
    describeMembers(members),
    '2 of 4 members were not added. b.exe: The file type is not supported: Windows executable. c.txt: The file is damaged.',
  )
})

test('counts members beyond the first, and says nothing about complete archives', () => {
  const many = Array.from({ length: 8 }, (_, index) => member(`${index}.txt`, 'failed', 'Damaged.'))
  assert.match(describeMembers(many) ?? '', /4\.txt: Damaged\. 3 more\.$/)
  assert.equal(describeMembers([member('a.txt', 'ready'), member('folder', 'skipped')]), null)
  assert.equal(describeMembers(undefined), null)
})
