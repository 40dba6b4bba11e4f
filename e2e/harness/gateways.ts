import { type FaultKind, type GatewayName, gatewayNames, simulators, startSandbox } from '@switchyard/sandbox';
import { z } from 'zod';

export type { GatewayName };
export type Fault = FaultKind;

/** Every gateway, from the registry of the simulators. */
export const GATEWAYS = gatewayNames;

/**
 * The gateways of a test merchant unless it says otherwise, and those of suites that spell out what a gateway sends. They differ in
 * what matters most: the unit of amounts, what an unknown reference means, and whether a signature covers the body.
 */
export const PAIR = ['paystack', 'flutterwave'] as const satisfies readonly GatewayName[];
export type PairName = (typeof PAIR)[number];

/** The other one of the pair; for any further gateway, the first. */
export function otherThan(gateway: GatewayName): PairName {
  return gateway === PAIR[0] ? PAIR[1] : PAIR[0];
}

/** Units of the gateway's amounts in a naira. */
export function unitsPerNaira(gateway: GatewayName): number {
  return simulators[gateway].unitsPerMain;
}

/** True if the gateway announces its payouts by webhook and gives no list of them. */
export function announcesPayouts(gateway: GatewayName): boolean {
  return simulators[gateway].settlementEvent !== undefined;
}

const callSchema = z.object({
  at: z.string(),
  /** The simulator's name of the account; null for a call that names none. */
  account: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  reference: z.string().nullable(),
  status: z.number().nullable(),
  /** The fault that struck it. */
  fault: z.string().nullable(),
});
const webhookSchema = z.object({
  event: z.string(),
  reference: z.string(),
  state: z.enum(['pending', 'delivered', 'given_up', 'suppressed', 'no_url']),
  forged: z.boolean(),
  attempts: z.array(z.object({ at: z.string(), status: z.number().nullable() })),
});
const transactionSchema = z.object({
  reference: z.string(),
  account: z.string(),
  amount: z.number(),
  unit: z.enum(['kobo', 'naira']),
  currency: z.string(),
  paid: z.boolean(),
  amountPaid: z.number().nullable(),
  paidAt: z.string().nullable(),
  transactionId: z.union([z.number(), z.string()]).nullable(),
  redirectUrl: z.string().nullable(),
  createdAt: z.string(),
  /** By the gateway's price list; null while it is not paid, and where look-ups name none. */
  fee: z.number().nullable(),
  /** Amount that the gateway took back, apart from refunds. */
  reversed: z.number(),
  disputes: z.array(z.object({ resolution: z.string().nullable() })),
  refunds: z.array(
    z.object({
      id: z.number(),
      amount: z.number(),
      status: z.string(),
      merchantReference: z.string().nullable(),
      merchantNote: z.string().nullable(),
    }),
  ),
});
const refundSchema = z.object({
  id: z.number(),
  reference: z.string().nullable(),
  amount: z.number(),
  status: z.string(),
  merchantNote: z.string().nullable(),
});
export const journalSchema = z.object({
  refunds: z.array(refundSchema),
  transactions: z.array(transactionSchema),
  calls: z.array(callSchema),
  webhooks: z.array(webhookSchema),
});
export type Journal = z.output<typeof journalSchema>;

/** The credentials of an account by their names, beside the settings of its webhooks. */
export interface RegisteredAccount {
  readonly webhookUrl: string;
  readonly refundWebhooks?: boolean;
  readonly [credential: string]: string | boolean | undefined;
}

/** The gateways' simulators: real servers with hosted pages, webhooks and faults. */
export interface Gateways {
  /** The `baseUrl` by which an account reaches the simulator. */
  baseUrlOf(gateway: GatewayName): string;
  /** Registers an account, or changes it: its credentials beside where its webhooks go. */
  register(gateway: GatewayName, account: RegisteredAccount): Promise<void>;
  setFault(gateway: GatewayName, fault: Fault, latencyMs?: number): Promise<void>;
  /** The gateway answers HTTP 500 to calls that create something, and to all others as always. */
  failCreating(gateway: GatewayName): Promise<void>;
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

/** A refund ends when the test says so: by itself it would end meanwhile on a busy machine. */
const NEVER_MS = 3_600_000;

/** Starts the simulators on free ports, each on its own, so that connections to one that is down are refused. */
export async function startGateways(): Promise<Gateways> {
  const sandbox = await startSandbox({
    port: 0,
    separatePorts: true,
    webhookDelayMs: 20,
    refundDelayMs: NEVER_MS,
    webhookRetryMs: [50, 100, 200],
  });

  const control = sandboxControl(sandbox.controlUrl);

  return {
    baseUrlOf: (gateway) => sandbox.baseUrls[gateway],
    async register(gateway, account) {
      await control('PUT', `${gateway}/keys`, account);
    },
    async setFault(gateway, kind, latencyMs) {
      await control('PUT', `${gateway}/fault`, { kind, ...(latencyMs !== undefined && { latencyMs }) });
    },
    async failCreating(gateway) {
      await control('PUT', `${gateway}/fault`, { kind: 'http_500', calls: 'creating' });
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

/** Sends one call to the sandbox's control API and gives its JSON; throws on a refusal. */
export type SandboxControl = (method: string, path: string, body?: object) => Promise<unknown>;

export function sandboxControl(controlUrl: string): SandboxControl {
  return async (method, path, body) => {
    const answer = await fetch(`${controlUrl}/control/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const json: unknown = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  };
}
