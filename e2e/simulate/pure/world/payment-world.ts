import type { RefundAmount } from '@switchyard/payments/pure';
import type { Decision } from '@switchyard/routing';
import type { Product } from '../open-pure.ts';
import type { Draws } from './draws.ts';
import type { Gateways } from './gateway.ts';
import type { PaymentFile } from './payment-file.ts';
import type { Money, PaymentScript } from './script.ts';

/** Steps of a process about one payment. Between two steps it waits for so many milliseconds, and others go on. */
export type Actor = Generator<number, void, void>;

/** An answer of a gateway about an attempt that a process has heard and applied. */
export interface HeardAnswer {
  readonly at: number;
  readonly attemptId: string;
  readonly position: number;
  /** The state of the attempt that it was applied to. */
  readonly stateBefore: string;
  readonly answer: 'money' | 'declined' | 'not_found' | 'not_paid' | 'none';
  /** Present with `money`. */
  readonly money: Money | null;
  readonly reversed: boolean;
}

/** A refund that was asked for, and what was known then. */
export interface AskedRefund {
  readonly at: number;
  readonly asked: RefundAmount;
  readonly status: string;
  /** Sum of the refunds of the same money that had not failed. */
  readonly taken: bigint;
  readonly reversed: string;
  readonly granted: bigint | null;
}

/** One line of what happened, for people. */
export interface StepLine {
  readonly at: number;
  readonly text: string;
}

/** Everything that happened to one payment. */
export interface PaymentRun {
  readonly script: PaymentScript;
  readonly file: PaymentFile;
  readonly gateways: Gateways;
  readonly heard: HeardAnswer[];
  readonly asked: AskedRefund[];
  /** Lost disputes that were recorded. */
  readonly disputes: string[];
  /** Violations between two steps. */
  readonly wrong: { readonly kind: 'check_missing' | 'check_too_late'; readonly what: string }[];
  readonly lines: StepLine[];
  readonly steps: number;
}

/** Events of one payment in their order. */
export class Agenda {
  now = 0;
  steps = 0;
  private readonly waiting: {
    readonly at: number;
    readonly actor: Actor;
    readonly label: string;
    readonly again: (() => Actor) | null;
  }[] = [];

  /** Lets an actor begin in so many milliseconds. One that may die without a trace is begun `again` two minutes after its death. */
  begin(label: string, afterMs: number, actor: Actor, again: (() => Actor) | null = null): void {
    this.put(this.now + Math.max(0, afterMs), actor, label, again);
  }

  next(): { readonly actor: Actor; readonly label: string; readonly again: (() => Actor) | null } | undefined {
    const event = this.waiting.pop();
    if (event === undefined) return undefined;
    this.now = event.at;
    this.steps += 1;
    return event;
  }

  put(at: number, actor: Actor, label: string, again: (() => Actor) | null): void {
    const { waiting } = this;
    let place = waiting.length;
    // The earliest is last; of those at one moment the first one comes first.
    while (place > 0 && (waiting[place - 1]?.at ?? 0) <= at) place -= 1;
    waiting.splice(place, 0, { at, actor, label, again });
  }
}

/** The world of one payment, which its actors share. */
export interface PaymentWorld {
  readonly product: Product;
  readonly run: Omit<PaymentRun, 'steps'>;
  readonly agenda: Agenda;
  readonly draws: Draws;
  readonly decision: Decision;
  readonly merchant: { readonly merchantNumber: string; readonly refundDuplicates: boolean };
  readonly newId: () => string;
}
