/** A description of the OpenAPI document, whose backticks mark code. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, position) => {
    const isCode = position % 2 === 1;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text.
    return isCode ? <code key={position}>{part}</code> : part;
  });
}
