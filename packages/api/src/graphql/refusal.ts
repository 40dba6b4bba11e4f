/** Headers of every answer: it is for the caller alone, and is JSON only. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** An answer to a request that gets no further, in the shape of a GraphQL answer. */
export function refusal(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ errors: [{ message, extensions: { code } }] }, { status, headers: { ...headers, ...PRIVATE_HEADERS } });
}
