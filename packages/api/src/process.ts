import type { ProcessHeartbeat } from '@switchyard/db';
import { openProcessHeartbeat } from '@switchyard/db/process';
import { flushKeyUse } from '@switchyard/merchants/api-keys';
import { openPayments, type PaymentsContext } from '@switchyard/payments/context';
import { openResources, type RuntimeContext } from '@switchyard/runtime';
import { activeTraceparent, openLog, reportTrouble } from '@switchyard/telemetry';
import type { DestinationStream, Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** The resources that all transports of one process share. */
export interface Switchyard extends RuntimeContext {
  readonly payments: PaymentsContext;
  readonly log: Logger;
  /** Shows other processes that requests in flight here are still worked on. */
  readonly heartbeat: ProcessHeartbeat;
  /** Counts a request of an API key; returns the milliseconds to wait when the key is over its limit, otherwise null. */
  readonly rateLimit: (keyId: string) => Promise<number | null>;
  close(): Promise<void>;
}

const REQUESTS_PER_SECOND = 1_000;

/**
 * Opens the resources of a process from its environment. Throws `EnvironmentError` naming every invalid variable. Log lines go to
 * standard output unless `logTo` is given. Queries wait for a connection as long as payments may, unless told otherwise.
 */
export function openSwitchyard(
  environment: Readonly<Record<string, string | undefined>>,
  logTo?: DestinationStream,
  connecting?: Parameters<typeof openResources>[2],
): Switchyard {
  const log = openLog(environment, logTo);
  const report = reportTrouble(log);
  const resources = openResources(environment, report, connecting);
  const payments = openPayments(resources, {
    onError: report,
    traceparent: activeTraceparent,
  });
  const { now, newId } = payments;
  const heartbeat = openProcessHeartbeat(resources.database, (error) => log.warn({ error }, 'trouble while sending a heartbeat'));
  const limit = Number(environment.SWITCHYARD_REQUESTS_PER_SECOND ?? REQUESTS_PER_SECOND);
  return {
    resources,
    now,
    newId,
    payments,
    log,
    heartbeat,
    rateLimit: limitRequests(limit),
    async close() {
      heartbeat.close();
      payments.close();
      await flushKeyUse({ resources, now, newId });
      await resources.close();
    },
  };
}

function limitRequests(requestsPerSecond: number): Switchyard['rateLimit'] {
  const limiter = new RateLimiterMemory({ points: requestsPerSecond, duration: 1 });
  return async (keyId) => {
    try {
      await limiter.consume(keyId);
      return null;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
      throw refusal;
    }
  };
}

let switchyard: Switchyard | undefined;

/** The Switchyard of this process, opened on first use. */
export function processSwitchyard(): Switchyard {
  switchyard ??= openSwitchyard(process.env);
  return switchyard;
}
