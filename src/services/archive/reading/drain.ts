/** Reads what nobody wants to its end, so that what stands behind it can be read. */
export async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}
