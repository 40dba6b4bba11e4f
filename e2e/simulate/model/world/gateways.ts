import type {
  CheckoutOrder,
  CheckoutSession,
  Failure,
  ListedRefund,
  Outcome,
  ReceivedPayment,
  RefundOrder,
  RefundQuery,
  RefundReceipt,
  ReportedDispute,
  VerifyQuery,
  WebhookReading,
  WebhookRequest,
} from '@switchyard/gateways';
import type { Rng } from '../../../world/plan/rng.ts';
import type { Owner, Scheduler } from '../../kernel/scheduler.ts';
import type { History } from './notes.ts';
import type { FaultKind, GatewayName, Quirks } from './plan.ts';

/** A refund in a gateway's books. Money is in hundredths of the main unit. */
export interface BookedRefund {
  readonly id: string;
  /** Our reference, as the gateway keeps it in the refund's note. */
  readonly note: string;
  readonly amount: number;
  readonly at: number;
  endsAt: number;
  readonly fails: boolean;
}

export interface BookedDispute {
  readonly id: string;
  readonly openedAt: number;
  readonly decidedAt: number;
  readonly isLost: boolean;
}

/** A checkout in a gateway's books. */
export interface Checkout {
  readonly gateway: GatewayName;
  readonly accountId: string;
  readonly reference: string;
  readonly requested: number;
  readonly currency: string;
  readonly openedAt: number;
  declinedAt: number | null;
  /** Charges, the first one first; a second one is a customer who paid twice. */
  readonly charges: { readonly transactionId: string; readonly amount: number; readonly currency: string; readonly at: number }[];
  readonly refunds: BookedRefund[];
  readonly disputes: BookedDispute[];
  /** When the gateway took everything back by itself. */
  reversedAt: number | null;
}

/** A call that named a reference. */
export interface JournalEntry {
  readonly gateway: GatewayName;
  readonly accountId: string;
  readonly reference: string;
  readonly method: 'GET' | 'POST';
  readonly what: string;
  readonly at: number;
  /** True if the gateway answered, and as it should. */
  readonly answered: boolean;
}

/** A fault of a gateway, or of the way to it. */
interface ActiveFault {
  readonly kind: FaultKind;
  readonly share: number;
}

/** An event that a gateway reports by webhook. */
export interface Notice {
  readonly kind: 'payment' | 'refund' | 'dispute';
  readonly id: string;
  readonly reference: string;
  readonly transactionId: string | null;
}

/** How refunds of a payment end, as its plan has it. */
export interface RefundManners {
  readonly fails: boolean;
  readonly takesMs: number;
}

type Verdict<T> =
  | { readonly outcome: 'yes'; readonly value: T }
  | { readonly outcome: 'no' | 'unknown'; readonly failure: Failure };

const MINUTE_MS = 60_000;
/** References of one payment begin alike: all but the last two digits. */
const PREFIX = 34;

/** One account at a gateway, with the gateway's books of it. */
export class GatewayAccountBooks {
  readonly gateway: GatewayName;
  readonly accountId: string;
  readonly quirks: Quirks;
  readonly checkouts: Checkout[] = [];
  readonly journal: JournalEntry[] = [];
  readonly faults = new Set<ActiveFault>();
  /** Called when a process has opened a checkout, and before it is answered. */
  onOpened: (owner: Owner) => void = () => undefined;
  /** Sends a notice to our webhook address. */
  onNotice: (notice: Notice, books: GatewayAccountBooks) => void = () => undefined;
  private readonly manners = new Map<string, RefundManners>();
  private readonly byReference = new Map<string, Checkout>();
  private readonly byPrefix = new Map<string, Checkout[]>();
  private readonly refundsById = new Map<string, { readonly refund: BookedRefund; readonly checkout: Checkout }>();
  private readonly disputesById = new Map<string, { readonly dispute: BookedDispute; readonly checkout: Checkout }>();
  private readonly scheduler: Scheduler;
  private readonly draws: Rng;
  private readonly world: Owner;
  private readonly newNumber: () => number;
  private readonly history: History;

  constructor(
    of: { readonly gateway: GatewayName; readonly accountId: string; readonly quirks: Quirks },
    on: {
      readonly scheduler: Scheduler;
      readonly draws: Rng;
      readonly world: Owner;
      readonly newNumber: () => number;
      readonly history: History;
    },
  ) {
    this.gateway = of.gateway;
    this.accountId = of.accountId;
    this.quirks = of.quirks;
    this.scheduler = on.scheduler;
    this.draws = on.draws;
    this.world = on.world;
    this.newNumber = on.newNumber;
    this.history = on.history;
  }

  find(reference: string): Checkout | undefined {
    return this.byReference.get(reference);
  }

  /** How refunds of a payment will end, whose references begin so. */
  planRefunds(prefix: string, manners: RefundManners): void {
    this.manners.set(prefix, manners);
  }

  checkoutsWith(prefix: string): Checkout[] {
    return this.byPrefix.get(prefix) ?? [];
  }

  /** The customer pays at a checkout; the amount in hundredths. */
  pay(checkout: Checkout, amount: number, currency: string): void {
    const transactionId = String(this.newNumber());
    checkout.charges.push({ transactionId, amount, currency, at: this.scheduler.now });
    const { reference } = checkout;
    this.scheduler.after(this.quirks.settlesAfterMs, this.world, () =>
      this.onNotice({ kind: 'payment', id: `charge-${transactionId}`, reference, transactionId }, this),
    );
  }

  decline(checkout: Checkout): void {
    checkout.declinedAt = this.scheduler.now;
  }

  dispute(checkout: Checkout, decidedAfterMs: number, isLost: boolean): void {
    const [charge] = checkout.charges;
    if (charge === undefined) return;
    const { now } = this.scheduler;
    const dispute = { id: `dispute-${this.newNumber()}`, openedAt: now, decidedAt: now + decidedAfterMs, isLost };
    checkout.disputes.push(dispute);
    this.disputesById.set(dispute.id, { dispute, checkout });
    const notice = { kind: 'dispute', reference: checkout.reference, transactionId: charge.transactionId } as const;
    this.onNotice({ ...notice, id: `${dispute.id}-opened` }, this);
    this.scheduler.after(decidedAfterMs, this.world, () => this.onNotice({ ...notice, id: `${dispute.id}-decided` }, this));
  }

  /** Takes back all that was paid. False where there is more than one charge, or something of it went back or may. */
  reverse(checkout: Checkout): boolean {
    const { charges, refunds, disputes, reference } = checkout;
    const [charge, ...more] = charges;
    if (charge === undefined || more.length + refunds.length + disputes.length > 0) return false;
    checkout.reversedAt = this.scheduler.now;
    const { transactionId } = charge;
    this.onNotice({ kind: 'payment', id: reversalNotice(transactionId), reference, transactionId }, this);
    return true;
  }

  /** The gateway as one of our processes calls it. */
  connect(owner: Owner) {
    const { gateway: name } = this;
    return {
      name,
      title: name,
      capabilities: {
        currencies: ['NGN', 'GHS', 'USD'],
        methods: ['CARD', 'TRANSFER'],
        minAmount: 1,
        maxAmount: null,
        missingLookups: [],
      },
      secretFields: [],
      open: (_: unknown, order: CheckoutOrder, { timeoutMs }: { readonly timeoutMs: number }) =>
        this.call(owner, 'open', 'POST', order.reference, timeoutMs, () => {
          this.onOpened(owner);
          return this.open(order);
        }),
      verify: (_: unknown, query: VerifyQuery, { timeoutMs }: { readonly timeoutMs: number }) =>
        this.call(owner, 'verify', 'GET', query.reference, timeoutMs, () => this.verify(query)),
      refund: (_: unknown, order: RefundOrder, { timeoutMs }: { readonly timeoutMs: number }) =>
        this.call(owner, 'refund', 'POST', order.paymentReference, timeoutMs, () => this.refund(order)),
      findRefund: (_: unknown, query: RefundQuery, { timeoutMs }: { readonly timeoutMs: number }) =>
        this.call(owner, 'find refund', 'GET', this.referenceOf(this.refundsById, query.gatewayRefundId), timeoutMs, () =>
          this.findRefund(query),
        ),
      listRefunds: (
        _: unknown,
        query: { readonly paymentReference: string | null },
        { timeoutMs }: { readonly timeoutMs: number },
      ) => this.call(owner, 'list refunds', 'GET', query.paymentReference ?? '', timeoutMs, () => this.listRefunds(query)),
      findDispute: (_: unknown, query: { readonly gatewayDisputeId: string }, { timeoutMs }: { readonly timeoutMs: number }) =>
        this.call(owner, 'find dispute', 'GET', this.referenceOf(this.disputesById, query.gatewayDisputeId), timeoutMs, () =>
          this.findDispute(query),
        ),
      readWebhook: (_: unknown, request: WebhookRequest) => this.readWebhook(request),
    };
  }

  /** The reference of the checkout that a refund or a dispute is of; its own id where there is none. */
  private referenceOf(known: ReadonlyMap<string, { readonly checkout: Checkout }>, id: string): string {
    return known.get(id)?.checkout.reference ?? id;
  }

  private open(order: CheckoutOrder): Verdict<CheckoutSession> {
    const known = this.byReference.get(order.reference);
    if (known !== undefined && this.quirks.repeatedReference === 'refused') {
      return no('our_configuration', 'duplicate_reference', 'the reference was used before');
    }
    if (known === undefined) {
      const checkout: Checkout = {
        gateway: this.gateway,
        accountId: this.accountId,
        reference: order.reference,
        requested: Number(order.amount) * 100,
        currency: order.currency,
        openedAt: this.scheduler.now,
        declinedAt: null,
        charges: [],
        refunds: [],
        disputes: [],
        reversedAt: null,
      };
      this.checkouts.push(checkout);
      this.byReference.set(order.reference, checkout);
      const prefix = order.reference.slice(0, PREFIX);
      this.byPrefix.set(prefix, [...(this.byPrefix.get(prefix) ?? []), checkout]);
    }
    const redirectUrl = `https://${this.gateway}.example/${order.reference}`;
    return { outcome: 'yes', value: { raw: {}, reference: order.reference, accessCode: '', redirectUrl } };
  }

  private verify({ reference, transactionId }: VerifyQuery): Verdict<ReceivedPayment> {
    const { now } = this.scheduler;
    const { forgetsUnpaid, settlesAfterMs, strangeForMs, declinesForGood } = this.quirks;
    const checkout = this.byReference.get(reference);
    if (checkout === undefined) {
      return forgetsUnpaid
        ? unknown('customer', 'not_paid_yet', 'the customer has not begun to pay')
        : no('our_configuration', 'not_found', 'there is no such transaction');
    }
    // The transaction that is asked for, where there are two; else the first.
    const charge =
      checkout.charges.find((each) => each.transactionId === transactionId && each.at + settlesAfterMs <= now) ??
      checkout.charges[0];
    if (charge === undefined || charge.at + settlesAfterMs > now) {
      if (charge === undefined && checkout.declinedAt !== null && declinesForGood)
        return no('customer', 'declined', 'the card was declined');
      return unknown('customer', 'not_paid_yet', 'the customer has not finished paying');
    }
    if (charge.at + settlesAfterMs + strangeForMs > now) {
      return unknown('our_configuration', 'unrecognised_status', 'a status that no document lists: quarantined');
    }
    const fee = feeOf(charge.amount, this.quirks);
    return {
      outcome: 'yes',
      value: {
        reference,
        transactionId: charge.transactionId,
        amount: decimal(charge.amount),
        currency: charge.currency,
        fee: decimal(fee),
        method: 'CARD',
        paidAt: new Date(charge.at),
        reversed: this.quirks.saysReversed && this.isGone(checkout),
      },
    };
  }

  /** True if all of the first charge went back, by refunds, a lost dispute or the gateway itself. */
  private isGone({ charges: [charge], disputes, refunds, reversedAt }: Checkout): boolean {
    if (charge === undefined) return false;
    const { now } = this.scheduler;
    const isLost = disputes.some((dispute) => dispute.isLost && dispute.decidedAt <= now);
    const done = refunds.filter((refund) => !refund.fails && refund.endsAt <= now);
    return isLost || reversedAt !== null || done.reduce((sum, { amount }) => sum + amount, 0) >= charge.amount;
  }

  private refund(order: RefundOrder): Verdict<RefundReceipt> {
    const checkout = this.byReference.get(order.paymentReference);
    const charge = checkout?.charges.find(({ transactionId }) => transactionId === order.transactionId);
    if (checkout === undefined || charge === undefined)
      return no('our_configuration', 'not_found', 'there is no such transaction');
    const known = checkout.refunds.find(({ note }) => note === order.refundReference);
    if (known !== undefined && this.quirks.knowsRefundReferences) {
      return unknown('our_configuration', 'duplicate_reference', 'the refund was requested before');
    }
    const amount = Number(order.amount) * 100;
    const { now } = this.scheduler;
    const standing = checkout.refunds.filter((refund) => !(refund.fails && refund.endsAt <= now));
    const received = checkout.charges.reduce((sum, each) => sum + each.amount, 0);
    const isLost = checkout.disputes.some((dispute) => dispute.isLost && dispute.decidedAt <= now);
    const isGone = isLost || checkout.reversedAt !== null;
    if (isGone || standing.reduce((sum, each) => sum + each.amount, 0) + amount > received) {
      return no('our_configuration', 'request_rejected', 'the refund is more than what is left');
    }
    const { fails, takesMs } = this.manners.get(order.paymentReference.slice(0, PREFIX)) ?? { fails: false, takesMs: 0 };
    const refund: BookedRefund = {
      id: `refund-${this.newNumber()}`,
      note: order.refundReference,
      amount,
      at: now,
      endsAt: now + takesMs,
      fails,
    };
    checkout.refunds.push(refund);
    this.refundsById.set(refund.id, { refund, checkout });
    this.scheduler.after(takesMs, this.world, () =>
      this.onNotice({ kind: 'refund', id: refund.id, reference: checkout.reference, transactionId: null }, this),
    );
    return { outcome: 'yes', value: this.receiptOf(refund) };
  }

  private receiptOf({ id, endsAt, fails }: BookedRefund): RefundReceipt {
    const state = endsAt > this.scheduler.now ? 'processing' : fails ? 'failed' : 'succeeded';
    return { gatewayRefundId: id, state, message: null };
  }

  private findRefund({ gatewayRefundId }: RefundQuery): Verdict<RefundReceipt> {
    const known = this.refundsById.get(gatewayRefundId);
    if (known === undefined) return no('our_configuration', 'not_found', 'there is no such refund');
    return { outcome: 'yes', value: this.receiptOf(known.refund) };
  }

  private listRefunds({ paymentReference }: { readonly paymentReference: string | null }): Verdict<{
    readonly rows: readonly ListedRefund[];
    readonly nextCursor: null;
  }> {
    const checkout = this.byReference.get(paymentReference ?? '');
    const rows = (checkout?.refunds ?? []).map((refund): ListedRefund => {
      const { gatewayRefundId, state } = this.receiptOf(refund);
      const amount = decimal(refund.amount);
      const createdAt = new Date(refund.at);
      return {
        gatewayRefundId,
        state,
        paymentReference,
        transactionId: null,
        amount,
        currency: null,
        note: refund.note,
        createdAt,
      };
    });
    return { outcome: 'yes', value: { rows, nextCursor: null } };
  }

  private findDispute({ gatewayDisputeId }: { readonly gatewayDisputeId: string }): Verdict<ReportedDispute> {
    const known = this.disputesById.get(gatewayDisputeId);
    const [charge] = known?.checkout.charges ?? [];
    if (known === undefined || charge === undefined) return no('our_configuration', 'not_found', 'there is no such dispute');
    const { dispute, checkout } = known;
    const isDecided = dispute.decidedAt <= this.scheduler.now;
    return {
      outcome: 'yes',
      value: {
        gatewayDisputeId,
        reference: checkout.reference,
        transactionId: charge.transactionId,
        state: isDecided ? (dispute.isLost ? 'lost' : 'won') : 'needs_response',
        category: 'chargeback',
        stage: null,
        amount: null,
        dueAt: null,
        openedAt: new Date(dispute.openedAt),
        closedAt: isDecided ? new Date(dispute.decidedAt) : null,
      },
    };
  }

  private readWebhook({ body }: WebhookRequest): WebhookReading {
    const notice: Notice = JSON.parse(new TextDecoder().decode(body));
    const facts = { event: notice.kind, dedupeKey: notice.id, occurredAt: null };
    switch (notice.kind) {
      case 'payment':
        return { kind: 'payment', reference: notice.reference, transactionId: notice.transactionId, ...facts };
      case 'refund':
        return { kind: 'refund', gatewayRefundId: notice.id, reference: notice.reference, ...facts };
      case 'dispute': {
        const gatewayDisputeId = notice.id.split('-').slice(0, 2).join('-');
        return {
          kind: 'dispute',
          gatewayDisputeId,
          reference: notice.reference,
          transactionId: notice.transactionId ?? '',
          ...facts,
        };
      }
      default:
        return notice.kind satisfies never;
    }
  }

  /** One call: there, what the gateway does, and back, each in its time. */
  private call<T>(
    owner: Owner,
    what: string,
    method: 'GET' | 'POST',
    reference: string,
    timeoutMs: number,
    act: () => Verdict<T>,
  ): Promise<Outcome<T>> {
    const { scheduler, world, draws } = this;
    const fault = this.faultOfCall();
    const begunAt = scheduler.now;
    const note = (answered: boolean): void => {
      const { gateway, accountId } = this;
      this.journal.push({ gateway, accountId, reference, method, what, at: scheduler.now, answered });
      this.history.note(reference, `${owner.name} → ${gateway}: ${what}${answered ? '' : `, which meets ${fault}`}`);
    };
    return new Promise((resolve) => {
      let isOver = false;
      const end = (verdict: Verdict<T>, httpStatus: number | null): void => {
        if (isOver) return;
        isOver = true;
        if (!owner.alive) return;
        const call = {
          method,
          url: '',
          httpStatus,
          latencyMs: scheduler.now - begunAt,
          request: null,
          answer: null,
          retryAfterMs: null,
        };
        const give = (): void => resolve({ ...verdict, call });
        if (owner.pausedUntil > scheduler.now) scheduler.after(0, owner, give);
        else give();
      };
      const fail = (code: Failure['code'], isNothingDone: boolean): void => {
        const failure: Failure = { class: 'provider_fault', code, message: code };
        end({ outcome: isNothingDone && method === 'POST' ? 'no' : 'unknown', failure }, code === 'http_5xx' ? 500 : null);
      };
      const there = draws.between(20, 400);
      switch (fault) {
        case 'gateway_down':
          scheduler.after(there, world, () => fail('connection_refused', true));
          return;
        case 'gateway_limits_rate':
          scheduler.after(there, world, () => {
            note(false);
            fail('rate_limited', true);
          });
          return;
        case 'gateway_errors':
          scheduler.after(there, world, () => {
            note(false);
            if (draws.chance(0.5)) act();
            fail('http_5xx', false);
          });
          return;
        case 'gateway_silent':
          scheduler.after(there, world, () => {
            note(false);
            if (draws.chance(0.6)) act();
          });
          scheduler.after(timeoutMs, world, () => fail('timeout', false));
          return;
        case 'gateway_late': {
          const arrival = draws.between(there, draws.pick([5_000, MINUTE_MS, 9 * MINUTE_MS]));
          scheduler.after(arrival, world, () => {
            note(arrival < timeoutMs);
            const verdict = act();
            end(verdict, 200);
          });
          if (arrival >= timeoutMs) scheduler.after(timeoutMs, world, () => fail('timeout', false));
          return;
        }
        default:
          scheduler.after(there, world, () => {
            note(true);
            const verdict = act();
            scheduler.after(there, world, () => end(verdict, 200));
          });
          if (2 * there > timeoutMs) scheduler.after(timeoutMs, world, () => fail('timeout', false));
      }
    });
  }

  private faultOfCall(): FaultKind | null {
    for (const { kind, share } of this.faults) if (share === 1 || this.draws.chance(share)) return kind;
    return null;
  }
}

/** Id of the notice that a charge was taken back. */
export function reversalNotice(transactionId: string): string {
  return `reversal-${transactionId}`;
}

/** A fee in hundredths, by the gateway's rate. */
export function feeOf(amount: number, { feeBasisPoints, feeMax }: Quirks): number {
  return Math.min(Math.round((amount * feeBasisPoints) / 10_000), feeMax === 0 ? Number.POSITIVE_INFINITY : feeMax);
}

/** Hundredths as the exact decimal of the main unit that connectors give. */
export function decimal(hundredths: number): string {
  const [whole, rest] = [Math.trunc(hundredths / 100), hundredths % 100];
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(2, '0').replace(/0$/, '')}`;
}

function no(of: Failure['class'], code: Failure['code'], message: string): { readonly outcome: 'no'; readonly failure: Failure } {
  return { outcome: 'no', failure: { class: of, code, message } };
}

function unknown(
  of: Failure['class'],
  code: Failure['code'],
  message: string,
): { readonly outcome: 'unknown'; readonly failure: Failure } {
  return { outcome: 'unknown', failure: { class: of, code, message } };
}
