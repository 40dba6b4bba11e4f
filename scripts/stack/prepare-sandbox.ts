import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Problem } from './problem.ts';

const keysSchema = z.array(
  z.object({
    gateway: z.string(),
    secretKey: z.string(),
    webhookUrl: z.url(),
    webhookSecretHash: z.string().nullable(),
  }),
);
const historySchema = z.array(z.object({ gateway: z.string(), secretKey: z.string(), transactions: z.array(z.unknown()) }));

const ANSWER_MS = 20_000;
/** Keeps a body well below the megabyte that the sandbox takes. */
const TRANSACTIONS_AT_ONCE = 1_500;

/**
 * Sends the sandbox what the seed wrote beside the demo file: the demo merchants' accounts with their webhook addresses, as a
 * merchant enters them on the gateway's dashboard, and their past payments. Records the sandbox already has stay as they are.
 */
export async function prepareSandbox(demoFile: string, sandboxUrl: string): Promise<void> {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(dirname(demoFile), name), 'utf8'));
  for (const { gateway, ...registration } of keysSchema.parse(read('sandbox-keys.json'))) {
    await put(sandboxUrl, gateway, 'keys', registration);
  }
  for (const { gateway, secretKey, transactions } of historySchema.parse(read('sandbox-history.json'))) {
    for (let from = 0; from < transactions.length; from += TRANSACTIONS_AT_ONCE) {
      const some = transactions.slice(from, from + TRANSACTIONS_AT_ONCE);
      await put(sandboxUrl, gateway, 'history', { secretKey, transactions: some });
    }
  }
}

async function put(sandboxUrl: string, gateway: string, what: 'keys' | 'history', body: object): Promise<void> {
  const response = await fetch(new URL(`/control/${gateway}/${what}`, sandboxUrl), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.text();
  if (!response.ok) throw new Problem(`The sandbox did not take the ${what} of the demo at ${gateway}.`, [answer]);
}
