import { z } from 'zod';
import { type ChangeHints, listenForHints } from './change-hints.ts';
import type { Database } from './connect.ts';
import type { Wake } from './job-payloads.ts';

const wakeSchema: z.ZodType<Wake> = z.discriminatedUnion('name', [
  z.object({ name: z.literal('follow-webhooks'), payload: z.object({ merchantId: z.uuid() }) }),
  z.object({ name: z.literal('deliver-events'), payload: z.object({ merchantId: z.uuid(), endpointId: z.uuid() }) }),
]);

/** Where the wakes of all processes go, and the report of errors: one for each outage of the connection. */
export interface WakeOptions {
  readonly onWake: (wake: Wake) => void;
  readonly onError: (error: unknown) => void;
}

/** Listens to the wakes of {@link hintWorkers}. They may be lost at any time: a listener also looks through the rows. */
export function listenForWakes(database: Database, { onWake, onError }: WakeOptions): ChangeHints {
  const url = database.pool.options.connectionString;
  if (url === undefined) throw new Error('a database without an address cannot be listened to');
  return listenForHints({ url, channel: 'work', onHint: (payload) => payload !== null && receive(payload), onError });

  function receive(payload: string): void {
    const parsed = wakeSchema.safeParse(parseJson(payload));
    if (parsed.success) onWake(parsed.data);
    else onError(new Error(`a wake that is none: ${payload}`));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
