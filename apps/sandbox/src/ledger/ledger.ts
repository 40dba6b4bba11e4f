import {
  type Account,
  type Call,
  type Charge,
  type Checkout,
  type Hook,
  isKnown,
  newestFirst,
  type Refund,
  type Settlement,
} from './records.ts';

/** The most records of each kind that a gateway keeps; the oldest are dropped first. */
export interface Limits {
  readonly transactions: number;
  readonly calls: number;
  readonly webhooks: number;
}

/** A change of the ledger: the whole record, which replaces the one with its id. */
export type Entry =
  | { readonly kind: 'account'; readonly record: Account }
  | { readonly kind: 'checkout'; readonly record: Checkout }
  | { readonly kind: 'refund'; readonly record: Refund }
  | { readonly kind: 'settlement'; readonly record: Settlement }
  | { readonly kind: 'call'; readonly record: Call }
  | { readonly kind: 'hook'; readonly record: Hook };

/**
 * All records of one gateway, in memory and bounded: past a limit the oldest record is dropped.
 * `onChange` gets every change, in order, to persist it.
 */
export class Ledger {
  readonly #limits: Limits;
  readonly #onChange: (entry: Entry) => void;
  readonly #accounts = new Map<string, Account>();
  readonly #accountsByKey = new Map<string, Account>();
  readonly #checkouts = new Map<number, Checkout>();
  readonly #byToken = new Map<string, Checkout>();
  readonly #byReference = new Map<string, Checkout[]>();
  readonly #byCharge = new Map<number, Checkout>();
  readonly #refunds = new Map<number, Refund>();
  readonly #refundIds = new Map<number, Set<number>>();
  readonly #settlements = new Map<number, Settlement>();
  readonly #calls = new Map<number, Call>();
  readonly #hooks = new Map<number, Hook>();
  #lastId: number;

  constructor(limits: Limits, firstId: number, onChange: (entry: Entry) => void) {
    this.#limits = limits;
    this.#lastId = firstId;
    this.#onChange = onChange;
  }

  /** Rising integers, unique within the gateway and beyond 32 bits. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Adds a record without calling `onChange`: for records read from disk. */
  restore(entry: Entry): void {
    switch (entry.kind) {
      case 'account':
        this.#accounts.set(entry.record.id, entry.record);
        this.#accountsByKey.set(entry.record.key, entry.record);
        return;
      case 'checkout':
        this.#indexCheckout(entry.record);
        return;
      case 'refund':
        this.#keep(this.#refunds, entry.record, this.#limits.transactions);
        this.#refundIds.set(
          entry.record.checkoutId,
          (this.#refundIds.get(entry.record.checkoutId) ?? new Set<number>()).add(entry.record.id),
        );
        return;
      case 'settlement':
        this.#keep(this.#settlements, entry.record, this.#limits.transactions);
        return;
      case 'call':
        this.#keep(this.#calls, entry.record, this.#limits.calls);
        return;
      case 'hook':
        this.#keep(this.#hooks, entry.record, this.#limits.webhooks);
        return;
      default:
        entry satisfies never;
    }
  }

  /** Adds or updates a record. */
  put(entry: Entry): void {
    this.restore(entry);
    this.#onChange(entry);
  }

  accounts(): Account[] {
    return [...this.#accounts.values()];
  }

  account(id: string): Account | null {
    return this.#accounts.get(id) ?? null;
  }

  accountByKey(key: string): Account | null {
    return this.#accountsByKey.get(key) ?? null;
  }

  checkouts(): Checkout[] {
    return [...this.#checkouts.values()];
  }

  checkout(id: number): Checkout | null {
    return this.#checkouts.get(id) ?? null;
  }

  checkoutByToken(token: string): Checkout | null {
    return this.#byToken.get(token) ?? null;
  }

  /** All checkouts an account opened under a reference, oldest first. */
  checkoutsByReference(accountId: string, reference: string): readonly Checkout[] {
    return this.#byReference.get(referenceKey(accountId, reference)) ?? [];
  }

  /** The one that a merchant's own reference names; null where none of the account's is known under it. */
  ownCheckout(accountId: string, reference: string): Checkout | null {
    const checkout = this.checkoutsByReference(accountId, reference)[0];
    return checkout !== undefined && isKnown(checkout) ? checkout : null;
  }

  /** Those of an account that lists show, newest first. */
  listedCheckouts(accountId: string): Checkout[] {
    return this.checkouts()
      .filter((checkout) => checkout.accountId === accountId && !checkout.hidden)
      .sort(newestFirst);
  }

  /** Tries to pay at the checkouts that lists show, newest first. */
  listedCharges(accountId: string): { checkout: Checkout; charge: Charge }[] {
    return this.listedCheckouts(accountId)
      .flatMap((checkout) => checkout.charges.map((charge) => ({ checkout, charge })))
      .sort((one, other) => newestFirst(one.charge, other.charge));
  }

  /** Refunds of an account that lists show, newest first. */
  listedRefunds(accountId: string): Refund[] {
    return this.refunds()
      .filter((refund) => refund.accountId === accountId && !refund.hidden)
      .sort(newestFirst);
  }

  charge(chargeId: number): { checkout: Checkout; charge: Charge } | null {
    const checkout = this.#byCharge.get(chargeId);
    const charge = checkout?.charges.find((candidate) => candidate.id === chargeId);
    return checkout !== undefined && charge !== undefined ? { checkout, charge } : null;
  }

  refunds(): Refund[] {
    return [...this.#refunds.values()];
  }

  refund(id: number): Refund | null {
    return this.#refunds.get(id) ?? null;
  }

  refundsOf(checkoutId: number): Refund[] {
    const ids = [...(this.#refundIds.get(checkoutId) ?? [])];
    return ids.map((id) => this.refund(id)).filter((refund) => refund !== null);
  }

  /** The payouts to an account, oldest first. */
  settlementsOf(accountId: string): Settlement[] {
    return [...this.#settlements.values()].filter((settlement) => settlement.accountId === accountId);
  }

  calls(): Call[] {
    return [...this.#calls.values()];
  }

  hook(id: number): Hook | null {
    return this.#hooks.get(id) ?? null;
  }

  hooks(): Hook[] {
    return [...this.#hooks.values()];
  }

  /** Deletes transactions, refunds, settlements, calls and webhooks. Accounts stay. */
  clear(): void {
    for (const map of [this.#checkouts, this.#byToken, this.#byReference, this.#byCharge]) map.clear();
    for (const map of [this.#refunds, this.#refundIds, this.#settlements, this.#calls, this.#hooks]) map.clear();
  }

  /** All records, in an order in which they can be restored. */
  *entries(): Generator<Entry> {
    for (const record of this.#accounts.values()) yield { kind: 'account', record };
    for (const record of this.#checkouts.values()) yield { kind: 'checkout', record };
    for (const record of this.#refunds.values()) yield { kind: 'refund', record };
    for (const record of this.#settlements.values()) yield { kind: 'settlement', record };
    for (const record of this.#calls.values()) yield { kind: 'call', record };
    for (const record of this.#hooks.values()) yield { kind: 'hook', record };
  }

  #keep<T extends { id: number }>(map: Map<number, T>, record: T, limit: number): void {
    map.set(record.id, record);
    this.#lastId = Math.max(this.#lastId, record.id);
    if (map.size <= limit) return;
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }

  #indexCheckout(checkout: Checkout): void {
    const known = this.#checkouts.get(checkout.id);
    if (known !== undefined && known !== checkout) this.#unindex(known);
    this.#checkouts.set(checkout.id, checkout);
    this.#byToken.set(checkout.token, checkout);
    this.#lastId = Math.max(this.#lastId, checkout.id, ...checkout.charges.map((charge) => charge.id));
    for (const charge of checkout.charges) this.#byCharge.set(charge.id, checkout);
    if (known !== checkout) {
      const key = referenceKey(checkout.accountId, checkout.reference);
      this.#byReference.set(key, [...(this.#byReference.get(key) ?? []), checkout]);
    }
    if (this.#checkouts.size > this.#limits.transactions) this.#dropOldestCheckout();
  }

  #dropOldestCheckout(): void {
    const oldest = this.#checkouts.values().next();
    if (oldest.done === true) return;
    this.#checkouts.delete(oldest.value.id);
    this.#unindex(oldest.value);
  }

  #unindex(checkout: Checkout): void {
    this.#byToken.delete(checkout.token);
    if (!this.#checkouts.has(checkout.id)) this.#refundIds.delete(checkout.id);
    for (const charge of checkout.charges) this.#byCharge.delete(charge.id);
    const key = referenceKey(checkout.accountId, checkout.reference);
    const rest = (this.#byReference.get(key) ?? []).filter((other) => other.id !== checkout.id);
    if (rest.length > 0) this.#byReference.set(key, rest);
    else this.#byReference.delete(key);
  }
}

function referenceKey(accountId: string, reference: string): string {
  return `${accountId}\n${reference}`;
}
