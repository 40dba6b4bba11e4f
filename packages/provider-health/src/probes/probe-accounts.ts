import { type Database, unlessUnavailable } from '@switchyard/db';
import type { GatewayAccount } from '@switchyard/db/client';
import type { Outcome } from '@switchyard/gateways';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import type { HealthContext } from '../context.ts';
import { classifyOutcome } from '../monitor/health-ledger.ts';
import type { HealthDetail } from '../monitor/health-series.ts';

const PROBE_TIMEOUT_MS = 5_000;
const CONCURRENT_PROBES = 16;
/** Most probes of a run at one gateway: those in trouble first, then those that wait the longest. */
const PROBES_PER_GATEWAY_MAX = 50;

/** The latest probes by this process, by account. */
export type ProbeState = Map<string, ProbeResult>;

/**
 * Probes accounts by a free call that has no effect, whether payments may go there or not: drained ones, idle ones, those in trouble, and
 * those whose configuration the gateway refuses, each at its pace ({@link probeEveryMs}). A look-up that any process made lately counts as one.
 * A probe looks up the newest attempt at the account, so that a gateway never receives an unknown reference; an account without attempts
 * is not probed, nor one at a gateway whose connector names no free call.
 */
export async function probeAccounts(context: HealthContext, state: ProbeState): Promise<void> {
  const now = context.now().getTime();
  const due = context.resources.configuration.merchants().flatMap(({ accounts, merchant }) => {
    const health = context.health.details(merchant.id);
    return accounts.flatMap((account) => (account.enabled ? (dueProbe(account, health, state.get(account.id), now) ?? []) : []));
  });
  const probed = boundedByGateway(due);
  for (let from = 0; from < probed.length; from += CONCURRENT_PROBES) {
    await Promise.all(
      probed.slice(from, from + CONCURRENT_PROBES).map(async ({ account }) => {
        const outcome = await probe(context, account);
        const answered = outcome !== null && classifyOutcome(outcome).outcome === 'succeeded';
        state.set(account.id, { at: now, answered });
      }),
    );
  }
}

interface DueProbe {
  readonly account: GatewayAccount;
  readonly isTroubled: boolean;
  /** Epoch milliseconds; 0 for never. */
  readonly probedAt: number;
}

function dueProbe(
  account: GatewayAccount,
  health: readonly HealthDetail[],
  last: ProbeResult | undefined,
  now: number,
): DueProbe | null {
  // Faults observed by other merchants are probed at their accounts.
  const own = health.filter(({ health: { accountId }, fromOthers }) => accountId === account.id && !fromOthers);
  const everyMs = probeEveryMs({ faultAt: configurationFaultOf(account)?.at ?? null, own, last, now });
  if (everyMs === null) return null;
  const probedAt = last?.at ?? 0;
  const lookedUpAt = Math.max(probedAt, ...own.map((detail) => detail.lookedUpAt ?? 0));
  const isTroubled = own.some(({ health: { state } }) => state !== 'healthy');
  return now - lookedUpAt < everyMs ? null : { account, isTroubled, probedAt };
}

function boundedByGateway(due: readonly DueProbe[]): readonly DueProbe[] {
  const groups = Map.groupBy(due, ({ account: { gateway, mode, baseUrl } }) => `${mode}|${gateway}|${baseUrl ?? ''}`);
  return [...groups.values()].flatMap((ofGateway) =>
    ofGateway
      .toSorted((left, right) => Number(right.isTroubled) - Number(left.isTroubled) || left.probedAt - right.probedAt)
      .slice(0, PROBES_PER_GATEWAY_MAX),
  );
}

/** The outcome of a free call; null where there is none to make. */
async function probe(context: HealthContext, account: GatewayAccount): Promise<Outcome<unknown> | null> {
  const { merchantId, id: accountId } = account;
  const reachable = unlessUnavailable(() => context.resources.openAccount(account));
  if (reachable === null || reachable.gateway.probe === null) return null;
  const attempt = await findLatestAttempt(context.resources.database, merchantId, accountId);
  if (attempt === null) return null;
  const { reference, payment } = attempt;
  const query = { reference, transactionId: null, amount: payment.amount, currency: payment.currency };
  const outcome = await reachable.gateway[reachable.gateway.probe](reachable.access, query, { timeoutMs: PROBE_TIMEOUT_MS });
  await context.configurationFaults.learnFromLookup({ account, outcome });
  context.health.observeLookup({ merchantId, accountId, method: null }, outcome);
  return outcome;
}

/** An attempt with what its payment must match. */
interface ProbedAttempt {
  readonly reference: string;
  readonly payment: { readonly amount: bigint; readonly currency: string };
}

/** The newest attempt made at an account, or null. */
function findLatestAttempt(database: Database, merchantId: string, accountId: string): Promise<ProbedAttempt | null> {
  return database.prisma.attempt.findFirst({
    where: { merchantId, accountId },
    orderBy: { createdAt: 'desc' },
    select: { reference: true, payment: { select: { amount: true, currency: true } } },
  });
}

/** The latest probe of an account by this process. */
export interface ProbeResult {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly answered: boolean;
}

/** Facts that the pace of an account's probes depends on. Times are epoch milliseconds. */
export interface ProbePaceInput {
  /** Since when the gateway refuses the account as it is configured; null while it does not. */
  readonly faultAt: Date | null;
  /** The account's own health, without what other merchants observed. */
  readonly own: readonly Pick<HealthDetail, 'health' | 'lookups' | 'answersSince'>[];
  readonly last: ProbeResult | undefined;
  readonly now: number;
}

const IDLE_EVERY_MS = 60_000;
const TROUBLED_EVERY_MS = 5_000;
const LONG_TROUBLED_EVERY_MS = 10_000;
const LONG_TROUBLED_MS = 120_000;
const ANSWERED_EVERY_MS = 30_000;
const REFUSED_EVERY_MIN_MS = 15_000;
const REFUSED_EVERY_MAX_MS = 900_000;

/**
 * Milliseconds from one probe of an account to the next; null for none, because checkouts show its health. Accounts in trouble are probed
 * every five seconds, after two minutes every ten, and every five again once one is answered. One whose probes have shown what they can
 * waits for a checkout: every thirty. Those that the gateway refuses are probed with back-off.
 */
export function probeEveryMs({ faultAt, own, last, now }: ProbePaceInput): number | null {
  if (faultAt !== null) return Math.min(REFUSED_EVERY_MAX_MS, Math.max(REFUSED_EVERY_MIN_MS, (now - faultAt.getTime()) / 2));
  const troubled = own.filter(({ health: { state, faulted }, lookups }) => state !== 'healthy' || faulted + lookups.failed > 0);
  if (troubled.length === 0) {
    const isIdle = own.every(({ health: { succeeded, faulted } }) => succeeded + faulted === 0);
    return isIdle ? IDLE_EVERY_MS : null;
  }
  const unhealthy = troubled.filter(({ health: { state } }) => state !== 'healthy');
  if (unhealthy.length > 0 && unhealthy.every(({ answersSince }) => answersSince !== null)) return ANSWERED_EVERY_MS;
  const since = Math.min(...unhealthy.map(({ health }) => Date.parse(health.since)));
  return now - since < LONG_TROUBLED_MS || last?.answered === true ? TROUBLED_EVERY_MS : LONG_TROUBLED_EVERY_MS;
}
