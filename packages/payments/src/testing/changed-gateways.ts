import type { Gateway } from '@switchyard/gateways';
import type { AccountOpener } from '@switchyard/runtime';
import type { PaymentsContext } from '../context.ts';

/** The context with some operations of all gateways replaced, such as by ones that end when a test says so. */
export function withGateways(context: PaymentsContext, change: (gateway: Gateway) => Partial<Gateway>): PaymentsContext {
  return withAccounts(context, (account) => {
    const opened = context.resources.openAccount(account);
    return opened && { ...opened, gateway: { ...opened.gateway, ...change(opened.gateway) } };
  });
}

/** The context of a process that opens accounts in another way. */
export function withAccounts(context: PaymentsContext, openAccount: AccountOpener): PaymentsContext {
  return { ...context, resources: { ...context.resources, openAccount } };
}

/** Outcome of a gateway's operation when its time is up. */
export const TIMED_OUT = {
  outcome: 'unknown',
  failure: { class: 'provider_fault', code: 'timeout', message: 'The gateway did not answer in time.' },
  call: { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null },
} as const;
