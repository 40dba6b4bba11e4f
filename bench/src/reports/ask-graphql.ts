import { z } from 'zod';

const answerSchema = z.object({ data: z.unknown().optional(), errors: z.array(z.object({ message: z.string() })).optional() });

/** Asks a GraphQL server over HTTP; throws with what it says went wrong. */
export async function askGraphql(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const { data, errors } = answerSchema.parse(await response.json());
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '));
  return data;
}
