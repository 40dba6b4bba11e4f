import { NIL_ID } from '@switchyard/db';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Condition, keyOf } from '../findings/find.ts';
import { INCIDENT_KINDS, KINDS } from '../kinds/kinds.ts';
import { decideIncidents, GRACE_MS, type OpenIncident } from './decide-incidents.ts';

const START = new Date('2026-11-20T14:00:00Z');
const kinds = new Set(INCIDENT_KINDS);
const after = (ms: number) => new Date(START.getTime() + ms);

function gateway(accountId: string, state: 'down' | 'degraded' | 'probing', merchantId = 'm1'): Condition {
  const kind = state === 'down' ? 'gateway_down' : 'gateway_degraded';
  const facts = { of: 'gateway', gateway: 'Paystack', label: accountId, accountId, methods: [] } as const;
  const of = { merchantId, mode: 'live', subject: accountId, since: START } as const;
  return { ...of, kind, severity: KINDS[kind].severity, facts: { ...facts, methods: [] }, opens: state !== 'probing' };
}

function outage(members: readonly (readonly [merchantId: string, accountId: string])[]): Condition {
  const merchants = new Set(members.map(([merchantId]) => merchantId));
  return {
    merchantId: merchants.size === 1 ? (members[0]?.[0] ?? NIL_ID) : NIL_ID,
    mode: 'live',
    kind: 'correlated_outage',
    subject: '',
    severity: 'critical',
    since: START,
    opens: true,
    facts: {
      of: 'outage',
      methods: [],
      members: members.map(([merchantId, accountId]) => ({
        merchantId,
        accountId,
        gateway: 'Paystack',
        label: accountId,
        state: 'down',
        since: START.toISOString(),
        recovered: false,
      })),
    },
  };
}

/** The incidents as the database would keep them, over a series of observations. */
class Ledger {
  open: OpenIncident[] = [];
  readonly opened: string[] = [];
  readonly closed: [key: string, reason: string][] = [];
  private count = 0;

  observe(at: number, conditions: readonly Condition[], seen: ReadonlySet<(typeof INCIDENT_KINDS)[number]> = kinds): this {
    const decided = decideIncidents(this.open, { conditions, kinds: seen }, after(at));
    for (const { incident, reason } of decided.close) {
      this.open = this.open.filter(({ incidentId }) => incidentId !== incident.incidentId);
      this.closed.push([keyOf(incident), reason]);
    }
    for (const update of decided.update) {
      this.open = this.open.map((incident) => (incident.incidentId === update.incidentId ? update : incident));
    }
    for (const { merchantId, mode, kind, subject, severity, facts, since } of decided.open) {
      const incidentId = String(this.count++);
      this.open.push({ incidentId, merchantId, mode, kind, subject, severity, facts, since, absentSince: null });
      this.opened.push(keyOf({ merchantId, mode, kind, subject }));
    }
    return this;
  }
}

describe('an incident', () => {
  test('opens once while its condition lasts, and closes once it has been gone for the grace period', () => {
    const ledger = new Ledger();
    const down = [gateway('a', 'down')];
    ledger
      .observe(0, down)
      .observe(10_000, down)
      .observe(20_000, [])
      .observe(20_000 + GRACE_MS - 1, []);
    expect(ledger.opened).toEqual(['m1|live|gateway_down|a']);
    expect(ledger.closed).toEqual([]);
    ledger.observe(20_000 + GRACE_MS, []);
    expect(ledger.closed).toEqual([['m1|live|gateway_down|a', 'ended']]);
  });

  test('that flaps within the grace period is one', () => {
    const ledger = new Ledger();
    for (let at = 0; at < 10 * GRACE_MS; at += 10_000) ledger.observe(at, at % 20_000 === 0 ? [gateway('a', 'down')] : []);
    expect([ledger.opened.length, ledger.closed.length]).toEqual([1, 0]);
  });

  test('stays as it is while its kind cannot be read', () => {
    const ledger = new Ledger().observe(0, [gateway('a', 'down')]);
    const others = new Set(INCIDENT_KINDS.filter((kind) => kind !== 'gateway_down'));
    ledger.observe(10_000, [], others).observe(1_000_000, [], others);
    expect([ledger.closed, ledger.open[0]?.absentSince]).toEqual([[], null]);
  });
});

describe('a gateway account', () => {
  test('that goes from degraded to down is another incident, which covers the first', () => {
    const ledger = new Ledger().observe(0, [gateway('a', 'degraded')]).observe(10_000, [gateway('a', 'down')]);
    expect(ledger.opened).toEqual(['m1|live|gateway_degraded|a', 'm1|live|gateway_down|a']);
    expect(ledger.closed).toEqual([['m1|live|gateway_degraded|a', 'absorbed']]);
  });

  test('that is probed, or only degraded after it was down, is still the same incident', () => {
    const ledger = new Ledger().observe(0, [gateway('a', 'down')]);
    ledger
      .observe(10_000, [gateway('a', 'probing')])
      .observe(100_000, [gateway('a', 'degraded')])
      .observe(200_000, [gateway('a', 'probing')]);
    expect([ledger.opened.length, ledger.closed.length]).toEqual([1, 0]);
    expect(ledger.open[0]?.severity).toBe('critical');
  });

  test('that is only probed opens nothing', () => {
    expect(new Ledger().observe(0, [gateway('a', 'probing')]).opened).toEqual([]);
  });

  test('whose credentials are refused is told of once, for that', () => {
    const refused: Condition = {
      ...gateway('a', 'down'),
      kind: 'credentials_refused',
      facts: {
        of: 'credentials',
        gateway: 'Paystack',
        label: 'a',
        accountId: 'a',
        sentence: 'Paystack refuses its credentials.',
      },
    };
    const ledger = new Ledger().observe(0, [gateway('a', 'down')]).observe(10_000, [refused]);
    expect(ledger.closed).toEqual([['m1|live|gateway_down|a', 'absorbed']]);
    expect(ledger.open.map(({ kind }) => kind)).toEqual(['credentials_refused']);
  });
});

describe('a correlated outage', () => {
  const members = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => ['m1', id] as const);
  const all = members.map(([merchantId, id]) => gateway(id, 'down', merchantId));

  test('of eight accounts is one incident', () => {
    const ledger = new Ledger().observe(0, [...all, outage(members)]);
    expect(ledger.opened).toEqual(['m1|live|correlated_outage|']);
  });

  test('absorbs the incident with which it began', () => {
    const ledger = new Ledger().observe(0, all.slice(0, 1)).observe(10_000, [...all, outage(members)]);
    expect(ledger.opened).toEqual(['m1|live|gateway_down|a', 'm1|live|correlated_outage|']);
    expect(ledger.closed).toEqual([['m1|live|gateway_down|a', 'absorbed']]);
  });

  test('lasts until the last member has recovered, also when nothing correlates any more', () => {
    const ledger = new Ledger()
      .observe(0, [...all, outage(members)])
      .observe(600_000, all.slice(7))
      .observe(700_000, []);
    expect(ledger.open.map(({ kind }) => kind)).toEqual(['correlated_outage']);
    ledger.observe(700_000 + GRACE_MS, []);
    expect([ledger.opened.length, ledger.closed]).toEqual([1, [['m1|live|correlated_outage|', 'ended']]]);
  });

  test('that has lost its evidence closes, while an account that is still probed keeps its own incident', () => {
    const probed = { ...gateway('b', 'probing'), isUnproven: true };
    const both = [gateway('a', 'down'), gateway('b', 'down')];
    const apart = new Ledger()
      .observe(0, [gateway('b', 'down')])
      .observe(600_000, [probed])
      .observe(700_000, [probed]);
    expect([apart.open.length, apart.closed]).toEqual([1, []]);
    const ledger = new Ledger().observe(0, [...both, outage(members.slice(0, 2))]).observe(60_000, [gateway('b', 'probing')]);
    ledger.observe(200_000, [probed]).observe(200_000 + GRACE_MS, [probed]);
    expect(ledger.closed).toEqual([['m1|live|correlated_outage|', 'ended']]);
    expect(ledger.open).toEqual([]);
  });

  test('of several merchants absorbs that of one of them', () => {
    const second = gateway('x', 'down', 'm2');
    const ledger = new Ledger().observe(0, [...all, outage(members)]);
    ledger.observe(10_000, [...all, second, outage([...members, ['m2', 'x']])]);
    expect(ledger.open.map(({ merchantId, kind }) => [merchantId, kind])).toEqual([[NIL_ID, 'correlated_outage']]);
  });

  test('leaves alone an account that is no member', () => {
    const ledger = new Ledger().observe(0, [...all, outage(members), gateway('other', 'down')]);
    expect(ledger.opened.toSorted()).toEqual(['m1|live|correlated_outage|', 'm1|live|gateway_down|other']);
  });
});

const anyState = fc.constantFrom('healthy', 'probing', 'degraded', 'down' as const);
const accounts = ['a', 'b', 'c'] as const;
const step = fc.record({
  waitMs: fc.integer({ min: 0, max: 60_000 }),
  states: fc.tuple(anyState, anyState, anyState),
  together: fc.boolean(),
  read: fc.boolean(),
});

test('whatever is observed: one open incident per key, none of a covered account, nothing open once all is well for long', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ledger = new Ledger();
      let at = 0;
      for (const { waitMs, states, together, read } of steps) {
        at += waitMs;
        const conditions = states.flatMap((state, n) => (state === 'healthy' ? [] : [gateway(accounts[n] ?? '', state)]));
        const red = conditions.filter(({ opens }) => opens);
        const correlated = together && red.length > 1 ? [outage(red.map(({ subject }) => ['m1', subject] as const))] : [];
        ledger.observe(at, read ? [...conditions, ...correlated] : [], read ? kinds : new Set());
        const keys = ledger.open.map(keyOf);
        expect(new Set(keys).size).toBe(keys.length);
        const covered = ledger.open.flatMap(({ facts }) =>
          facts.of === 'outage' ? facts.members.map((one) => one.accountId) : [],
        );
        const own = ledger.open.filter(({ kind }) => kind !== 'correlated_outage').map(({ subject }) => subject);
        expect(own.filter((subject) => covered.includes(subject) && read)).toEqual([]);
        expect(new Set(own).size).toBe(own.length);
        // Everything red is in an open incident.
        if (read) for (const { subject } of red) expect([...own, ...covered]).toContain(subject);
      }
      ledger.observe(at + 1, []).observe(at + 1 + GRACE_MS, []);
      expect(ledger.open).toEqual([]);
      expect(ledger.closed.length).toBe(ledger.opened.length);
    }),
  );
});

test('an observation repeated changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const ledger = new Ledger();
      let at = 0;
      for (const { states } of steps) {
        const conditions = states.flatMap((state, n) => (state === 'healthy' ? [] : [gateway(accounts[n] ?? '', state)]));
        ledger.observe(at, conditions);
        const counts = [ledger.opened.length, ledger.closed.length];
        ledger.observe(at, conditions);
        expect([ledger.opened.length, ledger.closed.length]).toEqual(counts);
        at += 10_000;
      }
    }),
  );
});
