import { formatTime } from '../format.ts'
import { Confirmed } from '../parts/confirmed.tsx'
import { Empty } from '../parts/empty.tsx'
import { Form, textOf } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { client } from '../session.ts'
import { useLoad } from '../use-load.ts'

/** The corrections of a memory, and a form for one more. */
export function Corrections({ memoryId }: { memoryId: string }) {
  const { value, error, reload } = useLoad(
    (signal) => client.value.documents.listPage(memoryId, { sourceType: 'correction', limit: 100 }, { signal }),
    [memoryId],
  )
  async function add(fields: FormData) {
    const topics = textOf(fields, 'topics')
      .split(',')
      .map((topic) => topic.trim())
    const statement = textOf(fields, 'statement')
    await client.value.corrections.add(memoryId, { statement, topics: topics.filter(Boolean) })
    reload()
  }
  return (
    <>
      <Form label="Add the correction" action={add}>
        <label>
          What is true now
          <textarea name="statement" rows={2} required placeholder="Since May the office closes at 18:00." />
        </label>
        <label>
          Topics <span class="quiet">(separated by commas; a question that names one brings the correction first)</span>
          <input name="topics" autocomplete="off" />
        </label>
      </Form>
      <Notice error={error} onRetry={reload} />
      {value?.total === 0 && (
        <Empty title="No corrections">
          <p>A correction comes before every document when a question speaks of the same thing.</p>
        </Empty>
      )}
      <ul class="list">
        {value?.documents.map(({ id, correction, createdAt }) => (
          <li key={id}>
            <div>
              <p>{correction?.statement}</p>
              <p class="quiet">
                {correction?.topics.map((topic) => (
                  <span class="tag" key={topic}>
                    {topic}
                  </span>
                ))}{' '}
                boost {correction?.boost} · {formatTime(createdAt)}
              </p>
            </div>
            <Confirmed
              label="Delete"
              title="Delete the correction?"
              warning={`“${correction?.statement}” no longer comes first. This cannot be taken back.`}
              action={async () => {
                await client.value.documents.delete(memoryId, id)
                reload()
              }}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
