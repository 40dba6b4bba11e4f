import { randomBytes } from 'node:crypto';
import type { FaultKind, FaultSwitches } from './faults/faults.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Account, Challenge, Charge, Checkout, Dispute, Hook, Refund, RefundStatus, Settlement } from './ledger/records.ts';
import type { Inbound, Reply, Route } from './server/router.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';

/** A transfer or a refund whose time is asked for, by the reference of its payment. */
interface Subject {
  readonly gateway: string;
  readonly reference: string;
}

/** End of a refund: milliseconds after its acceptance, and as what. */
export interface RefundEnd {
  readonly afterMs: number;
  readonly status: 'processed' | 'failed';
}

/** Durations of transfers and refunds, where they are not the same for all payments. */
export interface Timing {
  /** Milliseconds from a transfer to its arrival: until then the transaction is pending, in the gateway's own word. */
  readonly transferMs?: (of: Subject) => number;
  /** The end of a refund; null for that of all others. */
  readonly refundEnd?: (of: Subject) => RefundEnd | null;
}

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
  /** Outcome of a refund of a payment made with it. */
  readonly refund: Extract<RefundStatus, 'processed' | 'failed' | 'needs-attention'>;
}

/** An event in the gateway's own words: its name, and its body as JSON. */
export interface WebhookEvent {
  readonly name: string;
  readonly body: unknown;
}

/** Context of the handler of an authenticated call. */
export interface ApiContext {
  readonly simulator: Simulator;
  /** The account whose key was presented. */
  readonly account: Account;
  /** Writes the merchant's reference beside the call in the journal. */
  note(reference: string): void;
}

/** The account of a call, or the answer that refuses it. */
export type Authentication =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'refused'; readonly reply: Reply };

/** Finds the account that makes a call. */
export type Authenticate = (request: Inbound, simulator: Simulator) => Authentication;

/** Why a call is refused: no key, a header of another form, a key of no account, or a token whose time is over. */
export type RefusedKey = 'missing' | 'malformed' | 'unknown' | 'expired';

/** A call of a gateway's API. */
export interface ApiRoute extends Route<ApiContext> {
  /** Creates a record, so that a lost answer matters. */
  readonly creates?: true;
  /** Authenticates in another way than the gateway's other calls, such as the call that issues a token. */
  readonly authenticate?: Authenticate;
}

/** One thing an account is registered with at the gateway, as its dashboard would show or take it. */
export interface AccountField {
  readonly pattern: RegExp;
  /** The rule of the pattern: `must start with sk_test_ or sk_live_`. */
  readonly rule: string;
  /** True where an account may be without it. */
  readonly optional?: true;
  /** True for a choice that is not secret: it is shown with the account. */
  readonly shown?: true;
}

/** The colours of a hosted page, in both themes. */
export interface CheckoutLook {
  readonly light: { readonly accent: string; readonly accentSoft: string };
  readonly dark: { readonly accent: string; readonly accentInk: string; readonly accentSoft: string };
}

/** The fault of a transfer: another amount, after the page's time, once more after it was paid. */
export type TransferMistake = 'another_amount' | 'late' | 'again';

/** How the customer leaves the hosted page. */
export type ReturnOutcome = 'paid' | 'failed' | 'cancelled';

/** Step in the life cycle of a dispute. */
export type DisputeStep = 'create' | 'remind' | 'resolve';

/** Properties that differ between the gateways' simulators. All amounts are in the gateway's own unit. */
export interface GatewaySpec {
  /** The first segment of its paths, and the name of the connector. */
  readonly name: string;
  readonly title: string;
  readonly unit: 'kobo' | 'naira';
  readonly unitsPerMain: 1 | 100;
  /** Decimals the own unit may carry. */
  readonly decimals: 0 | 2;
  readonly look: CheckoutLook;
  /** Path of an account's base address after the simulator's own: `/v3`, or nothing. */
  readonly apiPath: string;
  /** Fields that accounts are registered with, under the names of the connector's credential fields. */
  readonly accountFields: Readonly<Record<string, AccountField>>;
  /** The one of them that finds the account. */
  readonly keyField: string;
  /** Credentials of a demo account, different for each holder; `demo` is the account the sandbox begins with. */
  readonly credentialsFor: (holder: string) => Readonly<Record<string, string>>;
  readonly authenticate: Authenticate;
  /** The faults it can be given. */
  readonly faults: readonly FaultKind[];
  /** Hosted pages live at `<checkoutPath>/<token>`. */
  readonly checkoutPath: string;
  readonly cards: readonly TestCard[];
  /** The message for a card that is not one of them. */
  readonly unknownCard: string;
  readonly routes: readonly ApiRoute[];
  /** A command that opens a payment with the demo account, at the simulator's address. */
  readonly example: (address: string) => string;
  readonly errors: {
    readonly unauthorised: (why: RefusedKey) => Reply;
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
  /** The record of ours that carries the gateway's own id of a transaction. */
  readonly transactionIs: 'checkout' | 'charge';
  /** The gateway's own id, once it has one. */
  readonly transactionId: (checkout: Checkout) => number | string | null;
  /** Where the customer's browser goes, or null when the merchant named no address. */
  readonly returnAddress: (checkout: Checkout, outcome: ReturnOutcome) => string | null;
  readonly chargeEvent: (simulator: Simulator, checkout: Checkout, charge: Charge) => WebhookEvent | null;
  readonly refundEvent: (simulator: Simulator, refund: Refund, checkout: Checkout) => WebhookEvent | null;
  /** Mistaken transfers that the gateway sends back, where it publishes that. Others of another amount, and late ones, are received. */
  readonly returnsTransfers?: readonly TransferMistake[];
  /** The webhook about one that it sends back; null where none is documented. */
  readonly returnedTransferEvent?: (
    simulator: Simulator,
    checkout: Checkout,
    transfer: { readonly id: number; readonly amount: number; readonly mistake: TransferMistake },
  ) => WebhookEvent | null;
  /** True where a paid transaction can have a status that says that its money went back. */
  readonly reverses?: true;
  /** The webhook about a dispute, where the gateway documents disputes. */
  readonly disputeEvent?: (simulator: Simulator, checkout: Checkout, dispute: Dispute, step: DisputeStep) => WebhookEvent | null;
  /** Hours that a merchant has to answer a dispute, where the gateway documents disputes. */
  readonly answerHours?: number;
  /** The webhook about a payout, where the gateway documents one. */
  readonly settlementEvent?: (simulator: Simulator, settlement: Settlement) => WebhookEvent;
  /** True where refunds are paid from the merchant's wallet, and deducted from no payout. */
  readonly refundsFromWallet?: true;
  /** The fee of a payment, where the gateway documents a list or a webhook of its settlements. */
  readonly settlementFee?: (amount: number) => number;
  /** The fee of a payment where look-ups name one, and no settlement is documented. */
  readonly lookupFee?: (amount: number) => number;
  readonly sign: (account: Account, hook: Hook) => Record<string, string>;
  /** The headers that {@link sign} may set, and whether a change of any byte of the body breaks them. */
  readonly signatures: readonly { readonly header: string; readonly coversBody: boolean }[];
}

/** One running simulator: its gateway, its ledger, its faults and its webhooks. */
export interface Simulator {
  readonly spec: GatewaySpec;
  readonly ledger: Ledger;
  readonly faults: FaultSwitches;
  readonly dispatcher: Dispatcher;
  /** The tokens it has issued, where calls are made with one. */
  readonly tokens: AccessTokens;
  /** From the customer's success to the webhook about it. */
  readonly webhookDelayMs: number;
  /** From a refund's acceptance to its end. */
  readonly refundDelayMs: number;
  readonly timing: Timing;
  readonly now: () => number;
  /** The simulator's own address, which ends with its name. */
  readonly address: () => string;
  /** Runs a task later, unless the sandbox is closed first. */
  readonly later: (delayMs: number, task: () => void) => void;
}

/** The simulator's present time, ISO 8601. */
export function isoTime(simulator: Simulator): string {
  return new Date(simulator.now()).toISOString();
}

/** The address of a checkout's hosted page, for the customer's browser. */
export function checkoutUrl(simulator: Simulator, checkout: Checkout): string {
  return `${simulator.address()}${simulator.spec.checkoutPath}/${checkout.token}`;
}

/** `NGN 1,000` or `NGN 1,000.50`: an amount of the own unit as people write it. */
export function formatMoney(spec: GatewaySpec, amount: number, currency: string): string {
  const main = amount / spec.unitsPerMain;
  const fraction = Number.isInteger(main) ? 0 : 2;
  return `${currency} ${main.toLocaleString('en-NG', { minimumFractionDigits: fraction, maximumFractionDigits: 2 })}`;
}

interface IssuedToken {
  readonly accountId: string;
  readonly expiresAt: number;
  used: boolean;
}

/** The account of a token, or why it does not count. */
export type TokenReading =
  | { readonly kind: 'valid'; readonly accountId: string /** True if a call was made with it before. */; readonly used: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

const tokensMax = 10_000;

/** Tokens that accounts got in exchange for their credentials. They do not survive a restart, as tokens need not. */
export class AccessTokens {
  readonly #now: () => number;
  readonly #tokens = new Map<string, IssuedToken>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Issues a token that is valid for so long. Past 10,000 the oldest is forgotten. */
  issue(accountId: string, lifetimeMs: number): string {
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(token, { accountId, expiresAt: this.#now() + lifetimeMs, used: false });
    const oldest = this.#tokens.keys().next();
    if (this.#tokens.size > tokensMax && oldest.done !== true) this.#tokens.delete(oldest.value);
    return token;
  }

  /** Reads a token that a call presents, which makes it a used one. */
  use(token: string): TokenReading {
    const issued = this.#tokens.get(token);
    if (issued === undefined) return { kind: 'unknown' };
    if (issued.expiresAt <= this.#now()) return { kind: 'expired' };
    const { accountId, used } = issued;
    issued.used = true;
    return { kind: 'valid', accountId, used };
  }
}
