import { startSandbox, type Timing } from '@switchyard/sandbox';
import { z } from 'zod';
import {
  announcesPayouts,
  type GatewayName,
  type Gateways,
  type Journal,
  journalSchema,
  type RegisteredAccount,
  sandboxControl,
  unitsPerNaira,
} from '../../harness/gateways.ts';
import type { Forgery, GatewayCall, GatewayNotice, StatementEntry } from '../checker/observations.ts';
import type { GatewayFault } from '../plan/faults.ts';
import { type GatewayQuirks, PLAIN_QUIRKS } from '../plan/quirks.ts';

/** The gateways' simulators, with faults and their statements. */
export interface Simulators extends Pick<Gateways, 'baseUrlOf'> {
  /** Registers an account as its merchant has set it up there. */
  register(gateway: GatewayName, account: RegisteredAccount, quirks?: GatewayQuirks): Promise<void>;
  /** Begins a fault, in the place of the one the gateway has. The result ends it, unless another has taken its place. */
  begin(gateway: GatewayName, kind: GatewayFault, how: FaultDraws): Promise<() => Promise<void>>;
  /** Acts as a customer at the checkout that is open under a reference. False when none was open or it took no payment. */
  settle(gateway: GatewayName, reference: string, amount: number | null): Promise<boolean>;
  /** Changes a checkout in the gateway's ledger, without a webhook. */
  alter(gateway: GatewayName, reference: string, changes: CheckoutChanges): Promise<void>;
  /** Takes all that was paid under a reference back. False where the gateway does not, or nothing is left. */
  reverse(gateway: GatewayName, reference: string): Promise<boolean>;
  /** Opens a dispute of a paid transaction, or decides the open one. False where the gateway has none. */
  dispute(gateway: GatewayName, reference: string, decision: 'lost' | 'won' | null): Promise<boolean>;
  /** Pays out what was paid so far, without the line of the payment under a reference. False where no account of ours would hear of it. */
  payOut(gateway: GatewayName, leavesOut: string): Promise<boolean>;
  /** Takes a payment for another system of the merchant's, on the same account of ours. */
  payElsewhere(
    gateway: GatewayName,
    accountId: string,
    money: { readonly reference: string; readonly naira: number },
  ): Promise<void>;
  readStatements(): Promise<Statements>;
  close(): Promise<void>;
}

interface CheckoutChanges {
  /** Amount that was paid. */
  readonly naira?: number;
  readonly currency?: string;
  readonly status?: 'success' | 'abandoned';
  /** True if it is in no answer. */
  readonly hidden?: boolean;
  /** True if it is in lists alone. */
  readonly listedOnly?: boolean;
}

interface FaultDraws {
  readonly seed: number;
  /** How likely each occasion is hit, where it is not as likely as usual. */
  readonly probability?: number;
}

interface Statements {
  readonly entries: readonly StatementEntry[];
  readonly calls: readonly GatewayCall[];
  readonly forgeries: readonly Forgery[];
  readonly notices: readonly GatewayNotice[];
  /** How often faults of calls struck, by kind. */
  readonly struck: Readonly<Record<string, number>>;
}

/** How likely each occasion is hit. What takes much of the machine's time is rare. */
const PROBABILITIES: Readonly<Partial<Record<GatewayFault, number>>> = {
  slow: 0.6,
  hang: 0.4,
  http_500: 0.7,
  html_502: 0.7,
  broken_json: 0.6,
  huge_body: 0.03,
  timeout_after_create: 0.7,
  invalid_key: 0.5,
  rate_limited: 0.6,
  no_webhook: 0.8,
  underpaid: 0.4,
  overpaid: 0.4,
};
const LATENCIES_MS: Readonly<Partial<Record<GatewayFault, number>>> = { slow: 3_000, rate_limited: 1_000 };

const registeredSchema = z.object({ account: z.string() });

/** Starts the simulators on a clock, in milliseconds. Statements are those of `gateways`. */
export async function startSimulators(now: () => number, gateways: readonly GatewayName[], timing: Timing): Promise<Simulators> {
  const sandbox = await startSandbox({
    port: 0,
    separatePorts: true,
    webhookDelayMs: 30,
    webhookRetryMs: [300, 1_000, 3_000, 8_000, 20_000],
    webhookTimeoutMs: 6_000,
    timing,
    limits: { transactions: 1_000_000, calls: 2_000_000, webhooks: 1_000_000 },
    now,
  });
  const control = sandboxControl(sandbox.controlUrl);
  // The simulators number their accounts; our account id is the last part of the webhook address.
  const accounts = new Map<string, string>();
  const accountIdOf = (gateway: GatewayName, account: string): string => accounts.get(`${gateway} ${account}`) ?? account;

  /** Gateways without our webhook address. */
  const unheard = new Set<GatewayName>();
  const present = new Map<GatewayName, object>();
  const isTaken = (...call: Parameters<typeof control>): Promise<boolean> =>
    control(...call).then(
      () => true,
      () => false,
    );

  return {
    baseUrlOf: (gateway) => sandbox.baseUrls[gateway],
    async register(gateway, account, { webhooks, refundWebhooks } = PLAIN_QUIRKS) {
      const webhookUrl = webhooks ? account.webhookUrl : null;
      if (!webhooks) unheard.add(gateway);
      const registered = registeredSchema.parse(
        await control('PUT', `${gateway}/keys`, { ...account, webhookUrl, refundWebhooks }),
      );
      accounts.set(`${gateway} ${registered.account}`, account.webhookUrl.split('/').at(-1) ?? '');
    },
    async begin(gateway, kind, { seed, probability = PROBABILITIES[kind] }) {
      const fault = { kind, seed, probability, latencyMs: LATENCIES_MS[kind] };
      present.set(gateway, fault);
      await control('PUT', `${gateway}/fault`, fault);
      return async () => {
        if (present.get(gateway) === fault) await control('DELETE', `${gateway}/fault`);
      };
    },
    async settle(gateway, reference, amount) {
      const body = { outcome: 'success', ...(amount !== null && { amount: amount * unitsPerNaira(gateway) }) };
      return isTaken('POST', `${gateway}/transactions/${reference}/settle`, body);
    },
    async alter(gateway, reference, { naira, ...changes }) {
      const amount = naira === undefined ? {} : { amount: naira * unitsPerNaira(gateway) };
      await control('POST', `${gateway}/transactions/${reference}/alter`, { ...changes, ...amount });
    },
    reverse: (gateway, reference) => isTaken('POST', `${gateway}/transactions/${reference}/reverse`, {}),
    dispute(gateway, reference, decision) {
      const resolution = decision === null ? undefined : decision === 'lost' ? 'auto-accepted' : 'declined';
      return isTaken('POST', `${gateway}/transactions/${reference}/dispute`, { resolution });
    },
    async payOut(gateway, leavesOut) {
      if (announcesPayouts(gateway) && unheard.has(gateway)) return false;
      return isTaken('POST', `${gateway}/settlements`, { faults: [{ kind: 'missing_settlement_line', reference: leavesOut }] });
    },
    async payElsewhere(gateway, accountId, { reference, naira }) {
      const known = [...accounts].find(([name, id]) => id === accountId && name.startsWith(`${gateway} `));
      const account = known?.[0].split(' ')[1];
      await control('POST', `${gateway}/transactions`, { reference, amount: naira * unitsPerNaira(gateway), account });
    },
    async readStatements() {
      const journals = [];
      for (const gateway of gateways) {
        const journal = journalSchema.parse(await control('GET', `${gateway}/journal`));
        journals.push({ gateway, journal });
      }
      return {
        entries: journals.flatMap(({ gateway, journal }) => entriesOf(gateway, journal, accountIdOf)),
        calls: journals.flatMap(({ gateway, journal }) => callsOf(gateway, journal, accountIdOf)),
        forgeries: journals.flatMap(({ gateway, journal }) => forgeriesOf(gateway, journal)),
        notices: journals.flatMap(({ gateway, journal }) => noticesOf(gateway, journal)),
        struck: countBy(journals.flatMap(({ journal }) => journal.calls.flatMap(({ fault }) => fault ?? []))),
      };
    },
    close: () => sandbox.close(),
  };
}

type AccountIdOf = (gateway: GatewayName, account: string) => string;

function entriesOf(gateway: GatewayName, { transactions }: Journal, accountIdOf: AccountIdOf): StatementEntry[] {
  const hundredths = (amount: number): number => Math.round((amount * 100) / unitsPerNaira(gateway));
  return transactions.map((entry) => ({
    gateway,
    accountId: accountIdOf(gateway, entry.account),
    reference: entry.reference,
    requested: hundredths(entry.amount),
    currency: entry.currency,
    transactionId: entry.transactionId === null ? null : String(entry.transactionId),
    paid: entry.amountPaid === null ? null : hundredths(entry.amountPaid),
    paidAt: entry.paidAt === null ? null : Date.parse(entry.paidAt),
    fee: entry.fee === null ? null : hundredths(entry.fee),
    reversed: hundredths(entry.reversed),
    disputes: entry.disputes.map(({ resolution }) => (resolution === null ? 'open' : resolution === 'declined' ? 'won' : 'lost')),
    refunds: entry.refunds.map(({ id, amount, status, merchantReference, merchantNote }) => ({
      id: String(id),
      words: [...(merchantReference === null ? [] : [merchantReference]), ...(merchantNote?.split(/\s+/) ?? [])],
      amount: hundredths(amount),
      status: status === 'failed' ? 'failed' : status === 'processed' ? 'paid_out' : 'pending',
    })),
  }));
}

function callsOf(gateway: GatewayName, { calls }: Journal, accountIdOf: AccountIdOf): GatewayCall[] {
  return calls.flatMap(({ at, account, reference, method, path, status, fault }) => {
    if (reference === null) return [];
    const accountId = account === null ? null : accountIdOf(gateway, account);
    const answered = status !== null && (fault === null || fault === 'slow');
    const what = `${path}: ${status ?? 'no answer'}${fault === null ? '' : `, fault ${fault}`}`;
    return [{ gateway, accountId, reference, method, what, at: Date.parse(at), answered }];
  });
}

function forgeriesOf(gateway: GatewayName, { webhooks }: Journal): Forgery[] {
  return webhooks.flatMap(({ event, reference, forged, attempts }) =>
    forged ? attempts.map(({ status }) => ({ gateway, event, reference, httpStatus: status })) : [],
  );
}

function noticesOf(gateway: GatewayName, { webhooks }: Journal): GatewayNotice[] {
  return webhooks.map(({ event, reference, forged, attempts }) => {
    const tries = attempts.map(({ at, status }) => ({ at: Date.parse(at), httpStatus: status }));
    return { gateway, event, reference, forged, tries };
  });
}

/** How often each name is in a list. */
export function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
