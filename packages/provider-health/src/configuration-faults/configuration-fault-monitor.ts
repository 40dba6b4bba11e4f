import type { ConfigurationFault, GatewayAccount } from '@switchyard/db/client';
import type { Outcome } from '@switchyard/gateways';
import type { MerchantsContext } from '@switchyard/merchants';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import { putBackIntoRotation, takeOutOfRotation } from './change-fault.ts';

/** Refusals in a row, none of the account's calls accepted in between, after which it goes out of rotation. */
const REFUSALS_MAX = 3;

/** One opening of a checkout, at an account as it was configured then. */
export interface Tried {
  readonly account: GatewayAccount;
  readonly outcome: Outcome<unknown>;
}

/** What a call says of how its account is configured. */
type Sign =
  | { readonly says: 'accepted' }
  | { readonly says: 'refused'; readonly kind: ConfigurationFault; readonly message: string }
  | { readonly says: 'nothing' };

interface Refusals {
  readonly kind: ConfigurationFault;
  /** What tells proofs of the same thing apart. */
  readonly proofs: ReadonlySet<string>;
}

/** An account that goes out again within this time was put back on too little. */
const DOUBT_MS = 900_000;
const ACTOR = 'system:payments';

/** Finds accounts whose gateway refuses how they are configured, takes them out of rotation, and puts them back. */
export interface ConfigurationFaultMonitor {
  /**
   * Learns from all openings of one payment whether its accounts are configured as their gateways want it. Refused credentials are
   * the account's own fault. A refused order is the account's fault where another account opened the same order, and the order's where
   * another refused it too; where nobody else answered, each customer counts once, because one who tries again proves nothing new.
   * Resolves when what follows is written; never rejects, and no payment has to wait for it.
   */
  learnFromOpenings(tried: readonly Tried[], customer: string): Promise<void>;
  /**
   * Learns from a look-up, which shows whether credentials are accepted and nothing of what an order needs. One that is accepted puts
   * an account back whose credentials were refused. Where orders are refused all the same, look-ups that never were prove nothing.
   * Resolves as {@link learnFromOpenings}.
   */
  learnFromLookup(tried: Tried): Promise<void>;
}

export interface ConfigurationFaultOptions extends MerchantsContext {
  readonly onError: (error: unknown, doing: string) => void;
}

/** What one process has seen. */
interface Memory {
  /** Forgotten with each change of the configuration, which makes a new object of the account. */
  readonly refusals: WeakMap<GatewayAccount, Refusals>;
  /** Accounts, as they were configured then, of which a change has been written already. */
  readonly written: WeakSet<GatewayAccount>;
  /** Accounts whose look-ups were refused while they were out of rotation, with the time of that fault. */
  readonly refusedLookups: Map<string, number>;
  /** When look-ups put an account back. */
  readonly putBackAt: Map<string, number>;
}

type Monitor = ConfigurationFaultOptions & Memory;

/** A monitor that has seen nothing yet. */
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

async function learnFromOpenings(monitor: Monitor, tried: readonly Tried[], customer: string): Promise<void> {
  const refusedOrders = tried.filter(({ outcome }) => isRefusal(outcome, 'SETTINGS')).length;
  const opened = tried.some(({ outcome }) => outcome.outcome === 'yes');
  for (const { account, outcome } of tried) {
    const sign = readSign(outcome);
    if (sign.says === 'accepted') {
      monitor.refusals.delete(account);
      if (configurationFaultOf(account) !== null) await putBack(monitor, account);
    }
    if (sign.says !== 'refused' || (sign.kind === 'SETTINGS' && refusedOrders > 1)) continue;
    await prove(monitor, account, sign, sign.kind === 'SETTINGS' && !opened ? customer : monitor.newId());
  }
}

async function learnFromLookup(monitor: Monitor, { account, outcome }: Tried): Promise<void> {
  const sign = readSign(outcome);
  const fault = configurationFaultOf(account);
  if (fault === null) {
    if (sign.says === 'accepted' && monitor.refusals.get(account)?.kind === 'CREDENTIALS') monitor.refusals.delete(account);
    if (sign.says === 'refused' && sign.kind === 'CREDENTIALS') await prove(monitor, account, sign, monitor.newId());
    return;
  }
  if (fault.kind !== 'CREDENTIALS') return;
  const faultAt = fault.at.getTime();
  if (sign.says === 'refused') monitor.refusedLookups.set(account.id, faultAt);
  if (sign.says !== 'accepted') return;
  const wasRefused = monitor.refusedLookups.get(account.id) === faultAt;
  if (!wasRefused && faultAt - (monitor.putBackAt.get(account.id) ?? 0) < DOUBT_MS) return;
  monitor.putBackAt.set(account.id, monitor.now().getTime());
  await putBack(monitor, account);
}

function putBack(monitor: Monitor, account: GatewayAccount): Promise<void> {
  return writeOnce(monitor, account, () => putBackIntoRotation(monitor, account, ACTOR));
}

async function prove(
  monitor: Monitor,
  account: GatewayAccount,
  { kind, message }: Extract<Sign, { says: 'refused' }>,
  proof: string,
): Promise<void> {
  if (configurationFaultOf(account) !== null) return;
  const known = monitor.refusals.get(account);
  const proofs = new Set([...(known?.kind === kind ? known.proofs : []), proof]);
  if (proofs.size < REFUSALS_MAX) monitor.refusals.set(account, { kind, proofs });
  else await writeOnce(monitor, account, () => takeOutOfRotation(monitor, account, { kind, message }, ACTOR));
}

/** What cannot be written is tried again with the next call that says so. */
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

function isRefusal(outcome: Outcome<unknown>, kind: ConfigurationFault): boolean {
  const sign = readSign(outcome);
  return sign.says === 'refused' && sign.kind === kind;
}

function readSign(outcome: Outcome<unknown>): Sign {
  if (outcome.outcome === 'yes') return { says: 'accepted' };
  const { class: failureClass, code, message } = outcome.failure;
  const isForbidden = outcome.call.httpStatus === 403;
  switch (failureClass) {
    case 'provider_fault':
      return { says: 'nothing' };
    case 'customer':
      return { says: 'accepted' };
    case 'our_configuration':
      if (code === 'invalid_credentials' && !isForbidden) return { says: 'refused', kind: 'CREDENTIALS', message };
      // A key that is known and may not do this: the account is not set up for it.
      if (code === 'invalid_credentials' || code === 'request_rejected' || code === 'not_supported')
        return { says: 'refused', kind: 'SETTINGS', message };
      // The gateway looked the reference up: it takes the credentials.
      return { says: 'accepted' };
    default:
      return failureClass satisfies never;
  }
}
