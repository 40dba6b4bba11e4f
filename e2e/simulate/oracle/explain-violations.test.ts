import { describe, expect, test } from 'vitest';
import { consistent } from '../../world/checker/recorded-fixtures.ts';
import type { WorldRun } from '../run-world.ts';
import { checkWorld } from './check-world.ts';

const verified: WorldRun['verified'] = { decisions: [], otherPlans: [], chains: [], wrongRollups: [] };

/** A world in which nothing was wrong. */
const right: WorldRun = {
  observations: consistent,
  verified,
  staffWork: null,
  unhandled: [],
  digest: '',
  startMs: 0,
  virtualMs: 0,
  realMs: 0,
  cpuMs: 0,
  events: 0,
  statements: 0,
  log: [],
  crashes: 0,
};
const rollup = { table: 'payment_rollup', merchantId: 'm1', period: '2026-11-21 09:00:00+00', sum: 'counted 2' };

describe('the oracle', () => {
  test('finds nothing in a world in which nothing is wrong', () => {
    expect(checkWorld(right)).toEqual([]);
  });

  test.each<[string, string, Partial<WorldRun>]>([
    ['a decision that does not come out again', 'decision_differs', { verified: { ...verified, decisions: ['payment p1'] } }],
    ['another order of accounts', 'plan_not_followed', { verified: { ...verified, otherPlans: ['payment p1'] } }],
    ['a broken audit chain', 'audit_chain_broken', { verified: { ...verified, chains: ['entry 3'] } }],
    ['a roll-up that differs from its payments', 'report_sum_wrong', { verified: { ...verified, wrongRollups: [rollup] } }],
    ['a rejection without a handler', 'process_ended', { unhandled: ['Error: late'] }],
    ['what the checker of all runs finds', 'never_settled', { observations: { ...consistent, isFinished: false } }],
  ])('finds %s', (_what, kind, change) => {
    expect(checkWorld({ ...right, ...change }).map((each) => each.kind)).toEqual([kind]);
  });
});
