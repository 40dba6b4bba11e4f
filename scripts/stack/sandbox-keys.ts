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

const ANSWER_MS = 5_000;

/**
 * Tells the sandbox the gateway accounts of the demo merchants and where each wants its webhooks, as a merchant would on the
 * gateway's own dashboard. The seed leaves them beside the demo file.
 */
export async function registerSandboxKeys(demoFile: string, sandboxUrl: string): Promise<void> {
  const keys = keysSchema.parse(JSON.parse(readFileSync(join(dirname(demoFile), 'sandbox-keys.json'), 'utf8')));
  for (const { gateway, ...registration } of keys) {
    const response = await fetch(new URL(`/control/${gateway}/keys`, sandboxUrl), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(registration),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!response.ok) throw new Problem(`The sandbox did not take the demo account at ${gateway}.`, [await response.text()]);
  }
}
