import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSettledMerchant } from '../testing/account.ts';
import { bankOf, takeStatementOf } from '../testing/bank.ts';
import { findLinesForPayout, findPayoutsForLine, linkBankLine, listBankLinesOf, unlinkBankLine } from './link-bank.ts';

const ADA = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  context = await openTestPayments();
  await testStaff(context, ADA);
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-30T08:00:00Z'));
  key = await createSettledMerchant(context);
});
afterAll(() => context.close());

const bank = () => bankOf(context, key);
const lineId = async (text: string) => {
  const row = await context.database.prisma.bankLine.findFirstOrThrow({ where: { merchantId: key.merchantId, text } });
  return row.id;
};
const command = async (text: string, settlementId: string) => {
  return { merchantId: key.merchantId, bankLineId: await lineId(text), settlementId, actor: `staff:${ADA}` };
};
const linesOf = async (settlementId: string) => {
  const lines = await listBankLinesOf(context, { merchantIds: [key.merchantId], settlementId });
  return lines?.map(({ text, by, byName }) => `${text} ${by}${byName === null ? '' : ' named'}`);
};

test('a person’s link and a person’s no stay whatever statements come, and are audited', async () => {
  const [first, second] = [await bank().payout('S-1', '2026-11-23', '1000'), await bank().payout('S-2', '2026-11-24', '1000')];
  await takeStatementOf(context, key, '23/11/2026,NIP,,700.00', '24/11/2026,PAYSTACK,,1000.00');
  await bank().follow();
  expect([await linesOf(first), await linesOf(second)]).toEqual([[], ['PAYSTACK amount_and_date']]);
  expect(await linkBankLine(context, await command('NIP', first))).toEqual({ kind: 'changed' });
  expect(await linkBankLine(context, await command('NIP', first))).toEqual({ kind: 'unchanged' });
  expect(await unlinkBankLine(context, await command('PAYSTACK', second))).toEqual({ kind: 'changed' });
  expect(await unlinkBankLine(context, await command('PAYSTACK', second))).toEqual({ kind: 'unchanged' });
  await takeStatementOf(context, key, '25/11/2026,RENT,,5.00', '27/11/2026,RENT,,5.00');
  await bank().follow();
  expect([await linesOf(first), await linesOf(second)]).toEqual([['NIP staff named'], []]);
  expect(await bank().open()).toEqual(['MISSING payout 1000 -', 'UNDER payout 1000 700', 'UNMATCHED bank - 1000']);
  expect(await linkBankLine(context, await command('PAYSTACK', second))).toEqual({ kind: 'changed' });
  await bank().follow();
  expect(await linesOf(second)).toEqual(['PAYSTACK staff named']);
  expect(await bank().open()).toEqual(['UNDER payout 1000 700']);
  const audited = await context.database.prisma.auditEntry.findMany({
    where: { tenantId: key.merchantId, objectType: 'bank_line' },
    orderBy: { position: 'asc' },
  });
  expect(audited.map(({ action, actor, after }) => [action, actor, after])).toEqual([
    [
      'settlements.bank_linked',
      `staff:${ADA}`,
      { settlementId: first, payout: 'S-1', amount: '700', currency: 'NGN', matchedBy: 'staff' },
    ],
    [
      'settlements.bank_unlinked',
      `staff:${ADA}`,
      { settlementId: second, payout: 'S-2', amount: '1000', currency: 'NGN', matchedBy: null },
    ],
    [
      'settlements.bank_linked',
      `staff:${ADA}`,
      { settlementId: second, payout: 'S-2', amount: '1000', currency: 'NGN', matchedBy: 'staff' },
    ],
  ]);
});

test('candidates are those of the currency and the days about it, or by what is entered, the nearest amount first', async () => {
  const payout = await bank().payout('S-1', '2026-11-10', '1000');
  await bank().payout('S-2', '2026-11-11', '800');
  await bank().payout('OLD-3', '2026-08-11', '801');
  await takeStatementOf(context, key, '01/09/2026,PAYSTACK OLD,,1000', '12/11/2026,NIP 1,,990', '20/11/2026,NIP 2,,1012');
  await bank().follow();
  const lines = async (text: string) =>
    (await findLinesForPayout(context, { merchantIds: [key.merchantId], settlementId: payout, text }))?.map((line) => line.text);
  expect(await lines('')).toEqual(['NIP 1', 'NIP 2']);
  expect([await lines('old'), await lines('1,012.00'), await lines('none')]).toEqual([['PAYSTACK OLD'], ['NIP 2'], []]);
  const payouts = async (text: string) => {
    const query = { merchantIds: [key.merchantId], bankLineId: await lineId('NIP 1'), text };
    return (await findPayoutsForLine(context, query))?.map(({ reference }) => reference);
  };
  expect(await payouts('')).toEqual(['S-1', 'S-2']);
  expect([await payouts('old-3'), await payouts('801.00'), await payouts(payout)]).toEqual([['OLD-3'], ['OLD-3'], ['S-1']]);
  const theirs = [context.newId()];
  expect(await findLinesForPayout(context, { merchantIds: theirs, settlementId: payout, text: '' })).toBeNull();
  expect(await findPayoutsForLine(context, { merchantIds: theirs, bankLineId: await lineId('NIP 1'), text: '' })).toBeNull();
  expect(await listBankLinesOf(context, { merchantIds: theirs, settlementId: payout })).toBeNull();
});

test('what cannot be is refused, and changes nothing', async () => {
  const dollars = await bank().payout('S-1', '2026-11-23', '1000', { currency: 'USD' });
  const nothing = await bank().payout('S-2', '2026-11-23', '0');
  await takeStatementOf(context, key, '24/11/2026,NIP,,700.00');
  const why = async (settlementId: string) => linkBankLine(context, await command('NIP', settlementId));
  expect(await why(dollars)).toEqual({ kind: 'refused', why: 'It is in USD, the line in NGN.' });
  expect(await why(nothing)).toMatchObject({ kind: 'refused' });
  expect(await why(context.newId())).toEqual({ kind: 'not_found' });
  expect(await linkBankLine(context, { ...(await command('NIP', dollars)), merchantId: context.newId() })).toEqual({
    kind: 'not_found',
  });
  expect(await context.database.prisma.bankDecision.count({ where: { merchantId: key.merchantId } })).toBe(0);
});
