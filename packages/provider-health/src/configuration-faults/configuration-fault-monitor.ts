import type { ConfigurationFault, GatewayAccount } from '@switchyard/db/client';
import type { Outcome } from '@switchyard/gateways';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import type { ChangeContext } from '@switchyard/runtime';
import { putBackIntoRotation, takeOutOfRotation } from './change-fault.ts';

/** Number of refusals, without an accepted call in between, after which an account goes out of rotation. */
const REFUSALS_MAX = 3;

/** A call at an account, with the account's configuration at that time. */
export interface AccountCall {
  readonly account: GatewayAccount;
  readonly outcome: Outcome<unknown>;
}

/** Evidence of a call's outcome about the account's configuration. */
type Signal =
  | { readonly result: 'accepted' }
  /** `isOrder`: the refusal may be of the order alone. */
  | { readonly result: 'refused'; readonly kind: ConfigurationFault; readonly message: string; readonly isOrder: boolean }
  | { readonly result: 'none' };

interface Refusals {
  readonly kind: ConfigurationFault;
  /** Distinct evidence: a customer's repeated tries count once. */
  readonly proofs: ReadonlySet<string>;
}

/** An account that goes out again within this time was put back on too little evidence. */
const RELAPSE_MS = 900_000;
const ACTOR = 'system:payments';

/** Takes accounts whose gateway refuses their configuration out of rotation, and puts them back once it accepts it. */
export interface ConfigurationFaultMonitor {
  /**
   * Evaluates all openings of one payment. Refused credentials are the account's fault. A refused order is the account's fault where
   * another account opened the same order, and the order's where another refused it too. Where no other account answered, each
   * customer counts once, because a repeated try proves nothing new. Resolves when changes are written; never rejects, and payments
   * need not wait for it.
   */
  learnFromOpenings(tried: readonly AccountCall[], customer: string): Promise<void>;
  /**
   * Evaluates a look-up, which shows whether credentials are accepted and nothing about orders. An accepted one puts an account back
   * whose credentials were refused. Where openings are refused although look-ups were always accepted, look-ups prove nothing.
   * Resolves as {@link learnFromOpenings}.
   */
  learnFromLookup(tried: AccountCall): Promise<void>;
}

/** Context of the monitor; `onError` gets writes that failed and are tried again. */
export interface ConfigurationFaultOptions extends ChangeContext {
  readonly onError: (error: unknown, doing: string) => void;
}

/** Observations of one process. */
interface Memory {
  /** Weak, because each change of the configuration creates a new account object. */
  readonly refusals: WeakMap<GatewayAccount, Refusals>;
  /** Account objects for which a change has been written already. */
  readonly written: WeakSet<GatewayAccount>;
  /** Accounts whose look-ups were refused while they were out of rotation, with the time of that fault. */
  readonly refusedLookups: Map<string, number>;
  /** When look-ups put an account back. */
  readonly putBackAt: Map<string, number>;
}

type Monitor = ConfigurationFaultOptions & Memory;

/** A monitor without observations. */
export function createConfigurationFaultMonitor(options: ConfigurationFaultOptions): ConfigurationFaultMonitor {
  const monitor: Monitor = {
    ...options,
    refusals: new WeakMap(),
    written: new WeakSet(),
    refusedLookups: new Map(),
    putBackAt: new Map(),
  };
  return {
    learnFromOpenings: (tried, customer) => learnFromOpenings(monitor, tried, customer),
    learnFromLookup: (tried) => learnFromLookup(monitor, tried),
  };
}

async function learnFromOpenings(monitor: Monitor, tried: readonly AccountCall[], customer: string): Promise<void> {
  const refusedOrders = tried.filter(({ outcome }) => isOrderRefusal(outcome)).length;
  const opened = tried.some(({ outcome }) => outcome.outcome === 'yes');
  for (const { account, outcome } of tried) {
    const signal = readSignal(outcome);
    if (signal.result === 'accepted') {
      monitor.refusals.delete(account);
      if (configurationFaultOf(account) !== null) await putBack(monitor, account);
    }
    if (signal.result !== 'refused' || (signal.isOrder && refusedOrders > 1)) continue;
    await recordRefusal(monitor, account, signal, signal.isOrder && !opened ? customer : monitor.newId());
  }
}

async function learnFromLookup(monitor: Monitor, { account, outcome }: AccountCall): Promise<void> {
  const signal = readSignal(outcome);
  const fault = configurationFaultOf(account);
  if (fault === null) {
    if (signal.result === 'accepted' && monitor.refusals.get(account)?.kind === 'CREDENTIALS') monitor.refusals.delete(account);
    if (signal.result === 'refused' && !signal.isOrder) await recordRefusal(monitor, account, signal, monitor.newId());
    return;
  }
  if (fault.kind !== 'CREDENTIALS') return;
  const faultAt = fault.at.getTime();
  if (signal.result === 'refused') monitor.refusedLookups.set(account.id, faultAt);
  if (signal.result !== 'accepted') return;
  const wasRefused = monitor.refusedLookups.get(account.id) === faultAt;
  if (!wasRefused && faultAt - (monitor.putBackAt.get(account.id) ?? 0) < RELAPSE_MS) return;
  monitor.putBackAt.set(account.id, monitor.now().getTime());
  await putBack(monitor, account);
}

function putBack(monitor: Monitor, account: GatewayAccount): Promise<void> {
  return writeOnce(monitor, account, () => putBackIntoRotation(monitor, account, ACTOR));
}

async function recordRefusal(
  monitor: Monitor,
  account: GatewayAccount,
  { kind, message }: Extract<Signal, { result: 'refused' }>,
  proof: string,
): Promise<void> {
  if (configurationFaultOf(account) !== null) return;
  const known = monitor.refusals.get(account);
  const proofs = new Set([...(known?.kind === kind ? known.proofs : []), proof]);
  if (proofs.size < REFUSALS_MAX) monitor.refusals.set(account, { kind, proofs });
  else await writeOnce(monitor, account, () => takeOutOfRotation(monitor, account, { kind, message }, ACTOR));
}

/** After a failed write, the next call with the same result tries again. */
async function writeOnce(monitor: Monitor, account: GatewayAccount, write: () => Promise<unknown>): Promise<void> {
  if (monitor.written.has(account)) return;
  monitor.written.add(account);
  try {
    await write();
  } catch (error) {
    monitor.written.delete(account);
    monitor.onError(error, "recording a fault of an account's configuration");
  }
}

function isOrderRefusal(outcome: Outcome<unknown>): boolean {
  const signal = readSignal(outcome);
  return signal.result === 'refused' && signal.isOrder;
}

function readSignal(outcome: Outcome<unknown>): Signal {
  if (outcome.outcome === 'yes') return { result: 'accepted' };
  const { class: failureClass, code, message } = outcome.failure;
  const isForbidden = outcome.call.httpStatus === 403;
  switch (failureClass) {
    case 'provider_fault':
      return { result: 'none' };
    case 'customer':
      return { result: 'accepted' };
    case 'our_configuration':
      // The account is not called, whatever the order.
      if (code === 'address_refused') return { result: 'refused', kind: 'SETTINGS', message, isOrder: false };
      if (code === 'invalid_credentials' && !isForbidden)
        return { result: 'refused', kind: 'CREDENTIALS', message, isOrder: false };
      // The key is valid but lacks the permission: the account's settings are wrong.
      if (code === 'invalid_credentials' || code === 'request_rejected' || code === 'not_supported')
        return { result: 'refused', kind: 'SETTINGS', message, isOrder: true };
      // The gateway looked the reference up, so it accepts the credentials.
      return { result: 'accepted' };
    default:
      return failureClass satisfies never;
  }
}
