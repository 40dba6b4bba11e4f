import { addDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { line, noon, payment, refund, settled } from '../testing/lines.ts';
import type { LedgerEntry, MatchLine } from './entries.ts';
import { assignByTime } from './link-lines.ts';
import { matchSettlementLines } from './match-settlement-lines.ts';

const OPTIONS = { asOf: '2026-11-25', graceDays: 2, holidays: [], tolerance: '0', toleranceMinutes: 10 };

function match(lines: readonly MatchLine[], ledger: readonly LedgerEntry[], options: Partial<typeof OPTIONS> = {}) {
  const result = matchSettlementLines(lines, ledger, { ...OPTIONS, ...options });
  return {
    links: Object.fromEntries([...result.links].map(([lineId, { subjects, by }]) => [lineId, `${by} ${subjects.join(' ')}`])),
    states: Object.fromEntries(result.entries.map(({ entry, state }) => [entry.subject, state])),
    unmatched: result.unmatched.map(({ lineId }) => lineId).sort(),
    entries: result.entries,
  };
}

function minutes(count: number): Date {
  return new Date(noon.getTime() + count * 60_000);
}

describe('what a line is linked to', () => {
  test('the payment of its reference, its fee too', () => {
    const { links, states } = match([...settled(1), ...settled(2)], [payment(1), payment(2)]);
    expect(links).toEqual({
      '1-a': 'REFERENCE payment/1',
      '1-b': 'REFERENCE payment/1',
      '2-a': 'REFERENCE payment/2',
      '2-b': 'REFERENCE payment/2',
    });
    expect(states).toEqual({ 'payment/1': 'settled', 'payment/2': 'settled' });
  });

  test('the payment of its transaction, where the reference is not known', () => {
    const { links } = match([line('a', { reference: 'shop-77', transactionId: '1001' })], [payment(1)]);
    expect(links).toEqual({ a: 'TRANSACTION payment/1' });
  });

  test('of a payment and its duplicate under one reference, the one of its transaction', () => {
    const twice = payment(1, { subject: 'duplicate/1', kind: 'duplicate', transactionIds: ['1099'] });
    const of = { reference: 'sw-1', transactionId: '1099' };
    const { links } = match(
      [...settled(1), line('c', of), line('d', { ...of, kind: 'FEE', amount: '-37.5' })],
      [payment(1), twice],
    );
    expect(links).toMatchObject({ '1-a': 'REFERENCE payment/1', c: 'REFERENCE duplicate/1', d: 'REFERENCE duplicate/1' });
  });

  test('the dispute of the chargeback that a fee comes with; the fee of a payment stays its own', () => {
    const dispute = payment(1, {
      subject: 'dispute/1',
      kind: 'dispute',
      disputeId: '1',
      references: ['d-1', 'sw-1'],
      transactionIds: ['d-1'],
      amount: '-2500',
      fee: null,
    });
    const name = { reference: 'sw-1', transactionId: '1001', settledOn: '2026-12-02' };
    const taken = [
      line('c', { ...name, kind: 'CHARGEBACK', amount: '-2500' }),
      line('d', { ...name, kind: 'FEE', amount: '-1500' }),
    ];
    const { links, states } = match([...settled(1), ...taken], [payment(1), dispute], { asOf: '2026-12-02' });
    expect(links).toEqual({
      '1-a': 'REFERENCE payment/1',
      '1-b': 'REFERENCE payment/1',
      c: 'REFERENCE dispute/1',
      d: 'REFERENCE dispute/1',
    });
    expect(states).toEqual({ 'payment/1': 'settled', 'dispute/1': 'settled' });
    const together = taken.map((each) => ({ ...each, settledOn: '2026-11-25' }));
    expect(match([...settled(1), ...together], [payment(1), dispute]).links).toMatchObject({
      c: 'REFERENCE dispute/1',
      d: 'REFERENCE payment/1',
    });
  });

  test('the refund of the fee that is given back with it; one that is charged for it, or given back alone, is of the payment', () => {
    const name = { reference: 'sw-1', transactionId: '1001', settledOn: '2026-12-02' };
    const refunded = line('r', { ...name, kind: 'REFUND', amount: '-400' });
    const fee = (amount: string) => line('f', { ...name, kind: 'FEE', amount });
    const ledger = [payment(1), refund(1)];
    const asOf = { asOf: '2026-12-02' };
    const returned = match([...settled(1), refunded, fee('6')], ledger, asOf);
    expect(returned.links).toMatchObject({ r: 'REFERENCE refund/1', f: 'REFERENCE refund/1' });
    expect(returned.states).toEqual({ 'payment/1': 'settled', 'refund/1': 'settled' });
    expect(returned.entries.map(({ expected, settled: got }) => [expected, got])).toContainEqual(['-394', '-394']);
    const charged = match([...settled(1), refunded, fee('-6')], ledger, asOf);
    expect([charged.links['f'], charged.states['payment/1']]).toEqual(['REFERENCE payment/1', 'under']);
    const alone = match([...settled(1), fee('6')], ledger, asOf);
    expect([alone.links['f'], alone.states['payment/1']]).toEqual(['REFERENCE payment/1', 'over']);
  });

  test('the dispute of a chargeback that is given back, which is then settled with nothing', () => {
    const dispute = payment(1, {
      subject: 'dispute/1',
      kind: 'dispute',
      disputeId: '1',
      amount: '-2500',
      fee: null,
      stance: 'void',
    });
    const name = { reference: 'sw-1', kind: 'CHARGEBACK' } as const;
    const taken = line('c', { ...name, amount: '-2500', settledOn: '2026-11-26' });
    const ledger = [payment(1), dispute];
    expect(match([...settled(1), taken], ledger, { asOf: '2026-12-02' }).states['dispute/1']).toBe('under');
    const back = match([...settled(1), taken, line('d', { ...name, amount: '2500' })], ledger, { asOf: '2026-12-02' });
    expect([back.links['d'], back.states['dispute/1']]).toEqual(['REFERENCE dispute/1', 'settled']);
  });

  test('nothing by amount and time, where it names a payment that is not ours', () => {
    const { links, unmatched } = match([line('a', { reference: 'shop-77', occurredAt: noon })], [payment(1)]);
    expect({ links, unmatched }).toEqual({ links: {}, unmatched: ['a'] });
  });

  test('the payment of its amount within the minutes, and none beyond them', () => {
    const { links } = match(
      [line('near', { occurredAt: minutes(9) }), line('far', { amount: '900', occurredAt: minutes(11) })],
      [payment(1), payment(2, { amount: '900' })],
    );
    expect(links).toEqual({ near: 'AMOUNT_AND_TIME payment/1' });
  });

  test('a refund of the payment it names, never the payment itself', () => {
    const deducted = line('r', { kind: 'REFUND', amount: '-400', reference: 'sw-1' });
    expect(match([deducted], [payment(1), refund(1)]).links).toEqual({ r: 'REFERENCE refund/1' });
    expect(match([deducted], [payment(1)]).unmatched).toEqual(['r']);
  });

  test('of two refunds of one payment, the one of its amount', () => {
    const two = [refund(1, { subject: 'refund/a' }), refund(1, { subject: 'refund/b', amount: '-150' })];
    const deducted = line('r', { kind: 'REFUND', amount: '-150', reference: 'sw-1' });
    expect(match([deducted], two).links).toEqual({ r: 'REFERENCE refund/b' });
  });

  test('all refunds that one amount deducts, the earliest that add up to it', () => {
    const refunds = [1, 2, 3, 4].map((at) => refund(at, { occurredAt: minutes(at), amount: at === 3 ? '-300' : '-400' }));
    const total = line('t', { kind: 'ADJUSTMENT', amount: '-700' });
    const { links, states } = match([total], refunds);
    expect(links).toEqual({ t: 'AMOUNT_AND_TIME refund/2 refund/3' });
    expect(states).toMatchObject({ 'refund/2': 'settled', 'refund/3': 'settled', 'refund/4': 'expected' });
  });

  test('of refunds of one amount, the one that is awaited', () => {
    const before = refund(1, { expectedOn: null, occurredAt: minutes(-5) });
    const total = line('t', { kind: 'ADJUSTMENT', amount: '-400' });
    expect(match([total], [before, refund(2)]).links).toEqual({ t: 'AMOUNT_AND_TIME refund/2' });
    expect(match([total], [before]).links).toEqual({ t: 'AMOUNT_AND_TIME refund/1' });
  });

  test('no refund that was made after the day of the payout in Lagos', () => {
    const total = line('t', { kind: 'ADJUSTMENT', amount: '-400', settledOn: '2026-11-23' });
    const at = (time: string) => [refund(1, { occurredAt: new Date(time) })];
    expect(match([total], at('2026-11-23T23:00:00Z')).unmatched).toEqual(['t']);
    expect(match([total], at('2026-11-23T22:59:59Z')).links).toEqual({ t: 'AMOUNT_AND_TIME refund/1' });
  });

  test('nothing of another currency', () => {
    expect(match([line('a', { reference: 'sw-1', currency: 'USD' })], [payment(1)]).unmatched).toEqual(['a']);
  });
});

describe('how a payment stands', () => {
  const stateOf = (lines: readonly MatchLine[], options: Partial<typeof OPTIONS> = {}, changes: Partial<LedgerEntry> = {}) =>
    match(lines, [payment(1, changes)], options).states['payment/1'];

  test('expected to the end of its day, late within the working days of grace, then missing', () => {
    expect(stateOf([], { asOf: '2026-11-25' })).toBe('expected');
    expect(stateOf([], { asOf: '2026-11-26' })).toBe('late');
    expect(stateOf([], { asOf: '2026-11-27' })).toBe('late');
    expect(stateOf([], { asOf: '2026-11-28' })).toBe('missing');
    expect(stateOf([], { asOf: '2026-11-28', holidays: ['2026-11-27'] as never[] })).toBe('late');
  });

  test('settled where the customer bore the fee, and over where it is more than that', () => {
    const charged = (amount: string) => [
      line('a', { reference: 'sw-1', amount }),
      line('b', { reference: 'sw-1', kind: 'FEE', amount: '-37.5' }),
    ];
    expect(stateOf(charged('2537.5'))).toBe('settled');
    expect(stateOf(charged('2538'))).toBe('over');
  });

  test('a part of it is awaited as the whole is, and is under afterwards', () => {
    const part = [line('a', { reference: 'sw-1', amount: '1000' })];
    expect(stateOf(part, { asOf: '2026-11-25' })).toBe('expected');
    expect(stateOf(part, { asOf: '2026-11-26' })).toBe('late');
    expect(stateOf(part, { asOf: '2026-12-01' })).toBe('under');
  });

  test('a payment that two settlements share is settled', () => {
    const [, fee] = settled(1);
    const parts = ['1000', '1500'].map((amount, at) => line(String(at), { reference: 'sw-1', amount }));
    expect(stateOf([...parts, fee ?? line('none')])).toBe('settled');
  });

  test('a fee of another amount makes it under or over, unless it is tolerated or no fee is known', () => {
    const withFee = (amount: string) => [line('a', { reference: 'sw-1' }), line('b', { reference: 'sw-1', kind: 'FEE', amount })];
    expect(stateOf(withFee('-40'))).toBe('under');
    expect(stateOf(withFee('-37.49'))).toBe('over');
    expect(stateOf(withFee('-37.49'), { tolerance: '0.01' })).toBe('settled');
    expect(stateOf(withFee('-40'), {}, { fee: null })).toBe('settled');
  });

  test('settled twice is over', () => {
    expect(stateOf([...settled(1), ...settled(1).map((each) => ({ ...each, lineId: `again-${each.lineId}` }))])).toBe('over');
  });

  test('one that is not awaited is never late', () => {
    expect(stateOf([], { asOf: '2027-01-01' }, { expectedOn: null })).toBe('expected');
  });

  test('a dispute that is open may be deducted or not; one that was won may not', () => {
    const deducted = [line('c', { kind: 'CHARGEBACK', amount: '-2500', reference: 'sw-1' })];
    const dispute = (stance: LedgerEntry['stance']) =>
      payment(1, { subject: 'dispute/1', kind: 'dispute', amount: '-2500', fee: '0', stance });
    expect(match(deducted, [dispute('open')]).states).toEqual({ 'dispute/1': 'undecided' });
    expect(match(deducted, [dispute('void')]).states).toEqual({ 'dispute/1': 'under' });
    expect(match([], [dispute('void')]).states).toEqual({ 'dispute/1': 'settled' });
  });
});

describe('whatever lines and entries there are', () => {
  const entries = fc.uniqueArray(
    fc.record({
      at: fc.integer({ min: 1, max: 6 }),
      kind: fc.constantFrom('payment', 'refund'),
      minute: fc.integer({ min: 0, max: 30 }),
    }),
    { selector: ({ at, kind }) => `${kind}/${at}`, maxLength: 8 },
  );
  const ledgerOf = (some: readonly { at: number; kind: string; minute: number }[]) =>
    some.map(({ at, kind, minute }) => {
      const changes = { occurredAt: minutes(minute) };
      return kind === 'payment' ? payment(at, changes) : refund(at, changes);
    });
  const lines = fc
    .array(
      fc.record({
        kind: fc.constantFrom('PAYMENT', 'FEE', 'REFUND', 'ADJUSTMENT', 'RESIDUE'),
        amount: fc.constantFrom('2500', '1000', '-37.5', '-400', '-800', '12'),
        name: fc.constantFrom('reference', 'transaction', 'none', 'unknown'),
        at: fc.integer({ min: 1, max: 6 }),
        minute: fc.integer({ min: 0, max: 30 }),
      }),
      { maxLength: 12 },
    )
    .map((some) =>
      some.map(({ kind, amount, name, at, minute }, index) =>
        line(`line-${String(index).padStart(2, '0')}`, {
          kind: kind as MatchLine['kind'],
          amount,
          reference: { reference: `sw-${at}`, transaction: 'shop', none: null, unknown: 'shop' }[name] ?? null,
          transactionId: name === 'transaction' ? String(1000 + at) : null,
          occurredAt: minutes(minute),
        }),
      ),
    );

  test('the result does not depend on their order', () => {
    fc.assert(
      fc.property(entries, lines, fc.infiniteStream(fc.nat()), (some, all, order) => {
        const shuffled = <T>(list: readonly T[]) =>
          list
            .map((each) => [order.next().value ?? 0, each] as const)
            .sort((a, b) => a[0] - b[0])
            .map(([, each]) => each);
        const once = match(all, ledgerOf(some));
        const again = match(shuffled(all), shuffled(ledgerOf(some)));
        expect(again.links).toEqual(once.links);
        expect(again.states).toEqual(once.states);
      }),
    );
  });

  test('no money is lost or counted twice: what entries were settled and what is unmatched is the sum of the lines', () => {
    fc.assert(
      fc.property(entries, lines, (some, all) => {
        const { entries: results, unmatched } = match(all, ledgerOf(some));
        const rest = all.filter(({ lineId }) => unmatched.includes(lineId)).map(({ amount }) => amount);
        const explained = results.flatMap(({ settled }) => settled ?? []);
        expect(addDecimals(...explained, ...rest)).toBe(addDecimals(...all.map(({ amount }) => amount)));
      }),
    );
  });

  test('lines that are linked stay so, and matching again adds nothing', () => {
    fc.assert(
      fc.property(entries, lines, (some, all) => {
        const first = matchSettlementLines(all, ledgerOf(some), OPTIONS);
        const linked = all.map((each) => ({ ...each, subjects: first.links.get(each.lineId)?.subjects ?? [] }));
        const second = matchSettlementLines(linked, ledgerOf(some), OPTIONS);
        expect(second.links.size).toBe(0);
        expect(second.entries).toEqual(first.entries);
      }),
    );
  });

  test('a line is linked by name alone, unless it has none; a residue never is', () => {
    fc.assert(
      fc.property(entries, lines, (some, all) => {
        const { links } = matchSettlementLines(all, ledgerOf(some), OPTIONS);
        for (const each of all) {
          const found = links.get(each.lineId);
          if (each.kind === 'RESIDUE') expect(found).toBeUndefined();
          const hasName = each.reference !== null || each.transactionId !== null;
          if (found !== undefined) expect(found.by === 'AMOUNT_AND_TIME').toBe(!hasName);
        }
      }),
    );
  });
});

describe('amount and time', () => {
  const times = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 6 });

  test('pairs as many as a search of every pairing finds, with as little time between them', () => {
    fc.assert(
      fc.property(times, times, fc.integer({ min: 0, max: 5 }), (lineTimes, entryTimes, reach) => {
        const pairs = assignByTime(
          lineTimes.map((time) => ({ time })),
          entryTimes.map((time) => ({ time })),
          reach,
        );
        expect(new Set(pairs.map(([a]) => a)).size).toBe(pairs.length);
        expect(new Set(pairs.map(([, b]) => b)).size).toBe(pairs.length);
        const distances = pairs.map(([a, b]) => Math.abs(a.time - b.time));
        expect(distances.every((distance) => distance <= reach)).toBe(true);
        const cost = distances.reduce((sum, distance) => sum + distance, 0);
        expect({ count: pairs.length, cost }).toEqual(bestOfAll(lineTimes, entryTimes, reach));
      }),
      { numRuns: 500 },
    );
  });

  function bestOfAll(lines: readonly number[], entries: readonly number[], reach: number): { count: number; cost: number } {
    const [first, ...rest] = lines;
    if (first === undefined) return { count: 0, cost: 0 };
    const taking = entries.flatMap((time, at) => {
      if (Math.abs(first - time) > reach) return [];
      const { count, cost } = bestOfAll(rest, entries.toSpliced(at, 1), reach);
      return [{ count: count + 1, cost: cost + Math.abs(first - time) }];
    });
    return [bestOfAll(rest, entries, reach), ...taking].reduce((a, b) =>
      b.count > a.count || (b.count === a.count && b.cost < a.cost) ? b : a,
    );
  }
});
