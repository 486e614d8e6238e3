/**
 * Calls the examples for LangChain.js and the AI SDK, from the folder with their packages. Prints
 * the results as JSON.
 */
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createFindTool } from './ai-sdk-tool.mjs'
import { RecollectRetriever } from './langchain-retriever.mjs'

const [url, apiKey, memoryId] = process.argv.slice(2)
const QUESTION = 'When are refunds paid?'

const retriever = new RecollectRetriever({ url, apiKey, memoryId })
const [document] = await retriever.invoke(QUESTION)
const stranger = new RecollectRetriever({ url, apiKey: 'wrong', memoryId })
const refused = await stranger.invoke(QUESTION).catch((error) => error.message)

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const call = { type: 'tool-call', toolCallId: '1', toolName: 'find', input: JSON.stringify({ query: QUESTION }) }
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const isTold = prompt.some(({ role }) => role === 'tool')
    const content = isTold ? [{ type: 'text', text: 'told' }] : [call]
    return { content, finishReason: { unified: isTold ? 'stop' : 'tool-calls' }, usage, warnings: [] }
  },
})
const tools = { find: createFindTool({ url, apiKey, memoryId }) }
const { text, steps } = await generateText({ model, tools, prompt: QUESTION, stopWhen: stepCountIs(2) })
const [found] = steps[0].toolResults[0].output

console.log(
  JSON.stringify({
    langchain: [document.pageContent, document.metadata.title],
    refused,
    aiSdk: [text, found.text, found.title],
  }),
)
