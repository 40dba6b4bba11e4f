import type { FaultSwitches } from './faults/fault-switches.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Account, Challenge, Charge, Checkout, GatewayName, Hook, Refund, RefundStatus } from './ledger/records.ts';
import type { Inbound, Reply, Route } from './server/router.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';

/** A card the gateway documents for testing, and how it behaves. */
export interface TestCard {
  readonly name: string;
  readonly number: string;
  /** Null where none is documented: any is taken. */
  readonly cvv: string | null;
  /** `MM/YY` to fill in; any date in the future is taken. */
  readonly expiry: string;
  readonly brand: string;
  readonly steps: readonly Challenge[];
  readonly pin?: string;
  readonly otp?: string;
  readonly outcome: 'success' | 'failed';
  readonly message: string;
  /** What becomes of a refund of a payment made with it. */
  readonly refund: Extract<RefundStatus, 'processed' | 'failed' | 'needs-attention'>;
}

export interface WebhookEvent {
  readonly name: string;
  readonly body: unknown;
}

export interface ApiContext {
  readonly simulator: Simulator;
  /** The account whose key was presented. */
  readonly account: Account;
  /** Writes the merchant's reference beside the call in the journal. */
  note(reference: string): void;
}

export interface ApiRoute extends Route<ApiContext> {
  /** Creates a record, so that a lost answer matters. */
  readonly creates?: true;
}

/** How the customer leaves the hosted page. */
export type Departure = 'paid' | 'failed' | 'cancelled';

/** What differs between the gateways' simulators. All amounts are in the gateway's own unit. */
export interface GatewaySpec {
  readonly name: GatewayName;
  readonly title: string;
  readonly unit: 'kobo' | 'naira';
  readonly unitsPerMain: 1 | 100;
  /** Decimals the own unit may carry. */
  readonly decimals: 0 | 2;
  readonly keyPattern: RegExp;
  readonly keyRule: string;
  /** Hosted pages live at `<checkoutPath>/<token>`. */
  readonly checkoutPath: string;
  readonly cards: readonly TestCard[];
  /** The message for a card that is not one of them. */
  readonly unknownCard: string;
  readonly routes: readonly ApiRoute[];
  /** A command that opens a payment with the demo key. */
  readonly example: (baseUrl: string) => string;
  readonly errors: {
    readonly unauthorised: (why: 'missing' | 'malformed' | 'unknown') => Reply;
    readonly unknownPath: (method: string, path: string) => Reply;
    readonly tooLarge: () => Reply;
    readonly internal: () => Reply;
    readonly rateLimited: (retryAfterSeconds: number) => Reply;
    readonly timedOut: () => Reply;
  };
  /** The merchant's reference in a call, read before the call is validated. */
  readonly referenceIn: (request: Inbound) => string | null;
  /** The transaction's status in the gateway's own word; `not_started` where it has no transaction yet. */
  readonly statusOf: (simulator: Simulator, checkout: Checkout) => string;
  /** Which of our records carries the gateway's own id of a transaction. */
  readonly transactionIs: 'checkout' | 'charge';
  /** The gateway's own id, once it has one. */
  readonly transactionId: (checkout: Checkout) => number | null;
  /** Where the customer's browser goes, or null when the merchant named no address. */
  readonly departure: (checkout: Checkout, departure: Departure) => string | null;
  readonly chargeEvent: (simulator: Simulator, checkout: Checkout, charge: Charge) => WebhookEvent | null;
  readonly refundEvent: (simulator: Simulator, refund: Refund, checkout: Checkout) => WebhookEvent | null;
  readonly sign: (account: Account, hook: Hook) => Record<string, string>;
}

/** One running simulator: its gateway, its ledger, its faults and its webhooks. */
export interface Simulator {
  readonly spec: GatewaySpec;
  readonly ledger: Ledger;
  readonly faults: FaultSwitches;
  readonly dispatcher: Dispatcher;
  /** From the customer's success to the webhook about it. */
  readonly webhookDelayMs: number;
  /** From a refund's acceptance to its end. */
  readonly refundDelayMs: number;
  readonly now: () => number;
  /** The simulator's own address, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Runs a task later, unless the sandbox is closed first. */
  readonly later: (delayMs: number, task: () => void) => void;
}

export function isoTime(simulator: Simulator): string {
  return new Date(simulator.now()).toISOString();
}

export function checkoutUrl(simulator: Simulator, checkout: Checkout): string {
  return `${simulator.baseUrl()}${simulator.spec.checkoutPath}/${checkout.token}`;
}

/** `NGN 1,000` or `NGN 1,000.50`: an amount of the own unit as people write it. */
export function formatMoney(spec: GatewaySpec, amount: number, currency: string): string {
  const main = amount / spec.unitsPerMain;
  const fraction = Number.isInteger(main) ? 0 : 2;
  return `${currency} ${main.toLocaleString('en-NG', { minimumFractionDigits: fraction, maximumFractionDigits: 2 })}`;
}
