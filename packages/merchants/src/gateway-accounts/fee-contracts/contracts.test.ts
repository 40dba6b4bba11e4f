import { contractAt } from '@switchyard/runtime/fee-contracts';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectTestAccount, testAccount, testMerchant } from '../../testing/accounts.ts';
import { readContracts } from '../queries.ts';
import { type AddContractCommand, addContract } from './add-contract.ts';

let context: TestContext;
let merchantId: string;
let accountId: string;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
});

const { fees } = testAccount();
const command = (changes: Partial<AddContractCommand> = {}): AddContractCommand => {
  const entered = { schedule: { ...fees, flat: 50.25 }, appliesFrom: '2099-01-01', tolerance: '0.01', note: ' Renegotiated ' };
  return { merchantId, accountId, ...entered, actor: 'staff:ada', ...changes };
};
const contracts = () => readContracts(context.database.prisma, merchantId);

describe('the contracts of an account', () => {
  test('begin with the fees that it was connected with', async () => {
    expect(await contracts()).toMatchObject([{ accountId, schedule: fees, tolerance: '0.01', appliesTo: null }]);
  });

  test('apply each from a day in Lagos until the next, and an earlier one stays as it is', async () => {
    expect(await addContract(context, command())).toMatchObject({ kind: 'added' });
    const begins = new Date('2098-12-31T23:00:00Z');
    const [first, second, ...none] = await contracts();
    expect([first?.appliesTo, second?.appliesFrom, second?.note, none]).toEqual([begins, begins, 'Renegotiated', []]);
    const at = async (moment: Date) => contractAt(await contracts(), accountId, moment)?.schedule?.flat ?? null;
    expect(await at(new Date(begins.getTime() - 1))).toBe(100);
    expect(await at(begins)).toBe(50.25);
    expect(await at(new Date('2000-01-01'))).toBeNull();
  });

  test('are corrected by another from the same day, which applies instead', async () => {
    await addContract(context, command());
    await addContract(context, command({ schedule: null }));
    const all = await contracts();
    expect(all.map(({ appliesFrom, appliesTo }) => appliesTo?.getTime() === appliesFrom.getTime())).toEqual([false, true, false]);
    expect(contractAt(all, accountId, new Date('2100-01-01'))?.schedule).toBeNull();
  });

  test('are in the configuration of this process as soon as they are added, and audited', async () => {
    await addContract(context, command());
    const known = context.resources.configuration.merchant(merchantId)?.feeContracts;
    expect(known?.map(({ schedule }) => schedule?.flat)).toEqual([100, 50.25]);
    const entry = await context.database.prisma.auditEntry.findFirstOrThrow({
      where: { tenantId: merchantId, action: 'fee_contract.added' },
    });
    expect(entry).toMatchObject({
      objectId: accountId,
      actor: 'staff:ada',
      after: { appliesFrom: '2099-01-01', note: 'Renegotiated' },
    });
  });

  test.each([
    ['schedule.percentBasisPoints', { schedule: { ...fees, percentBasisPoints: 10_001 } }],
    ['schedule.cap', { schedule: { ...fees, cap: -1 } }],
    ['schedule.flat', { schedule: { ...fees, flat: 0.125 } }],
    [
      'schedule.exceptions.0.amount.to',
      { schedule: { ...fees, exceptions: [{ ...fees, methods: [], origin: null, amount: { from: 5, to: 4 } }] } },
    ],
    ['appliesFrom', { appliesFrom: '2026-02-30' }],
    ['tolerance', { tolerance: '-1' }],
    ['note', { note: 'x'.repeat(501) }],
  ])('are refused with %s named where it is wrong', async (field, changes) => {
    const problems = [{ field, message: expect.stringMatching(/^must/) }];
    expect(await addContract(context, command(changes))).toEqual({ kind: 'invalid', problems });
  });

  test('are of accounts of the merchant alone', async () => {
    const other = await testMerchant(context);
    expect(await addContract(context, command({ merchantId: other }))).toEqual({ kind: 'not_found' });
    expect(await contracts()).toHaveLength(1);
  });
});
