import type { PlainResponse } from '../http/plain.ts';

/** Headers of every answer: what it tells is for whoever asked, and is JSON only. */
export const FOR_NOBODY_ELSE = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** An answer to a request that gets no further, in the shape of a GraphQL answer. */
export function refusal(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): PlainResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers, ...FOR_NOBODY_ELSE },
    body: JSON.stringify({ errors: [{ message, extensions: { code } }] }),
  };
}
