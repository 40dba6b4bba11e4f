/** Headers of every response: private to the caller, and JSON only. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** A refused request, in the shape of a GraphQL response. */
export function refusal(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ errors: [{ message, extensions: { code } }] }, { status, headers: { ...headers, ...PRIVATE_HEADERS } });
}
