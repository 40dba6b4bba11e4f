import type { ProcessHeartbeat } from '@switchyard/db';
import { openProcessHeartbeat } from '@switchyard/db/process';
import { flushKeyUse } from '@switchyard/merchants/api-keys';
import { openPayments, type PaymentsContext } from '@switchyard/payments/context';
import type { RuntimeContext } from '@switchyard/runtime';
import { openMailer } from '@switchyard/runtime/mail';
import { openResources } from '@switchyard/runtime/resources';
import { type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';
import type { LinkSending } from '@switchyard/staff/links';
import { openSignIn, type SignIn } from '@switchyard/staff/sign-in';
import { activeTraceparent, logBackgroundErrors, openLog } from '@switchyard/telemetry';

import type { DestinationStream, Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ADDRESS_HEADER, clientAddress } from './client-address.ts';

/** The resources that all transports of one process share. */
export interface Switchyard extends RuntimeContext {
  readonly payments: PaymentsContext;
  readonly log: Logger;
  /** Shows other processes that requests in flight here are still worked on. */
  readonly heartbeat: ProcessHeartbeat;
  /** Counts a request of an API key in this process. */
  readonly rateLimit: (keyId: string) => Promise<RateLimit>;
  /** Sign-in of staff users, opened on first use. Throws when `SWITCHYARD_AUTH_SECRET` is missing or shorter than 32 characters. */
  readonly signIn: () => SignIn;
  /** How links are sent to staff users, opened on first use. Throws when the settings of e-mail are invalid. */
  readonly links: () => LinkSending;
  close(): Promise<void>;
}

/** The limit of an API key, and what is left of it until it is whole again. */
export interface RateLimit {
  readonly requestsPerSecond: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** True if the request is one too many. */
  readonly exceeded: boolean;
}

const RATE_SETTINGS = SETTINGS.pick({ SWITCHYARD_REQUESTS_PER_SECOND: true });
const SIGN_IN_SETTINGS = SETTINGS.pick({ SWITCHYARD_AUTH_SECRET: true });

/**
 * Opens the resources of a process from its environment. Throws `EnvironmentError` naming every invalid variable. Log lines go to standard
 * output unless `logTo` is given. Queries wait for a connection as long as payments may, unless another time is given.
 */
export function openSwitchyard(
  environment: Environment,
  logTo?: DestinationStream,
  connecting?: Parameters<typeof openResources>[2],
): Switchyard {
  const log = openLog(environment, logTo);
  const report = logBackgroundErrors(log);
  const resources = openResources(environment, report, connecting);
  const payments = openPayments(resources, {
    onError: report,
    traceparent: activeTraceparent,
  });
  const { now, newId } = payments;
  const heartbeat = openProcessHeartbeat(resources.database, (error) => log.warn({ error }, 'trouble while sending a heartbeat'));
  const { SWITCHYARD_REQUESTS_PER_SECOND: limit } = readSettings(RATE_SETTINGS, environment);
  return {
    resources,
    now,
    newId,
    payments,
    log,
    heartbeat,
    rateLimit: limitRequests(limit),
    signIn: onFirstUse(() => {
      const { SWITCHYARD_AUTH_SECRET: secret } = readSettings(SIGN_IN_SETTINGS, environment);
      return openSignIn(
        { resources, now, newId },
        {
          publicUrl: resources.publicUrl,
          secret,
          addressHeader: ADDRESS_HEADER,
          clientAddress,
          onError: (message) => log.error({ error: new Error(message) }, 'staff sign-in failed'),
        },
      );
    }),
    links: onFirstUse(() => ({
      publicUrl: resources.publicUrl,
      mailer: openMailer(environment),
      onError: (error, message) => log.error({ error }, message),
    })),
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
  const limitOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): RateLimit => {
    return { requestsPerSecond, remaining: remainingPoints, resetMs: msBeforeNext, exceeded };
  };
  return async (keyId) => {
    try {
      return limitOf(await limiter.consume(keyId), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return limitOf(refusal, true);
      throw refusal;
    }
  };
}

function onFirstUse<T>(open: () => T): () => T {
  let opened: { readonly value: T } | undefined;
  return () => {
    opened ??= { value: open() };
    return opened.value;
  };
}

let switchyard: Switchyard | undefined;

/** The Switchyard of this process, opened on first use on this environment. */
export function processSwitchyard(environment: Environment = process.env): Switchyard {
  switchyard ??= openSwitchyard(environment);
  return switchyard;
}
