import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import type { GatewayName } from './simulators.ts';
import {
  at,
  call,
  flutterwaveKey,
  listAt,
  openFlutterwave,
  openPaystack,
  paystackKey,
  quickSandbox,
  setFault,
  settle,
  submit,
} from './testing/harness.ts';

/** A Wednesday, noon in Lagos. */
const wednesday = Date.parse('2026-11-18T11:00:00.000Z');
const dayMs = 86_400_000;

let now = wednesday;
let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function begin(): Promise<void> {
  now = wednesday;
  sandbox = await quickSandbox({ now: () => now });
}

async function pay(reference: string, kobo = 1_000_000): Promise<void> {
  await openPaystack(sandbox, { reference, amount: kobo });
  await settle(sandbox, 'paystack', reference, { outcome: 'success' });
}

const control = (gateway: GatewayName, what: string, body: unknown) =>
  call('POST', `${sandbox.controlUrl}/control/${gateway}/${what}`, null, body);

async function settlements(query = ''): Promise<unknown[]> {
  return listAt((await call('GET', `${sandbox.gateways.paystack}/settlement${query}`, paystackKey)).body, 'data');
}

async function transactionsOf(settlement: unknown): Promise<unknown[][]> {
  const address = `${sandbox.gateways.paystack}/settlement/${String(at(settlement, 'id'))}/transactions`;
  const rows = listAt((await call('GET', address, paystackKey)).body, 'data');
  return rows.map((row) => [at(row, 'reference'), at(row, 'amount'), at(row, 'fees')]);
}

describe('settlements at Paystack', () => {
  it('pay a day’s payments out on the next working day, less their fees, and each once', async () => {
    await begin();
    await pay('one');
    await pay('two', 100_000);
    expect(await settlements()).toEqual([]);
    now = Date.parse('2026-11-19T02:00:00.000Z');
    const [settlement, ...others] = await settlements();
    expect(others).toEqual([]);
    expect(settlement).toMatchObject({
      status: 'success',
      currency: 'NGN',
      total_processed: 1_100_000,
      total_fees: 26_500,
      total_amount: 1_073_500,
      effective_amount: 1_073_500,
      settlement_date: '2026-11-19T00:00:00.000Z',
      createdAt: '2026-11-19T01:00:00.000Z',
    });
    expect(await transactionsOf(settlement)).toEqual([
      ['one', 1_000_000, 25_000],
      ['two', 100_000, 1_500],
    ]);
    now += 5 * dayMs;
    expect((await settlements()).length).toBe(1);
    expect(await settlements('?from=2026-11-20')).toEqual([]);
  });

  it('of a Friday, after midnight in Lagos, come on Monday', async () => {
    await begin();
    now = Date.parse('2026-11-19T23:30:00.000Z');
    await pay('friday');
    now = Date.parse('2026-11-22T12:00:00.000Z');
    expect(await settlements()).toEqual([]);
    now = Date.parse('2026-11-23T01:00:00.000Z');
    expect(at((await settlements())[0], 'settlement_date')).toBe('2026-11-23T00:00:00.000Z');
  });

  it('are reduced by refunds and lost disputes, and refunds name theirs', async () => {
    await begin();
    await pay('one');
    await pay('two', 600_000);
    const refund = await call('POST', `${sandbox.gateways.paystack}/refund`, paystackKey, { transaction: 'one', amount: 40_000 });
    const id = String(at(refund.body, 'data', 'id'));
    await control('paystack', `refunds/${id}/settle`, { outcome: 'processed' });
    await control('paystack', 'transactions/two/dispute', { amount: 50_000 });
    await control('paystack', 'transactions/two/dispute', { resolution: 'merchant-accepted' });
    now += dayMs;
    const [settlement] = await settlements();
    expect(settlement).toMatchObject({ total_processed: 1_600_000, total_amount: 1_556_000, effective_amount: 1_466_000 });
    const read = await call('GET', `${sandbox.gateways.paystack}/refund/${id}`, paystackKey);
    expect(at(read.body, 'data', 'settlement')).toBe(at(settlement, 'id'));
  });

  it('are made at once on request, by the control call and by the page’s button', async () => {
    await begin();
    await pay('one');
    const made = await control('paystack', 'settlements', {});
    expect(listAt(made.body, 'settlements')).toMatchObject([{ payments: 1, net: 975_000, day: '2026-11-18' }]);
    expect((await settlements()).length).toBe(1);
    await pay('two');
    const page = await call('GET', sandbox.controlUrl);
    expect(page.text).toContain('Settle now');
    expect((await submit(`${sandbox.controlUrl}/settlements/paystack`, {})).status).toBe(303);
    expect((await settlements()).length).toBe(2);
    expect((await control('kora', 'settlements', {})).status).toBe(409);
  });

  it('show an account nothing of another’s', async () => {
    await begin();
    await pay('one');
    now += dayMs;
    const [settlement] = await settlements();
    const other = 'sk_test_sandbox_paystack_other';
    await call('PUT', `${sandbox.controlUrl}/control/paystack/keys`, null, { secretKey: other });
    expect(listAt((await call('GET', `${sandbox.gateways.paystack}/settlement`, other)).body, 'data')).toEqual([]);
    const lines = `${sandbox.gateways.paystack}/settlement/${String(at(settlement, 'id'))}/transactions`;
    expect((await call('GET', lines, other)).status).toBe(404);
  });
});

describe('faults of settlements', () => {
  const planted = async (kind: string): Promise<unknown[]> => {
    await begin();
    await pay('one');
    await pay('two');
    now += dayMs;
    await control('paystack', 'settlements', { dueOnly: true, faults: [{ kind, reference: 'two' }] });
    return settlements();
  };

  it('leave a payment out of the list that was paid out', async () => {
    const [settlement] = await planted('missing_settlement_line');
    expect(settlement).toMatchObject({ total_processed: 2_000_000, effective_amount: 1_950_000 });
    expect(await transactionsOf(settlement)).toEqual([['one', 1_000_000, 25_000]]);
  });

  it('take a fee twice', async () => {
    const [settlement] = await planted('wrong_settlement_fee');
    expect(settlement).toMatchObject({ total_fees: 75_000, effective_amount: 1_925_000 });
    expect((await transactionsOf(settlement))[1]).toEqual(['two', 1_000_000, 50_000]);
  });

  it('split a payment over two settlements, which sum to it', async () => {
    const [first] = await planted('split_settlement');
    expect((await transactionsOf(first))[1]).toEqual(['two', 500_000, 25_000]);
    now += dayMs;
    const [second] = await settlements();
    expect(second).toMatchObject({ settlement_date: '2026-11-20T00:00:00.000Z', effective_amount: 500_000 });
    expect(await transactionsOf(second)).toEqual([['two', 500_000, 0]]);
    now += 7 * dayMs;
    expect((await settlements()).length).toBe(2);
  });

  it('pay a payment out two working days late', async () => {
    const [first] = await planted('late_settlement');
    expect(await transactionsOf(first)).toEqual([['one', 1_000_000, 25_000]]);
    now = Date.parse('2026-11-22T12:00:00.000Z');
    expect((await settlements()).length).toBe(1);
    now = Date.parse('2026-11-23T02:00:00.000Z');
    expect(await transactionsOf((await settlements())[0])).toEqual([['two', 1_000_000, 25_000]]);
  });

  it('strike the first payment of each settlement while the switch is on', async () => {
    await begin();
    await pay('one');
    await pay('two');
    await setFault(sandbox, 'paystack', { kind: 'wrong_settlement_fee' });
    now += dayMs;
    const [settlement] = await settlements();
    expect(await transactionsOf(settlement)).toEqual([
      ['one', 1_000_000, 50_000],
      ['two', 1_000_000, 25_000],
    ]);
  });
});

describe('settlements at Flutterwave', () => {
  it('are in naira, with their transactions, refunds summed, and the ids as text in the answer about one', async () => {
    await begin();
    await openFlutterwave(sandbox, { tx_ref: 'flw-1', amount: 500.5 });
    await settle(sandbox, 'flutterwave', 'flw-1', { outcome: 'success' });
    const found = await call(
      'GET',
      `${sandbox.gateways.flutterwave}/v3/transactions/verify_by_reference?tx_ref=flw-1`,
      flutterwaveKey,
    );
    const charge = Number(at(found.body, 'data', 'id'));
    const refund = await call('POST', `${sandbox.gateways.flutterwave}/v3/transactions/${charge}/refund`, flutterwaveKey, {
      amount: 100,
    });
    const refundId = Number(at(refund.body, 'data', 'id'));
    await control('flutterwave', `refunds/${refundId}/settle`, { outcome: 'processed' });
    now += dayMs;
    const address = `${sandbox.gateways.flutterwave}/v3/settlements`;
    const list = await call('GET', `${address}?from=2026-11-19&to=2026-11-19`, flutterwaveKey);
    const [settlement] = listAt(list.body, 'data');
    const amounts = { gross_amount: 500.5, app_fee: 7.01, refund: 100, net_amount: 393.49 };
    expect(settlement).toMatchObject({ ...amounts, status: 'completed', meta: [charge], refund_meta: [refundId] });
    const one = await call('GET', `${address}/${String(at(settlement, 'id'))}`, flutterwaveKey);
    expect(at(one.body, 'data')).toMatchObject({
      ...amounts,
      meta: JSON.stringify([charge]),
      transactions: [
        {
          id: charge,
          tx_ref: 'flw-1',
          charged_amount: 500.5,
          app_fee: 7.01,
          settlement_amount: 493.49,
          transaction_date: '2026-11-18',
        },
      ],
    });
  });
});
