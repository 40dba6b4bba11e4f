import type { APIRequestContext } from '@playwright/test';
import { z } from 'zod';
import type { Fault, GatewayName } from '../../harness/gateways.ts';

export type { GatewayName };
export const GATEWAYS = ['paystack', 'flutterwave'] as const;

const transactionSchema = z.object({
  reference: z.string(),
  status: z.string(),
  paid: z.boolean(),
  calls: z.array(z.object({ method: z.string(), path: z.string(), status: z.number().nullable() })),
  webhooks: z.array(
    z.object({
      state: z.enum(['pending', 'delivered', 'given_up', 'suppressed', 'no_url']),
      forged: z.boolean(),
      attempts: z.array(z.object({ at: z.string(), status: z.number().nullable() })),
    }),
  ),
});
/** What a gateway holds under one reference, with the calls it got about it and the webhooks it sent. */
export type Transaction = z.output<typeof transactionSchema>;

/** The hand on the switches of the sandbox's gateways. */
export interface GatewayControl {
  /** Gives a gateway its one trouble, in place of any before. */
  trouble(gateway: GatewayName, kind: Fault): Promise<void>;
  heal(gateway: GatewayName): Promise<void>;
  transaction(gateway: GatewayName, reference: string): Promise<Transaction>;
  /** The customer pays in full without the page, in the app of their bank for example. */
  payElsewhere(gateway: GatewayName, reference: string): Promise<void>;
}

export function gatewayControl(sandboxUrl: string, request: APIRequestContext): GatewayControl {
  async function control(method: string, path: string, data?: object): Promise<unknown> {
    const answer = await request.fetch(`${sandboxUrl}/control/${path}`, { method, ...(data && { data }) });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  }

  return {
    async trouble(gateway, kind) {
      await control('PUT', `${gateway}/fault`, { kind });
    },
    async heal(gateway) {
      await control('DELETE', `${gateway}/fault`);
    },
    async transaction(gateway, reference) {
      const answer = await control('GET', `${gateway}/transactions/${reference}`);
      return z.object({ transaction: transactionSchema }).parse(answer).transaction;
    },
    async payElsewhere(gateway, reference) {
      await control('POST', `${gateway}/transactions/${reference}/settle`, { outcome: 'success' });
    },
  };
}

/** Calls that asked what became of a transaction. */
export function questionsIn({ calls }: Transaction): number {
  return calls.filter(({ method, path }) => method === 'GET' && path.includes('verify')).length;
}
