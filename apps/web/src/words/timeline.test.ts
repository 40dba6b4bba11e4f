import { describe, expect, test } from 'vitest';
import { type AttemptFacts, type RecordedEvent, tellStory } from './timeline.ts';

const at = (ms: number) => new Date(Date.parse('2026-11-21T09:00:00Z') + ms);

function event(ms: number, change: Partial<RecordedEvent>): RecordedEvent {
  const plain = { type: 'payment.pending', fromStatus: null, toStatus: null, detail: {}, cause: 'api', actor: null };
  return { ...plain, eventId: `event-${ms}`, createdAt: at(ms), ...change };
}

function failed(ms: number, latencyMs: number): AttemptFacts {
  const failure = { message: 'No answer in time.' };
  return { attemptId: `attempt-${ms}`, gateway: 'paystack', failure, latencyMs, createdAt: at(ms) };
}

const begun = event(0, { type: 'payment.initiated', toStatus: 'INITIATED' });

describe('the story of a payment', () => {
  test('tells of checkouts that did not open where they did not', () => {
    const opened = event(900, {
      fromStatus: 'INITIATED',
      toStatus: 'PENDING',
      detail: { gateway: 'flutterwave', reference: 'r1' },
    });
    const paid = event(60_000, {
      ...{ type: 'payment.succeeded', fromStatus: 'PENDING', toStatus: 'SUCCESS', cause: 'gateway_webhook' },
      detail: { gateway: 'flutterwave', amount: '1234567.5', currency: 'NGN', transactionId: '42', late: false },
    });
    const story = tellStory([begun, opened, paid], [failed(10, 500), { ...failed(511, 300), failure: null }]);
    expect(story.map(({ title, sentence }) => [title, sentence])).toEqual([
      ['Recorded', 'Before any gateway was called.'],
      ['No checkout at Paystack', 'No answer in time.'],
      ['Checkout opened at Flutterwave', 'Under reference r1.'],
      ['Paid at Flutterwave', 'Received NGN 1,234,567.5, transaction 42.'],
    ]);
  });

  test('never lets a gateway fail after the payment was settled, nor before it began', () => {
    const settled = event(500, {
      type: 'payment.failed',
      fromStatus: 'INITIATED',
      toStatus: 'FAILED',
      detail: { reason: 'every_gateway_failed' },
    });
    const story = tellStory([begun, settled], [failed(0, 0), failed(490, 40)]);
    expect(story.map(({ title }) => title)).toEqual(['Recorded', 'No checkout at Paystack', 'No checkout at Paystack', 'Failed']);
  });

  test('names whoever did something by hand, and shows an event it has no words for by its name', () => {
    const story = tellStory([event(1, { type: 'payment.poked', cause: 'staff', actor: 'ada@example.com' })], []);
    expect(story).toMatchObject([{ title: 'payment.poked', cause: 'By hand, ada@example.com' }]);
  });
});
