import { describe, expect, test } from 'vitest';
import { type AttemptFacts, buildTimeline, type RecordedEvent } from './timeline.ts';

const at = (ms: number) => new Date(Date.parse('2026-11-21T09:00:00Z') + ms);

function event(ms: number, change: Partial<RecordedEvent>): RecordedEvent {
  const plain = { type: 'payment.pending', fromStatus: null, toStatus: null, detail: {}, cause: 'api', actor: null };
  return { ...plain, eventId: `event-${ms}`, createdAt: at(ms), ...change };
}

function failed(ms: number, latencyMs: number): AttemptFacts {
  const failure = { message: 'No answer in time.' };
  return { attemptId: `attempt-${ms}`, gateway: 'paystack', failure, latencyMs, createdAt: at(ms) };
}

const NO_NAMES = new Map<string, string>();
const begun = event(0, { type: 'payment.initiated', toStatus: 'INITIATED' });

describe('the timeline of a payment', () => {
  test('says why a payment is under review that no gateway decided', () => {
    const reason = 'Seven days after its session ended, no gateway says whether it was paid.';
    const review = event(900, { type: 'payment.requires_review', cause: 'schedule', detail: { reason, code: 'timeout' } });
    expect(buildTimeline([begun, review], [], NO_NAMES)[1]).toMatchObject({ title: 'Needs review', sentence: reason });
  });

  test('shows the answer with a status that is not known', () => {
    const message = 'Paystack reports a status that its documentation does not list: quarantined.';
    const detail = { gateway: 'paystack', attemptId: 'a-1', message, answer: '{"status":"quarantined"}' };
    const unknown = event(900, { type: 'payment.unrecognised_status', cause: 'schedule', detail });
    const [before, step] = buildTimeline([begun, unknown], [], NO_NAMES);
    expect(step).toMatchObject({ title: 'Unknown status at Paystack', sentence: message, answer: '{"status":"quarantined"}' });
    expect(before).not.toHaveProperty('answer');
  });

  test('lists checkouts that did not open at their time', () => {
    const opened = event(900, {
      fromStatus: 'INITIATED',
      toStatus: 'PENDING',
      detail: { gateway: 'flutterwave', reference: 'r1' },
    });
    const paid = event(60_000, {
      type: 'payment.succeeded',
      fromStatus: 'PENDING',
      toStatus: 'SUCCESS',
      cause: 'gateway_webhook',
      detail: { gateway: 'flutterwave', amount: '1234567.5', currency: 'NGN', transactionId: '42', late: false },
    });
    const timeline = buildTimeline([begun, opened, paid], [failed(10, 500), { ...failed(511, 300), failure: null }], NO_NAMES);
    expect(timeline.map(({ title, sentence }) => [title, sentence])).toEqual([
      ['Created', 'Before any gateway was called.'],
      ['No checkout at Paystack', 'No answer in time.'],
      ['Checkout opened at Flutterwave', 'Under reference r1.'],
      ['Paid at Flutterwave', 'Received NGN 1,234,567.50, transaction 42.'],
    ]);
  });

  test('never lets a gateway fail after the payment was settled, nor before it began', () => {
    const settled = event(500, {
      type: 'payment.failed',
      fromStatus: 'INITIATED',
      toStatus: 'FAILED',
      detail: { reason: 'every_gateway_failed' },
    });
    const timeline = buildTimeline([begun, settled], [failed(0, 0), failed(490, 40)], NO_NAMES);
    expect(timeline.map(({ title }) => title)).toEqual([
      'Created',
      'No checkout at Paystack',
      'No checkout at Paystack',
      'Failed',
    ]);
  });

  test('gives the reason a payment failed in a sentence: our own, else the recorded one', () => {
    const ended = (detail: object) => event(1, { type: 'payment.failed', toStatus: 'FAILED', detail });
    const sentenceOf = (detail: object) => buildTimeline([ended(detail)], [], NO_NAMES)[0]?.sentence;
    expect(sentenceOf({ reason: 'session_expired', message: 'x' })).toMatch(/^The session expired/);
    expect(sentenceOf({ reason: 'declined', message: 'The card was declined.' })).toBe('The card was declined.');
  });

  test('names the person behind a manual action, and shows an unknown event by its type', () => {
    const poked = (ms: number, actor: string) => event(ms, { type: 'payment.poked', cause: 'staff', actor });
    const events = [poked(1, 'ada@example.com'), poked(2, 'staff:1'), poked(3, 'staff:2')];
    const timeline = buildTimeline(events, [], new Map([['1', 'Ada Obi']]));
    expect(timeline.map(({ title }) => title)).toEqual(['payment.poked', 'payment.poked', 'payment.poked']);
    expect(timeline.map(({ cause }) => cause)).toEqual(['Staff, ada@example.com', 'Staff, Ada Obi', 'Staff, former team member']);
  });

  const sum = { amount: '2500.5', currency: 'NGN', gateway: 'paystack' };
  const dispute = { ...sum, category: 'fraud', gatewayDisputeId: '4711' };
  test.each<[string, object, string, string | null, string]>([
    ['payment.initiated', {}, 'Created', 'Before any gateway was called.', 'over'],
    ['payment.pending', {}, 'Checkout opened', null, 'wait'],
    ['payment.succeeded', sum, 'Paid at Paystack', 'Received NGN 2,500.50.', 'good'],
    ['payment.succeeded', { ...sum, late: true }, 'Paid late at Paystack', 'Received NGN 2,500.50.', 'good'],
    ['payment.failed', { reason: 'no_eligible_provider' }, 'Failed', 'No gateway account could take this payment.', 'bad'],
    ['payment.failed', { reason: 'a_new_reason' }, 'Failed', 'a_new_reason', 'bad'],
    ['payment.failed', {}, 'Failed', null, 'bad'],
    ['payment.refunded', sum, 'Refunded in full', null, 'over'],
    ['payment.requires_review', sum, 'Needs review', 'Received NGN 2,500.50.', 'bad'],
    ['payment.duplicate_charge', sum, 'Duplicate payment at Paystack', 'Received NGN 2,500.50.', 'bad'],
    [
      'payment.transfer_returned',
      { ...sum, why: 'another_amount', expected: '2600' },
      'Transfer returned at Paystack',
      'The customer sent NGN 2,500.50 instead of NGN 2,600.00. Paystack returns it. Ask the customer to send exactly the amount of the order while the checkout is open.',
      'wait',
    ],
    [
      'payment.transfer_returned',
      { ...sum, why: 'late', expected: '2500.5' },
      'Transfer returned at Paystack',
      'The customer sent NGN 2,500.50. Paystack returns it. The time to pay was over: ask the customer to pay again by a new checkout.',
      'wait',
    ],
    ['payment.transfer_returned', {}, 'Transfer returned', null, 'wait'],
    [
      'payment.repeated',
      { paymentId: 'p', merchantOrderId: 'ORD-7' },
      'Probably paid twice',
      'Order ORD-7 of the same customer and amount is paid as well; it did not look paid when this payment began.',
      'bad',
    ],
    ['payment.reversed', sum, 'Reversed at Paystack', 'The gateway took NGN 2,500.50 back: the gateway gives no reason.', 'bad'],
    [
      'payment.reversed',
      { ...sum, reversalCause: 'chargeback' },
      'Reversed at Paystack',
      'The gateway took NGN 2,500.50 back: a dispute was lost.',
      'bad',
    ],
    ['payment.reinstated', sum, 'Reversal undone at Paystack', 'The gateway gave NGN 2,500.50 back.', 'good'],
    ['dispute.opened', dispute, 'Disputed at Paystack', 'NGN 2,500.50, fraud, dispute 4711.', 'bad'],
    ['dispute.under_review', sum, 'Dispute under review at Paystack', 'NGN 2,500.50.', 'wait'],
    ['dispute.won', sum, 'Dispute won at Paystack', 'NGN 2,500.50.', 'good'],
    ['dispute.lost', {}, 'Dispute lost', null, 'bad'],
    ['dispute.accepted', {}, 'Dispute accepted', null, 'over'],
    ['dispute.expired', {}, 'No response to the dispute in time', null, 'bad'],
    ['dispute.closed', {}, 'Dispute closed', null, 'over'],
    ['refund.requested', { ...sum, reason: 'Wrong size' }, 'Refund requested at Paystack', 'NGN 2,500.50: Wrong size', 'wait'],
    [
      'refund.succeeded',
      { ...sum, kind: 'duplicate' },
      'Refund succeeded at Paystack',
      'NGN 2,500.50, a duplicate payment.',
      'over',
    ],
    [
      'refund.failed',
      { ...sum, kind: 'mismatched', message: 'Balance too low.' },
      'Refund failed at Paystack',
      'NGN 2,500.50, which did not match the order: Balance too low.',
      'bad',
    ],
    ['refund.needs_attention', sum, 'Refund needs attention at Paystack', 'NGN 2,500.50.', 'bad'],
    ['refund.dismissed', { ...sum, note: 'Paid in cash' }, 'Failed refund dismissed', 'NGN 2,500.50: Paid in cash', 'over'],
    ['duplicate_charge.dismissed', { note: 'Agreed' }, 'Duplicate payment dismissed', 'Agreed', 'over'],
    ['payment.review_resolved', { note: 'Closed' }, 'Review closed', 'Closed', 'over'],
  ])('says of %s with %j: %s. %s (%s)', (type, detail, title, sentence, tone) => {
    const [step] = buildTimeline([event(1, { type, detail })], [], NO_NAMES);
    expect([step?.title, step?.sentence, step?.tone]).toEqual([title, sentence, tone]);
  });

  test.each([
    ['checkout_return', 'Customer returned from checkout'],
    ['gateway_webhook', 'Gateway webhook, verified'],
    ['schedule', 'Scheduled check'],
    ['a_new_cause', 'a_new_cause'],
  ])('says what caused an event: %s', (cause, words) => {
    expect(buildTimeline([event(1, { cause })], [], NO_NAMES)[0]?.cause).toBe(words);
  });

  test('has the colour of the status to which an unknown event led', () => {
    const [step] = buildTimeline([event(1, { type: 'payment.poked', toStatus: 'SUCCESS', detail: null })], [], NO_NAMES);
    expect([step?.title, step?.tone]).toEqual(['payment.poked', 'good']);
  });
});
