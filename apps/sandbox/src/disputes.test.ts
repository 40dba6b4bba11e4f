import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import {
  at,
  call,
  flutterwaveKey,
  listAt,
  openFlutterwave,
  openPaystack,
  paystackKey,
  quickSandbox,
  settle,
  textAt,
} from './testing/harness.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const control = (gateway: string, reference: string, body: object) =>
  call('POST', `${sandbox.controlUrl}/control/${gateway}/transactions/${reference}/dispute`, null, body);

describe('a dispute at Paystack', () => {
  const paystack = (method: string, path: string, body?: object) =>
    call(method, `${sandbox.gateways.paystack}${path}`, paystackKey, body);
  async function disputed(reference: string, body: object = {}): Promise<string> {
    await openPaystack(sandbox, { reference });
    await settle(sandbox, 'paystack', reference, { outcome: 'success' });
    const { body: opened } = await control('paystack', reference, body);
    return textAt(listAt(opened, 'transaction', 'disputes')[0], 'id');
  }
  async function uploaded(id: string): Promise<string> {
    const { body } = await paystack('GET', `/dispute/${id}/upload_url?upload_filename=receipt.pdf`);
    const put = await fetch(textAt(body, 'data', 'signedUrl'), { method: 'PUT', body: '%PDF-1.7' });
    expect(put.status).toBe(200);
    return textAt(body, 'data', 'fileName');
  }

  it('is listed, contested with evidence once, and won when the bank says so', async () => {
    const id = await disputed('contest-1');
    const { body: list } = await paystack('GET', '/dispute?perPage=10&page=1');
    expect(listAt(list, 'data').map((row) => textAt(row, 'id'))).toContain(id);
    const evidence = { customer_email: 'ada@example.com', customer_name: 'Ada', customer_phone: '', service_details: 'Shoes' };
    const added = await paystack('POST', `/dispute/${id}/evidence`, evidence);
    expect(added.body).toMatchObject({ message: 'Evidence created', data: { dispute: Number(id), id: expect.any(Number) } });
    const answer = {
      resolution: 'declined',
      message: 'It was delivered',
      refund_amount: 0,
      uploaded_filename: await uploaded(id),
    };
    const refused = await paystack('PUT', `/dispute/${id}/resolve`, { ...answer, uploaded_filename: 'never-uploaded' });
    expect(refused.status).toBe(400);
    expect((await paystack('PUT', `/dispute/${id}/resolve`, answer)).body).toMatchObject({
      data: { status: 'awaiting-bank-feedback', resolution: null },
    });
    expect((await paystack('PUT', `/dispute/${id}/resolve`, answer)).status).toBe(400);
    await control('paystack', 'contest-1', { resolution: 'declined' });
    expect((await paystack('GET', `/dispute/${id}`)).body).toMatchObject({
      data: { status: 'resolved', resolution: 'declined' },
    });
  });

  it('that is accepted in part takes that part back', async () => {
    const id = await disputed('accept-1');
    const answer = {
      resolution: 'merchant-accepted',
      message: 'Ours',
      refund_amount: 40_000,
      uploaded_filename: await uploaded(id),
    };
    expect((await paystack('PUT', `/dispute/${id}/resolve`, answer)).body).toMatchObject({
      data: { status: 'resolved', resolution: 'merchant-accepted', refund_amount: 40_000 },
    });
  });

  it('that was not answered in time is accepted by itself, as soon as it is looked at', async () => {
    const id = await disputed('silent-1', { dueAt: new Date(Date.now() - 1_000).toISOString() });
    expect((await paystack('GET', `/dispute/${id}`)).body).toMatchObject({
      data: { resolution: 'auto-accepted', transaction: { status: 'reversed' } },
    });
  });
});

describe('a chargeback at Flutterwave', () => {
  const flutterwave = (method: string, path: string, body?: object) =>
    call(method, `${sandbox.gateways.flutterwave}/v3${path}`, flutterwaveKey, body);
  async function disputed(reference: string, body: object = {}): Promise<string> {
    await openFlutterwave(sandbox, { tx_ref: reference });
    await settle(sandbox, 'flutterwave', reference, { outcome: 'success' });
    const { body: opened } = await control('flutterwave', reference, body);
    return textAt(listAt(opened, 'transaction', 'disputes')[0], 'id');
  }
  const row = async (id: string) =>
    listAt((await flutterwave('GET', '/chargebacks?page=1')).body, 'data').find((one) => textAt(one, 'id') === id);

  it('is listed as initiated, and declined once with a link to the proof', async () => {
    const id = await disputed('charge-1');
    expect(await row(id)).toMatchObject({ status: 'initiated', stage: 'new', tx_ref: 'charge-1', settlement_id: 'N/A' });
    const answer = { action: 'decline', comment: 'It was delivered', prooflink: 'https://cdn.filestackcontent.com/x' };
    expect((await flutterwave('PUT', `/chargebacks/${id}`, answer)).body).toMatchObject({
      message: 'Chargeback declined',
      data: { status: 'declined' },
    });
    expect((await flutterwave('PUT', `/chargebacks/${id}`, answer)).status).toBe(400);
  });

  it('that was not answered is lost, which its history says', async () => {
    const id = await disputed('charge-2', { dueAt: new Date(Date.now() - 1_000).toISOString() });
    const found = await row(id);
    expect(found).toMatchObject({ status: 'lost' });
    expect(at(listAt(found, 'meta', 'history').at(-1), 'description')).toBe('No merchant response');
  });
});
