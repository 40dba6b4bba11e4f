import { z } from 'zod/mini';

const answer = z.object({ data: z.object({ currencies: z.object({ data: z.array(z.string()) }) }) });

/** The currencies in an answer. Throws where it has none. */
export function readCurrencies(body: unknown): readonly string[] {
  return answer.parse(body).data.currencies.data;
}
