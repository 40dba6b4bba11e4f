import { describe, expect, test } from 'vitest';
import { describeSource, inDays } from '../app/(admin)/privacy/_components/retention-words.ts';
import { describeSendError, EVENT_WORDS, STATE_TONES, STATE_WORDS } from './alerts.ts';
import { describeBreak, describeKind, describeMerchant } from './audit.ts';
import { describeAnswer, describeDisabledReason, EVENT_LABELS, EVENT_TYPES, FORMAT_TYPES, formatOf } from './webhooks.ts';

describe('an attempt of a delivery', () => {
  test.each([
    [204, null, 'HTTP 204'],
    [302, null, 'HTTP 302, a redirect, which is not followed'],
    [500, 'timeout', 'HTTP 500'],
    [null, 'timeout', 'No response within 15 seconds'],
    [null, 'address_refused', 'The name leads to a private address'],
    [null, 'a_new_failure', 'a_new_failure'],
    [null, null, null],
  ])('with status %j and failure %j: %s', (status, failure, words) => {
    expect(describeAnswer({ status, failure })).toBe(words);
  });
});

test.each([
  ['gone', 'it responded with HTTP 410 Gone'],
  ['failing', 'it failed for five days'],
  ['staff', 'by staff'],
  [null, 'by staff'],
])('an endpoint that is off because of %j: %s', (reason, words) => {
  expect(describeDisabledReason(reason)).toBe(words);
});

describe('the events of a form', () => {
  test('are among all, and a test event is none to subscribe to', () => {
    expect(EVENT_TYPES).not.toContain('webhook.test');
    expect(EVENT_TYPES).toHaveLength(Object.keys(EVENT_LABELS).length - 1);
    for (const types of Object.values(FORMAT_TYPES)) {
      expect(types.filter((type) => !EVENT_TYPES.includes(type))).toEqual([]);
    }
  });

  test('are ours for a form that is not known', () => {
    expect(['paystack', 'flutterwave', 'switchyard', 'stripe', ''].map(formatOf)).toEqual([
      'paystack',
      'flutterwave',
      'switchyard',
      'switchyard',
      'switchyard',
    ]);
  });
});

describe('a message of an alert', () => {
  test.each([
    [null, ''],
    ['muted', 'It was muted'],
    ['status 404', 'HTTP 404'],
    ['something else', 'something else'],
  ])('that was not sent because of %j: "%s"', (error, words) => {
    expect(describeSendError(error)).toBe(words);
  });

  test('has a word and a colour in every state; only one that failed is bad', () => {
    expect(Object.keys(STATE_TONES)).toEqual(Object.keys(STATE_WORDS));
    expect(Object.entries(STATE_TONES).flatMap(([state, tone]) => (tone === 'bad' ? [state] : []))).toEqual(['FAILED']);
    expect(new Set(Object.values(EVENT_WORDS)).size).toBe(Object.keys(EVENT_WORDS).length);
  });
});

describe('how long data is kept', () => {
  test('is in days, one of which is one', () => {
    expect([inDays(1), inDays(0), inDays(30)]).toEqual(['1 day', '0 days', '30 days']);
  });

  test.each([
    ['default', 'alerts', 'Default'],
    ['workspace', 'alerts', 'Workspace'],
    ['merchant', 'alerts', 'This merchant'],
    ['workspace', 'idempotency_records', 'Fixed'],
  ] as const)('was set for %s, of %s: %s', (from, kind, words) => {
    expect(describeSource({ from, kind })).toBe(words);
  });
});

describe('an entry of the audit log', () => {
  test.each([
    ['staff', 'Person'],
    ['rule_set_version', 'Rule set'],
    ['reconciliation_difference', 'Discrepancy'],
    ['api_key', 'API key'],
    ['gateway_account', 'Gateway account'],
  ])('about a %s is about a %s', (type, kind) => {
    expect(describeKind(type)).toBe(kind);
  });

  test('is of a merchant, or of the workspace itself', () => {
    expect([describeMerchant(null, null), describeMerchant('m-1', 'Balogun Books'), describeMerchant('m-1', null)]).toEqual([
      'Workspace',
      'Balogun Books',
      'Unknown merchant',
    ]);
  });

  test('at which the chain breaks has a reason of its own, as a clause', () => {
    const breaks = [
      'changed',
      'missing',
      'not_continued',
      'cut_off',
      'past_head',
      'not_as_kept',
      'unknown_key',
      'head_forged',
    ] as const;
    const clauses = breaks.map(describeBreak);
    expect(new Set(clauses).size).toBe(breaks.length);
    for (const clause of clauses) expect(clause).toMatch(/^(it|its|this|the) .*[a-z]$/);
  });
});
