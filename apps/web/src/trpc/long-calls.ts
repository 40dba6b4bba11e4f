import type { AppRouter } from '@switchyard/api/trpc';
import { httpBatchStreamLink, type TRPCLink } from '@trpc/client';
import superjson from 'superjson';
import * as z from 'zod/mini';

const TIMEOUT_MS = 180_000;

/** The link of calls that take long: each has a request of its own, and its answer comes in parts as it is made. */
export function longCallsLink(url: string): TRPCLink<AppRouter> {
  return httpBatchStreamLink({
    url,
    transformer: superjson,
    // Files fill a request each.
    maxItems: 1,
    fetch: async (request, options) => streamed(await fetch(request, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) })),
  });
}

/** The answer, if it is a stream. Else throws its refusal: the call was refused before any procedure began. */
async function streamed(response: Response): Promise<Response> {
  if (response.ok) return response;
  const said = refusal.safeParse(await response.json().catch(() => null));
  throw new Error(said.data ?? 'The server could not answer. Try again.');
}

/** Refusals of the server, of what is before it, and of the procedures' own router. */
const refusal = z.union([
  z.pipe(
    z.looseObject({ message: z.string() }),
    z.transform(({ message }) => message),
  ),
  z.pipe(
    z.tuple([z.object({ error: z.object({ json: z.object({ message: z.string() }) }) })]),
    z.transform(([{ error }]) => error.json.message),
  ),
]);
