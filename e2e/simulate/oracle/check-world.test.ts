import { describe, expect, test } from 'vitest';
import type { WorldRun } from '../run-world.ts';
import { checkWorld } from './check-world.ts';

const observations: WorldRun['observations'] = {
  answers: [],
  deliveries: [],
  forgeries: [],
  statements: [],
  calls: [],
  acknowledged: { a1: 2 },
  openAfterSessions: [],
  unrecordedMoney: [],
  settledAfterMs: 1,
};

/** A world without payments, in which two webhooks were acknowledged and stored. */
const quiet: WorldRun = {
  observations,
  rows: {
    ...Object.fromEntries(
      ['payments', 'attempts', 'committed', 'moves', 'timeline', 'duplicateCharges', 'refunds', 'events', 'endpoints'].map(
        (name) => [name, []],
      ),
    ),
    deliveryRows: [],
    leftJobs: [],
    webhooks: [{ account_id: 'a1', stored: 2 }],
    rollups: [],
    sums: [],
    rollupChanges: [{ left: 0 }],
    attemptRollups: [],
    attemptSums: [],
  },
  verified: { decisions: [], chains: [] },
  unhandled: [],
  digest: '',
  virtualMs: 0,
  realMs: 0,
  cpuMs: 0,
  events: 0,
  statements: 0,
  story: [],
  crashes: 0,
};
const sums = { merchant_id: 'm1', status: 'SUCCESS', payments: 1, amount: 100, refunded: 0 };

describe('the oracle', () => {
  test('finds nothing in a world in which nothing is wrong', () => {
    expect(checkWorld(quiet)).toEqual([]);
  });

  test.each<[string, string, Partial<WorldRun>]>([
    ['a decision that does not come out again', 'decision_differs', { verified: { decisions: ['payment p1'], chains: [] } }],
    ['a broken audit chain', 'audit_chain_broken', { verified: { decisions: [], chains: ['entry 3'] } }],
    ['a rejection without a handler', 'process_ended', { unhandled: ['Error: late'] }],
    ['a webhook that was acknowledged and not stored', 'webhook_lost', { rows: { ...quiet.rows, webhooks: [] } }],
    ['a payment that stays open', 'settled_late', { observations: { ...observations, openAfterSessions: ['p1'] } }],
    ['money that nobody looks up', 'settled_late', { observations: { ...observations, unrecordedMoney: ['r1'] } }],
    ['work that is left', 'never_settled', { observations: { ...observations, settledAfterMs: null } }],
    ['changes that are not in the roll-ups', 'report_sum_wrong', { rows: { ...quiet.rows, rollupChanges: [{ left: 1 }] } }],
    [
      'a roll-up without its payments',
      'report_sum_wrong',
      { rows: { ...quiet.rows, rollups: [{ detail: 'merchants', step: 'day', ...sums }] } },
    ],
    [
      'attempts that are not in their roll-up',
      'report_sum_wrong',
      { rows: { ...quiet.rows, attemptSums: [{ result: 'opened', attempts: 1 }] } },
    ],
  ])('finds %s', (_what, kind, change) => {
    expect(checkWorld({ ...quiet, ...change }).map((each) => each.kind)).toEqual([kind]);
  });
});
