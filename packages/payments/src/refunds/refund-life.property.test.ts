import type { Refund } from '@switchyard/db/client';
import type { Failure, Outcome, RefundReceipt } from '@switchyard/gateways';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyRefundResult,
  isFinalRefund,
  type RefundResult,
  resultFromReceipt,
  resultFromSending,
} from './apply-refund-result.ts';

/** `PROPERTY_TIMES=100 npm test -- unit refund-life` looks a hundred times as long. */
const RUNS = 1_000 * Number(process.env.PROPERTY_TIMES ?? 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A request that the gateway has not received by then never arrives. */
const ARRIVAL_MS = 10 * MINUTE;
const CREATED_AT = Date.parse('2026-11-20T14:00:00Z');

/** Moves as they are published with the REST API, and those of a refund that is sent again. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  REQUESTED: ['PROCESSING', 'FAILED'],
  PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],
  NEEDS_ATTENTION: ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
};

const call = { method: 'POST', url: '', httpStatus: null, latencyMs: 1, request: null, answer: null, retryAfterMs: null };
const failed = (outcome: 'no' | 'unknown', of: Failure['class'], code: Failure['code']): Outcome<RefundReceipt> => ({
  outcome,
  failure: { class: of, code, message: code },
  call,
});

/** How a gateway treats a sending: whether it receives it, and what it answers. */
const SENDINGS = {
  accepts: { arrives: true, answer: null },
  refuses: { arrives: false, answer: failed('no', 'our_configuration', 'request_rejected') },
  fails: { arrives: false, answer: failed('no', 'provider_fault', 'http_5xx') },
  loses_the_answer: { arrives: true, answer: failed('unknown', 'provider_fault', 'timeout') },
  loses_the_request: { arrives: false, answer: failed('unknown', 'provider_fault', 'timeout') },
  answers_unreadably: { arrives: true, answer: failed('no', 'provider_fault', 'malformed_answer') },
  knows_the_reference: { arrives: true, answer: failed('no', 'our_configuration', 'duplicate_reference') },
} as const;
type Sending = keyof typeof SENDINGS;

type Row = Pick<Refund, 'state' | 'gatewayRefundId' | 'sentAt' | 'sendCount' | 'heldAt' | 'failureMessage' | 'nextCheckAt'>;

/** A refund: its row, its gateway, and the processes that have a result of it. */
class RefundLife {
  now = CREATED_AT;
  row: Row = {
    state: 'REQUESTED',
    gatewayRefundId: null,
    sentAt: null,
    sendCount: 0,
    heldAt: null,
    failureMessage: null,
    nextCheckAt: new Date(CREATED_AT),
  };
  /** When the gateway received sendings that it accepted. */
  readonly arrivals: number[] = [];
  atGateway: RefundReceipt['state'] = 'processing';
  isUnreadable = false;
  readonly results: RefundResult[] = [];
  wasRefused = false;

  /** Sends the refund if it is still to be sent, and hears of it later. */
  send(kind: Sending, delayMs: number): void {
    if (this.row.state !== 'REQUESTED') return;
    const sending = this.row.sendCount + 1;
    this.move({ state: 'PROCESSING', sentAt: new Date(this.now), sendCount: sending, failureMessage: null });
    const { arrives, answer } = SENDINGS[kind];
    // An answer that is lost says nothing of when the request arrives.
    if (arrives) this.arrivals.push(this.now + (kind === 'loses_the_answer' ? delayMs : 0));
    this.wasRefused ||= kind === 'refuses';
    const result = resultFromSending(answer ?? { outcome: 'yes', value: this.receipt(), call }, sending);
    const isRefused = result.kind === 'reported' && result.state === 'FAILED';
    const listed = sending > 1 && isRefused ? this.listed() : null;
    this.results.push(listed === null ? result : resultFromReceipt(listed));
  }

  /** A sending of which rows may have been lost is held back for a person. */
  hold(): void {
    if (this.row.state !== 'REQUESTED' || this.arrivals.length > 0) return;
    this.move({ state: 'PROCESSING', sentAt: new Date(this.now), sendCount: this.row.sendCount + 1, failureMessage: null });
    this.apply({ kind: 'held', sending: this.row.sendCount, message: 'Rows may have been lost.' });
  }

  /** A person looks at the gateway, and has the refund sent if it is not there. */
  clear(): void {
    if (this.arrivals.length === 0) this.apply({ kind: 'cleared' });
  }

  /** Asks the gateway for the refund. Only its list, read long enough after the sending, proves that it was not received. */
  lookUp(): RefundResult | null {
    const { state, sentAt, sendCount, gatewayRefundId, heldAt } = this.row;
    if (state === 'REQUESTED' || isFinalRefund(state)) return null;
    const listed = this.listed();
    if (listed !== null) return resultFromReceipt(listed);
    const message = 'The gateway lists no such refund.';
    const mayArrive = (sentAt?.getTime() ?? CREATED_AT) + ARRIVAL_MS > this.now;
    if (mayArrive || gatewayRefundId !== null || heldAt !== null) return { kind: 'unanswered', message };
    return { kind: 'not_received', sending: sendCount, message };
  }

  apply(result: RefundResult): void {
    const before = this.row;
    const refund = { ...before, createdAt: new Date(CREATED_AT) };
    const change = applyRefundResult(refund, result, { now: new Date(this.now), random: 0.5 });
    if (change === null) return;
    const { clearedAt: _, ...columns } = change;
    this.move(columns);
    const { state } = this.row;
    const isUnknown = result.kind === 'reported' && result.unrecognised !== undefined;
    if (isUnknown) expect([before.state, 'NEEDS_ATTENTION']).toContain(state);
    if (state === 'SUCCEEDED') expect(this.atGateway).toBe('succeeded');
    if (state === 'REQUESTED' && before.state !== state) expect(['not_received', 'cleared']).toContain(result.kind);
    if (state === 'FAILED' && this.atGateway !== 'failed') this.expectNeverThere();
  }

  private move(columns: Partial<Row>): void {
    const before = this.row;
    this.row = { ...before, ...columns };
    const { state, gatewayRefundId, nextCheckAt } = this.row;
    if (state !== before.state) expect(MOVES[before.state]).toContain(state);
    if (before.gatewayRefundId !== null) expect(gatewayRefundId).toBe(before.gatewayRefundId);
    expect(nextCheckAt === null).toBe(isFinalRefund(state));
  }

  /** A refund that its gateway does not have fails once it was refused, or after a day of trying. */
  private expectNeverThere(): void {
    expect(this.arrivals).toEqual([]);
    expect(this.wasRefused || this.now - CREATED_AT > DAY).toBe(true);
  }

  private listed(): RefundReceipt | null {
    return this.arrivals.some((at) => at <= this.now) ? this.receipt() : null;
  }

  private receipt(): RefundReceipt {
    const receipt = { gatewayRefundId: 'g', state: this.atGateway, message: null };
    if (!this.isUnreadable) return receipt;
    return { ...receipt, state: 'processing', unrecognised: { message: 'A status that no document lists.', record: '{}' } };
  }
}

type Step = fc.Command<object, RefundLife>;

/** A step of a refund's life, after which its gateway has received it once at most. */
function step(label: string, act: (life: RefundLife) => void): Step {
  return {
    check: () => true,
    run(_, life) {
      act(life);
      expect(life.arrivals.length).toBeLessThanOrEqual(1);
    },
    toString: () => label,
  };
}

const sends = fc
  .tuple(fc.constantFrom(...(Object.keys(SENDINGS) as Sending[])), fc.integer({ min: 0, max: ARRIVAL_MS - SECOND }))
  .map(([kind, delayMs]) => step(`it is sent, and its gateway ${kind}, after ${delayMs} ms`, (life) => life.send(kind, delayMs)));

const results = [
  fc.boolean().map((standStill) =>
    step(`it is looked up${standStill ? ' by a process that stands still' : ''}`, (life) => {
      const result = life.lookUp();
      if (result !== null && standStill) life.results.push(result);
      else if (result !== null) life.apply(result);
    }),
  ),
  fc.nat(5).map((nth) =>
    step(`result ${nth} is applied`, (life) => {
      const waiting = life.results.length;
      for (const result of waiting === 0 ? [] : life.results.splice(nth % waiting, 1)) life.apply(result);
    }),
  ),
];

const events = [
  fc.constantFrom(SECOND, MINUTE, 11 * MINUTE, HOUR, DAY).map((ms) =>
    step(`${ms / SECOND} s pass`, (life) => {
      life.now += ms;
    }),
  ),
  fc.constantFrom('succeeded' as const, 'failed' as const, 'needs_attention' as const).map((state) =>
    step(`its gateway says ${state}`, (life) => {
      const isOver = life.atGateway === 'succeeded' || life.atGateway === 'failed';
      if (!isOver && life.arrivals.some((at) => at <= life.now)) life.atGateway = state;
    }),
  ),
  fc.constant(
    step('its gateway has an unknown status, or a known one again', (life) => {
      life.isUnreadable = !life.isUnreadable;
    }),
  ),
  fc.constant(step('it is held back', (life) => life.hold())),
  fc.constant(step('a person has it sent', (life) => life.clear())),
];

const oneStep = fc.oneof(
  { weight: 2, arbitrary: sends },
  { weight: 3, arbitrary: fc.oneof(...results) },
  { weight: 2, arbitrary: fc.oneof(...events) },
);

test('however it is sent, and in whatever order results come, a refund arrives once at most and ends as at its gateway', () => {
  fc.assert(
    fc.property(fc.commands([oneStep], { maxCommands: 60, size: 'max' }), (commands) => {
      const life = new RefundLife();
      fc.modelRun(() => ({ model: {}, real: life }), commands);
      life.isUnreadable = false;
      for (const result of life.results.splice(0)) life.apply(result);
      life.now += 31 * DAY;
      const last = life.lookUp();
      if (last !== null) life.apply(last);
      const { state } = life.row;
      if (life.arrivals.length === 0) {
        // One that was held back waits for a person, and any other that was sent has failed after days of trying.
        if (last === null) expect(['REQUESTED', 'FAILED']).toContain(state);
        else if (last.kind === 'not_received') expect(state).toBe('FAILED');
        else expect([state, life.row.heldAt === null]).toEqual(['NEEDS_ATTENTION', false]);
        return;
      }
      const ends = {
        processing: 'NEEDS_ATTENTION',
        needs_attention: 'NEEDS_ATTENTION',
        succeeded: 'SUCCEEDED',
        failed: 'FAILED',
      };
      expect(state).toBe(ends[life.atGateway]);
    }),
    { numRuns: RUNS },
  );
});
