/** Questions for the sample memory, of which we know where they are answered: `examples/sample-questions.jsonl`. */
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

/** Questions to begin with, which find and answer well without a language model; the last one is answered by the sample's correction. */
export const SAMPLE_QUERIES = [
  'When is the regatta?',
  'Why do we need another rescue boat?',
  'Until when is the boat house open?',
]
