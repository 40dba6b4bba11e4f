import type { GatewayAccount, RoutingOverride } from '@switchyard/db/client';
import { findGateway, type Outcome } from '@switchyard/gateways';
import type { MerchantConfiguration, RuntimeContext } from '@switchyard/runtime';
import { BUCKET_MS, bucketOf, WINDOW_MS } from '../assess/outcome-counts.ts';
import { thresholdsOf } from '../thresholds/thresholds.ts';
import { ATTEND_EVERY_MS, createAttendedTime } from './attended-time.ts';
import { addGatewayCodes, type CodedCall, createGatewayCodes } from './gateway-codes.ts';
import type { KnownAccount } from './gateway-experience.ts';
import { createLocalHealth, type LocalHealth } from './local-health.ts';
import { addHealthCounts, changeHealth, readConversions, readHealthCounts, readHealthStatuses } from './queries.ts';

/**
 * The health of all accounts, in memory. Processes share counts and states through the database: each adds its own and reads those
 * of all about once a second. Observing and reading never wait; while the database is unavailable the last snapshot serves.
 */
export interface HealthMonitor extends Omit<LocalHealth, 'drain' | 'registry'> {
  /** Counts the error code that a gateway gave; an outcome without one counts nothing. */
  observeAnswer(call: CodedCall, outcome: Outcome<unknown>): void;
  /** Writes this process's counts, reads those of all, and updates states. Runs by itself about once a second. */
  tick(): Promise<void>;
  close(): void;
}

/** Context of the monitor; `onError` gets failed ticks, which leave the last known health in use. */
export interface HealthMonitorOptions extends RuntimeContext<'configuration' | 'database'> {
  readonly onError: (error: unknown) => void;
  /** Milliseconds between ticks; null for a monitor that ticks only when `tick` is called. */
  readonly tickMs: number | null;
}

/** A slow process may add counts to a bucket for some time after it has ended. */
const REREAD_MS = 3 * BUCKET_MS;
const CONVERSION_WINDOW_MS = 3_600_000;
const CONVERSION_EVERY_MS = 30_000;

/** Starts a monitor; the caller closes it. Errors of background ticks go to `onError`. */
export function createHealthMonitor({ resources, now, newId, onError, tickMs }: HealthMonitorOptions): HealthMonitor {
  const { database, configuration } = resources;
  const processId = newId();
  const codes = createGatewayCodes(now);
  const attended = tickMs === null ? null : createAttendedTime(() => performance.now());
  const { drain, registry, ...health } = createLocalHealth({
    now,
    newId,
    ...(attended && { attended }),
    account(accountId) {
      const known = configuration.account(accountId);
      return known === undefined ? undefined : describeAccount({ resources, now }, known.account);
    },
    accountsOf: (merchantId) =>
      configuration.merchant(merchantId)?.accounts.map((account) => describeAccount({ resources, now }, account)) ?? [],
  });
  let readFrom: number | null = null;
  let conversionsAt = 0;
  let ticking: Promise<void> | undefined;
  let closed = false;

  /** A tick that was under way when the monitor was closed may find the database closed, which is not a fault. */
  function report(error: unknown): void {
    if (!closed) onError(error);
  }

  async function run(): Promise<void> {
    // After an error it is unknown whether the counts were written. Losing a second's counts is better than counting faults twice.
    await addHealthCounts(database, processId, drain()).catch(report);
    await addGatewayCodes(database, codes.drain()).catch(report);
    const at = now().getTime();
    const from = bucketOf(readFrom ?? at - WINDOW_MS);
    registry.loadCounts(await readHealthCounts(database, new Date(from)), from, at);
    registry.loadStored(await readHealthStatuses(database));
    readFrom = at - REREAD_MS;
    if (at - conversionsAt >= CONVERSION_EVERY_MS) {
      conversionsAt = at;
      registry.loadConversions(await readConversions(database, new Date(at - CONVERSION_WINDOW_MS)));
    }
    // Where another process was first, the next tick reads its change.
    for (const move of await changeHealth(database, registry.assessAll(at), new Date(at))) registry.markStored(move);
  }

  function tick(): Promise<void> {
    ticking ??= run().finally(() => {
      ticking = undefined;
    });
    return ticking;
  }

  const timer = tickMs === null ? null : setInterval(() => tick().catch(report), tickMs).unref();
  const attending = attended === null ? null : setInterval(attended.tick, ATTEND_EVERY_MS).unref();
  return {
    ...health,
    observeAnswer: codes.observe,
    tick,
    close: () => {
      closed = true;
      if (timer !== null) clearInterval(timer);
      if (attending !== null) clearInterval(attending);
    },
  };
}

/** An account as health knows it; its thresholds are its merchant's, in its own mode. */
function describeAccount(
  { resources: { configuration }, now }: Pick<HealthMonitorOptions, 'resources' | 'now'>,
  account: GatewayAccount,
): KnownAccount {
  const { merchantId, id: accountId, gateway, mode, baseUrl: address, methods } = account;
  const merchant = configuration.merchant(merchantId);
  const title = findGateway(gateway)?.title ?? gateway;
  const isDrained = merchant !== undefined && takesNothing(merchant, account, now());
  return { merchantId, accountId, gateway, title, mode, address, methods, isDrained, thresholds: thresholdsOf(merchant, mode) };
}

/** True if an active override keeps all new payments away from the account. */
function takesNothing({ overrides, gatewayOverrides }: MerchantConfiguration, account: GatewayAccount, now: Date): boolean {
  const isActive = ({ method, action, startsAt, expiresAt }: RoutingOverride) =>
    method === null && action !== 'force' && (startsAt === null || startsAt <= now) && (expiresAt === null || expiresAt > now);
  return (
    overrides.some((override) => override.accountId === account.id && isActive(override)) ||
    gatewayOverrides.some(
      (override) => override.gateway === account.gateway && override.mode === account.mode && isActive(override),
    )
  );
}
