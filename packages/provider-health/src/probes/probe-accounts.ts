import type { GatewayAccount } from '@switchyard/db/client';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import type { HealthContext } from '../context.ts';
import type { HealthDetail } from '../monitor/health-series.ts';
import { findLatestAttempt } from './queries.ts';

const PROBE_TIMEOUT_MS = 5_000;
const IDLE_PROBE_EVERY_MS = 60_000;
const REFUSED_PROBE_MIN_MS = 15_000;
const REFUSED_PROBE_MAX_MS = 900_000;
const CONCURRENT_PROBES = 8;

/** When each account was last probed by this process. */
export type ProbeState = Map<string, number>;

/**
 * Probes accounts without payments: unhealthy ones on every call, idle ones once a minute, and those whose configuration the gateway
 * refuses with back-off. A probe looks up the newest attempt at the account, so that a gateway never receives an unknown reference;
 * an account without attempts is not probed.
 */
export async function probeAccounts(context: HealthContext, state: ProbeState): Promise<void> {
  const now = context.now().getTime();
  const due = context.resources.configuration.merchants().flatMap(({ accounts, merchant }) => {
    const health = context.health.details(merchant.id);
    return accounts.filter((account) => account.enabled && isDue(account, health, state.get(account.id) ?? 0, now));
  });
  for (let from = 0; from < due.length; from += CONCURRENT_PROBES) {
    await Promise.all(due.slice(from, from + CONCURRENT_PROBES).map((account) => probe(context, account)));
  }
  for (const { id } of due) state.set(id, now);
}

function isDue(account: GatewayAccount, health: readonly HealthDetail[], probedAt: number, now: number): boolean {
  const fault = configurationFaultOf(account);
  if (fault !== null) {
    const everyMs = (now - fault.at.getTime()) / 2;
    return now - probedAt >= Math.min(REFUSED_PROBE_MAX_MS, Math.max(REFUSED_PROBE_MIN_MS, everyMs));
  }
  // Faults observed by other merchants are probed at their accounts.
  const own = health.filter(({ health: { accountId }, fromOthers }) => accountId === account.id && !fromOthers);
  if (own.some(({ health: { state, faulted }, lookups }) => state !== 'healthy' || faulted + lookups.failed > 0)) return true;
  const idle = own.every(({ health: { succeeded, faulted } }) => succeeded + faulted === 0);
  return idle && now - probedAt >= IDLE_PROBE_EVERY_MS;
}

async function probe(context: HealthContext, account: GatewayAccount): Promise<void> {
  const { merchantId, id: accountId } = account;
  const reachable = context.resources.openAccount(account);
  const attempt = await findLatestAttempt(context.resources.database, merchantId, accountId);
  if (reachable === null || attempt === null) return;
  const { reference, payment } = attempt;
  const query = { reference, transactionId: null, amount: payment.amount, currency: payment.currency };
  const outcome = await reachable.gateway.verify(reachable.access, query, { timeoutMs: PROBE_TIMEOUT_MS });
  await context.configurationFaults.learnFromLookup({ account, outcome });
  context.health.observeLookup({ merchantId, accountId, method: null }, outcome);
}
