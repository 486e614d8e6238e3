import type { Client } from '../client/client.ts'

/** Name of the sample memory, which identifies it. */
export const SAMPLE_NAME = 'Sample: Seabrook Sailing Club'

/** Creates a memory with a few sample documents and returns its ID. */
export async function makeSampleMemory(client: Client): Promise<string> {
  const { id } = await client.memories.create({
    name: SAMPLE_NAME,
    description:
      'Sample data: a handbook, a price list and minutes of a meeting. You can delete this memory at any time.',
  })
  await client.documents.addTexts(id, SAMPLE_DOCUMENTS)
  await client.corrections.add(id, {
    statement: 'Since May the boat house closes at 21:00, not at 20:00.',
    topics: ['boat house', 'closing time', 'opening hours'],
  })
  return id
}

/** Documents of the sample memory, about a fictional club. */
export const SAMPLE_DOCUMENTS = [
  {
    externalId: 'handbook',
    title: 'Club handbook',
    tags: ['handbook'],
    text: [
      '# Welcome aboard',
      '',
      'The Seabrook Sailing Club was founded by eleven neighbours who shared a single dinghy. Today it ' +
        'has 240 members, fourteen boats and a boat house with a workshop.',
      '',
      '# Opening hours',
      '',
      'The boat house is open from 7:00 to 20:00 from April to October, and from 9:00 to 16:00 in ' +
        'winter. The code of the door changes on the first of every month and is sent by mail.',
      '',
      '# Booking a boat',
      '',
      'Boats are booked on the board beside the slipway, at most two weeks ahead and for four hours at ' +
        'a time. A booking expires when its crew is fifteen minutes late. Beginners sail with a mentor ' +
        'until they have passed the harbour test.',
      '',
      '# Safety',
      '',
      'Everybody on the water wears a life jacket. No boat leaves the harbour when the wind reaches ' +
        'six Beaufort, when fog hides the outer buoy, or after sunset without lights. In an emergency ' +
        'call the harbour master first: channel 12, or 0555 0142. Accidents are written into the log on ' +
        'the same day.',
      '',
      '# Repairs',
      '',
      'Damage is reported on the red card that hangs in every boat. The workshop crew meets on ' +
        'Thursdays at 18:00. Parts up to 80 euros may be bought without asking; above that the ' +
        'treasurer, Imke Sommer, has to agree.',
    ].join('\n'),
  },
  {
    externalId: 'prices',
    title: 'Prices and fees',
    tags: ['prices'],
    text: [
      '# Membership',
      '',
      '| Membership | Yearly fee | Includes |',
      '| --- | --- | --- |',
      '| Adult | 190 euros | all boats |',
      '| Family | 310 euros | all boats, two lockers |',
      '| Student | 75 euros | dinghies |',
      '| Supporter | 40 euros | the newsletter |',
      '',
      'Fees are due on 1 March. New members pay half after 1 August.',
      '',
      '# Berths',
      '',
      'A berth for a private boat costs 32 euros a metre and year. Winter storage in the hall is ' +
        '150 euros and has to be ordered before 15 September.',
    ].join('\n'),
  },
  {
    externalId: 'minutes',
    title: 'Minutes of the spring meeting',
    tags: ['minutes'],
    text: [
      '# Minutes of the spring meeting',
      '',
      'Present were 61 members; Ruben Falk took the chair.',
      '',
      '# A new rescue boat',
      '',
      'The rescue boat is nineteen years old and its engine needs more oil than petrol. The meeting ' +
        'voted, 54 to 3 with 4 abstentions, for a new one at no more than 23,500 euros. Jonna Berg asks ' +
        'three yards for an offer until the end of June.',
      '',
      '# Regatta',
      '',
      'The summer regatta is on 18 July. The course leads around the lighthouse and back; the start is ' +
        'at 10:30. Everybody who helps at the buoys gets a free supper.',
      '',
      '# Other matters',
      '',
      'The heating of the changing room will be mended before autumn. Dogs stay welcome in the club ' +
        'house but not on the slipway.',
    ].join('\n'),
  },
]

/** Known questions for the sample memory, from `examples/sample-questions.jsonl`. */
export const SAMPLE_QUESTIONS = `{"query":"When does the boat house open in winter?","externalIds":["handbook"]}
{"query":"Who has to agree when a part costs more than 80 euros?","externalIds":["handbook"]}
{"query":"How far ahead can I reserve a dinghy?","externalIds":["handbook"]}
{"query":"May I go out in strong wind?","externalIds":["handbook"]}
{"query":"What does a student pay a year?","externalIds":["prices"]}
{"query":"Where can my boat stay over the winter, and for how much?","externalIds":["prices"]}
{"query":"When is the regatta?","externalIds":["minutes"]}
{"query":"Why do we need another rescue boat?","externalIds":["minutes"]}
{"query":"Can I bring my dog?","externalIds":["minutes"]}
`

/**
 * Example queries that work well without a language model. The correction of the sample answers the
 * last one.
 */
export const SAMPLE_QUERIES = [
  'When is the regatta?',
  'Why do we need another rescue boat?',
  'Until when is the boat house open?',
]
