import { startSandbox } from '@switchyard/sandbox';
import { z } from 'zod';
import { sandboxControl } from './sandbox-control.ts';

export const GATEWAYS = ['paystack', 'flutterwave'] as const;
export type GatewayName = (typeof GATEWAYS)[number];

/** The faults a simulator can be given. */
export type Fault =
  | 'down'
  | 'slow'
  | 'hang'
  | 'http_500'
  | 'html_502'
  | 'broken_json'
  | 'huge_body'
  | 'timeout_after_create'
  | 'invalid_key'
  | 'rate_limited'
  | 'duplicate_webhook'
  | 'webhook_before_redirect'
  | 'forged_webhook'
  | 'no_webhook'
  | 'underpaid'
  | 'overpaid';

const callSchema = z.object({
  at: z.string(),
  method: z.string(),
  path: z.string(),
  reference: z.string().nullable(),
  status: z.number().nullable(),
});
const webhookSchema = z.object({
  event: z.string(),
  reference: z.string(),
  state: z.enum(['pending', 'delivered', 'given_up', 'suppressed', 'no_url']),
  forged: z.boolean(),
  attempts: z.array(z.object({ status: z.number().nullable() })),
});
const transactionSchema = z.object({
  reference: z.string(),
  amount: z.number(),
  unit: z.enum(['kobo', 'naira']),
  paid: z.boolean(),
  transactionId: z.number().nullable(),
  redirectUrl: z.string().nullable(),
  createdAt: z.string(),
});
const refundSchema = z.object({
  id: z.number(),
  reference: z.string().nullable(),
  amount: z.number(),
  status: z.string(),
  merchantNote: z.string().nullable(),
});
const journalSchema = z.object({
  refunds: z.array(refundSchema),
  transactions: z.array(transactionSchema),
  calls: z.array(callSchema),
  webhooks: z.array(webhookSchema),
});
export type Journal = z.output<typeof journalSchema>;

/** The gateways' simulators: real servers with hosted pages, webhooks and faults. */
export interface Gateways {
  /** What an account's `baseUrl` must be to reach the simulator. */
  readonly baseUrls: Readonly<Record<GatewayName, string>>;
  register(
    gateway: GatewayName,
    account: { secretKey: string; webhookUrl: string; webhookSecretHash: string | null; refundWebhooks?: boolean },
  ): Promise<void>;
  setFault(gateway: GatewayName, fault: Fault, latencyMs?: number): Promise<void>;
  /** Ends the faults of every gateway. */
  heal(): Promise<void>;
  /** Acts as the customer. `amount` is in the gateway's own unit. */
  settle(gateway: GatewayName, reference: string, outcome: 'success' | 'failed' | 'abandoned', amount?: number): Promise<void>;
  journal(gateway: GatewayName, reference?: string): Promise<Journal>;
  /** Changes the gateway's own ledger without a webhook: `transactions`, `refunds/<id>/alter`, … */
  amend(gateway: GatewayName, path: string, body: object): Promise<unknown>;
  /** The accounts registered at the gateway, keys masked. */
  accounts(gateway: GatewayName): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the simulators on free ports. */
export async function startGateways(): Promise<Gateways> {
  const sandbox = await startSandbox({
    port: 0,
    ports: { paystack: 0, flutterwave: 0 },
    webhookDelayMs: 20,
    webhookRetryMs: [50, 100, 200],
  });

  const control = sandboxControl(sandbox.controlUrl);

  return {
    baseUrls: { paystack: sandbox.gateways.paystack, flutterwave: `${sandbox.gateways.flutterwave}/v3` },
    async register(gateway, account) {
      await control('PUT', `${gateway}/keys`, account);
    },
    async setFault(gateway, kind, latencyMs) {
      await control('PUT', `${gateway}/fault`, { kind, ...(latencyMs !== undefined && { latencyMs }) });
    },
    async heal() {
      for (const gateway of GATEWAYS) await control('DELETE', `${gateway}/fault`);
    },
    async settle(gateway, reference, outcome, amount) {
      await control('POST', `${gateway}/transactions/${reference}/settle`, { outcome, ...(amount !== undefined && { amount }) });
    },
    async journal(gateway, reference) {
      const query = reference === undefined ? '' : `?reference=${reference}`;
      return journalSchema.parse(await control('GET', `${gateway}/journal${query}`));
    },
    accounts: (gateway) => control('GET', `${gateway}/keys`),
    amend: (gateway, path, body) => control('POST', `${gateway}/${path}`, body),
    close: () => sandbox.close(),
  };
}
