import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import type { FeeSchedule } from '@switchyard/routing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { matchAccount } from '../intake/match-account.ts';
import { readSettlements } from '../intake/read-settlements.ts';
import { createSettledMerchant, linesOf, listing, recordPaid, settlementOf } from '../testing/account.ts';
import { auditFee, auditFees, type ChargedPayment, decimalOf } from './audit-fees.ts';

const PAID_AT = new Date('2026-11-24T11:00:00Z');
/** NGN 37.50 of NGN 2,500.00. */
const CONTRACT: FeeSchedule = { percentBasisPoints: 150, flat: 0, flatWaivedBelow: null, cap: null, vatBasisPoints: 0 };

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-23T08:00:00Z'));
  key = await createSettledMerchant(context, CONTRACT);
  await readSettlements(listing(context, []).context, key);
  context.setClock(new Date('2026-11-24T12:00:00Z'));
});
afterAll(() => context.close());

const pay = (fee: string | null) => recordPaid(context, key.merchantId, { paidAt: PAID_AT, fee });
const settle = (...payouts: Parameters<typeof listing>[1]) => {
  context.setClock(new Date('2026-11-25T08:00:00Z'));
  return readSettlements(listing(context, payouts).context, key);
};
const fees = async () => {
  const rows = await context.database.prisma.paymentFee.findMany({ where: key, orderBy: { paymentId: 'asc' } });
  return rows.map(({ expected, reported, settled, charged, excess }) =>
    [expected, reported, settled, charged, excess].map((amount) => amount?.toFixed() ?? '-').join(' '),
  );
};
const discrepancies = async () => {
  const rows = await context.database.prisma.settlementDiscrepancy.findMany({ where: key, orderBy: { createdAt: 'asc' } });
  return rows.map(({ kind, state, subject, expected, settled }) => {
    return `${kind} ${state} ${subject.split('/')[0]} ${expected?.toFixed() ?? '-'} ${settled?.toFixed() ?? '-'}`;
  });
};
/** A contract entered now, from a moment on. */
const enter = async (schedule: FeeSchedule | null, appliesFrom: Date) => {
  const terms = { tolerance: '0.01', createdBy: 'staff:ada', createdAt: context.now() };
  const id = context.newId();
  await context.database.prisma.feeContract.create({
    data: { ...key, ...terms, id, appliesFrom, ...(schedule !== null && { schedule: JSON.parse(JSON.stringify(schedule)) }) },
  });
  await context.database.prisma.configurationRevision.update({
    where: { merchantId: key.merchantId },
    data: { revision: { increment: 1 } },
  });
  await context.resources.configuration.refresh();
};

describe('an audit of fees', () => {
  test('compares what gateways report with the contract, and opens a discrepancy for each overcharge alone', async () => {
    await pay('37.5');
    await pay('40');
    await pay('30');
    await pay(null);
    expect(await auditFees(context, key)).toEqual({ kind: 'audited', found: 1, resolved: 0 });
    expect(await fees()).toEqual(['37.5 37.5 - 37.5 0', '37.5 40 - 40 2.5', '37.5 30 - 30 -7.5', '37.5 - - - 0']);
    expect(await discrepancies()).toEqual(['OVERCHARGED OPEN fee 37.5 40']);
  });

  test('again writes nothing, and looks at new payments alone', async () => {
    await pay('40');
    await auditFees(context, key);
    const [before] = await context.database.prisma.paymentFee.findMany({ where: key });
    await pay('41');
    context.setClock(new Date('2026-11-24T13:00:00Z'));
    expect(await auditFees(context, key)).toEqual({ kind: 'audited', found: 1, resolved: 0 });
    const [after] = await context.database.prisma.paymentFee.findMany({ where: key });
    expect(after).toEqual(before);
    expect(await discrepancies()).toEqual(['OVERCHARGED OPEN fee 37.5 40', 'OVERCHARGED OPEN fee 37.5 41']);
  });

  test('has the fee of a settlement instead of the reported one, and matching does not report the same again', async () => {
    const [wrong, right] = [await pay('37.5'), await pay('37.5')];
    await auditFees(context, key);
    expect(await discrepancies()).toEqual([]);
    await settle(settlementOf('s1', '2026-11-25', [...linesOf(wrong, PAID_AT, '-75'), ...linesOf(right, PAID_AT)]));
    expect(await fees()).toEqual(['37.5 37.5 75 75 37.5', '37.5 37.5 37.5 37.5 0']);
    expect(await discrepancies()).toEqual(['OVERCHARGED OPEN fee 37.5 75']);
  });

  test('leaves amounts to matching: what is settled short of the payment itself is no fee', async () => {
    const paid = await pay('37.5');
    const [payment, fee] = linesOf(paid, PAID_AT);
    if (payment === undefined || fee === undefined) throw new Error('no lines');
    await settle(settlementOf('s1', '2026-11-25', [{ ...payment, amount: '2400' }, { ...payment, key: 'x', amount: '50' }, fee]));
    context.setClock(new Date('2026-12-01T08:00:00Z'));
    await context.database.prisma.settlementSource.updateMany({ where: key, data: { readTo: context.now() } });
    await matchAccount(context, key);
    expect(await discrepancies()).toEqual(['UNDER OPEN payment 2462.5 2412.5']);
  });

  test('goes by the contract of when a payment was paid', async () => {
    await pay('40');
    await enter({ ...CONTRACT, percentBasisPoints: 100 }, new Date('2026-11-24T11:00:01Z'));
    await auditFees(context, key);
    expect(await fees()).toEqual(['37.5 40 - 40 2.5']);
  });

  test('is done again from where a contract that was entered later begins, and resolves what it explains', async () => {
    await pay('40');
    await auditFees(context, key);
    context.setClock(new Date('2026-11-24T14:00:00Z'));
    await enter({ ...CONTRACT, percentBasisPoints: 160 }, new Date('2026-11-24T00:00:00Z'));
    expect(await auditFees(context, key)).toEqual({ kind: 'audited', found: 0, resolved: 1 });
    expect(await fees()).toEqual(['40 40 - 40 0']);
    await enter(null, new Date('2026-11-24T00:00:00Z'));
    context.setClock(new Date('2026-11-24T15:00:00Z'));
    await auditFees(context, key);
    expect(await fees()).toEqual(['- 40 - 40 0']);
  });

  test('keeps the rate of methods and bands with enough payments, and changes the configuration only where one changed', async () => {
    for (let made = 0; made < 30; made += 1) await pay('50');
    await auditFees(context, key);
    const rates = () => context.resources.configuration.merchant(key.merchantId)?.effectiveRates.get(key.accountId);
    expect(rates()).toEqual([{ currency: 'NGN', method: 'CARD', amount: { from: 2_500, to: 9_999 }, rateMillionths: 20_000 }]);
    const revision = context.resources.configuration.merchant(key.merchantId)?.revision;
    context.setClock(new Date('2026-11-25T09:00:00Z'));
    await auditFees(context, key);
    await context.resources.configuration.refresh();
    expect(context.resources.configuration.merchant(key.merchantId)?.revision).toBe(revision);
  });

  test('is not done of an account that never had a contract', async () => {
    expect(await auditFees(context, await createSettledMerchant(context))).toEqual({ kind: 'not_found' });
  });
});

test('a contract is never changed', async () => {
  await expect(context.database.prisma.feeContract.updateMany({ where: key, data: { tolerance: '1' } })).rejects.toThrow(
    'contracts do not change',
  );
});

const LOCAL: FeeSchedule = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 0 };
const FOREIGN: FeeSchedule = {
  ...LOCAL,
  exceptions: [
    {
      percentBasisPoints: 390,
      flat: 100,
      flatWaivedBelow: null,
      cap: null,
      vatBasisPoints: 0,
      methods: ['CARD'],
      origin: 'international',
      amount: { from: 0, to: null },
    },
  ],
};
const DUTY: FeeSchedule = { ...LOCAL, stampDuty: { amount: 50, from: 10_000 } };

function audit(schedule: FeeSchedule, payment: Partial<ChargedPayment>, tolerance = '0.01') {
  const charged = {
    amount: '10000',
    method: 'CARD',
    reported: null,
    settledFee: null,
    settledDuty: '0',
    cardOrigin: null,
    ...payment,
  };
  const { expected, charged: total, excess } = auditFee({ schedule, tolerance }, charged);
  return { expected, charged: total, excess };
}

describe('a fee', () => {
  test.each([
    ['as agreed', '250', '0'],
    ['above its contract', '250.02', '0.02'],
    ['within the tolerance', '250.01', '0'],
    ['below its contract', '200', '-50'],
  ])('%s differs by exactly that', (_, reported, excess) => {
    expect(audit(LOCAL, { reported })).toEqual({ expected: '250', charged: reported, excess });
  });

  test('that is not known is not compared', () => {
    expect(audit(LOCAL, {})).toEqual({ expected: '250', charged: null, excess: '0' });
  });

  test('that was settled counts before the one that was reported', () => {
    expect(audit(LOCAL, { reported: '250', settledFee: '500' })).toEqual({ expected: '250', charged: '500', excess: '250' });
  });

  test('of a card whose origin is not known is as agreed where it is the international price, and of no other method', () => {
    expect(audit(FOREIGN, { reported: '490' })).toEqual({ expected: '490', charged: '490', excess: '0' });
    expect(audit(FOREIGN, { reported: '490', method: 'TRANSFER' })).toMatchObject({ expected: '250', excess: '240' });
    expect(audit(FOREIGN, { reported: '491' })).toMatchObject({ expected: '250', excess: '241' });
  });

  test('of a card whose origin is known has the price of that origin alone', () => {
    expect(audit(FOREIGN, { reported: '490', cardOrigin: 'local' })).toEqual({ expected: '250', charged: '490', excess: '240' });
    expect(audit(FOREIGN, { reported: '490', cardOrigin: 'international' })).toEqual({
      expected: '490',
      charged: '490',
      excess: '0',
    });
    expect(audit(FOREIGN, { reported: '250', cardOrigin: 'international' })).toMatchObject({ expected: '490', excess: '-240' });
    expect(audit(FOREIGN, { reported: '510.7', cardOrigin: 'international' })).toMatchObject({ expected: '490', excess: '20.7' });
  });

  test('that the customer bore is of amount and fee', () => {
    expect(audit(LOCAL, { reported: '253.81' })).toEqual({ expected: '253.81', charged: '253.81', excess: '0' });
  });

  test('has its stamp duty when it is settled, and only where the contract has one', () => {
    expect(audit(DUTY, { reported: '250' })).toEqual({ expected: '250', charged: '250', excess: '0' });
    expect(audit(DUTY, { settledFee: '250', settledDuty: '50' })).toEqual({ expected: '300', charged: '300', excess: '0' });
    expect(audit(LOCAL, { settledFee: '250', settledDuty: '50' })).toEqual({ expected: '250', charged: '250', excess: '0' });
  });

  test('is compared to the hundredth, and never both over and as agreed', () => {
    const hundredths = fc.integer({ min: 1, max: 1_000_000_000_000 }).map(decimalOf);
    fc.assert(
      fc.property(
        hundredths,
        fc.nat(500_000).map(decimalOf),
        fc.constantFrom('0', '0.01', '5'),
        (amount, reported, tolerance) => {
          const { expected, excess } = audit(FOREIGN, { amount, reported }, tolerance);
          const difference = Math.round(Number(reported) * 100) - Math.round(Number(expected) * 100);
          if (excess === '0') expect(Math.abs(difference)).toBeLessThanOrEqual(Number(tolerance) * 100);
          else expect(Math.round(Number(excess) * 100)).toBe(difference);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
