import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { caller, describeDocumentedFlows, email, has, present } from '../testing/documented-flows.ts';
import { at, call, listAt, openPaystack, paystackKey, quickSandbox, settle, submit, textAt, until } from '../testing/harness.ts';

let sandbox: Sandbox;
let base: string;
beforeAll(async () => {
  sandbox = await quickSandbox();
  base = sandbox.gateways.paystack;
});
afterAll(() => sandbox.close());

const initialize = (body: unknown, key: string | null = paystackKey) => call('POST', `${base}/transaction/initialize`, key, body);
const verify = (reference: string, key = paystackKey) => call('GET', `${base}/transaction/verify/${reference}`, key);
const good = { email: 'ada@example.com', amount: 100_000 };

describe('initialize', () => {
  it('answers with the three documented fields, the page on the same server', async () => {
    const { status, body } = await initialize({ ...good, reference: 'shape-1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      message: 'Authorization URL created',
      data: {
        authorization_url: expect.stringMatching(new RegExp(`^${base}/checkout/[a-z0-9]{15}$`)),
        access_code: expect.stringMatching(/^[a-z0-9]{15}$/),
        reference: 'shape-1',
      },
    });
    expect(textAt(body, 'data', 'authorization_url')).toContain(textAt(body, 'data', 'access_code'));
  });

  it('makes up a reference of ten characters when none is sent', async () => {
    expect(textAt((await initialize(good)).body, 'data', 'reference')).toMatch(/^[a-z0-9]{10}$/);
  });

  it('takes kobo as a numeric string', async () => {
    await initialize({ ...good, amount: '25050', reference: 'string-amount' });
    expect(at((await verify('string-amount')).body, 'data', 'amount')).toBe(25_050);
  });

  it('refuses a reference used before, in its own words', async () => {
    await initialize({ ...good, reference: 'twice' });
    const { status, body } = await initialize({ ...good, reference: 'twice' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      status: false,
      message: 'Duplicate Transaction Reference',
      meta: { nextStep: expect.any(String) },
      type: 'validation_error',
      code: 'duplicate_reference',
    });
  });

  it.each(['under_score', 'sp ace', 'slash/ed', 'ünicode', '', 'a+b'])('refuses the reference %j', async (reference) => {
    expect((await initialize({ ...good, reference })).status).toBe(400);
  });

  it.each(['A-Za.z=09', 'x'.repeat(100)])('takes the reference %j', async (reference) => {
    expect((await initialize({ ...good, reference })).status).toBe(200);
  });

  it.each([0, -1, 10.5, '10.50', 'abc', '-5', true, {}])('refuses the amount %j', async (amount) => {
    const { status, body } = await initialize({ ...good, amount });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: false, message: 'Invalid Amount Sent' });
  });

  it.each([{ amount: 5000 }, { email: 'a@b.co' }, { email: '', amount: 5000 }])(
    'calls what is missing in %j missing',
    async (body) => {
      expect(await initialize(body)).toMatchObject({ status: 400, body: { status: false, code: 'missing_params' } });
    },
  );

  it.each(['not json', '[]', '"text"', 'null'])('refuses the body %s', async (body) => {
    expect(await initialize(body)).toMatchObject({ status: 400, body: { status: false, code: 'invalid_params' } });
  });

  it('refuses a currency it does not settle, and an e-mail that is none', async () => {
    expect((await initialize({ ...good, currency: 'EUR' })).status).toBe(400);
    expect((await initialize({ ...good, email: 'nobody' })).status).toBe(400);
  });
});

describe('keys', () => {
  it.each([
    ['no key', null, 'No Authorization Header was found'],
    ['an unregistered key with the right prefix', 'sk_test_unregistered', 'Invalid key'],
  ])('answers 401 to %s', async (_what, key, message) => {
    expect(await initialize(good, key)).toMatchObject({ status: 401, body: { status: false, message } });
  });

  it('keeps the ledger of each key apart', async () => {
    const other = 'sk_test_second_account';
    await call('PUT', `${sandbox.controlUrl}/control/paystack/keys`, null, { secretKey: other });
    await initialize({ ...good, reference: 'mine' });
    expect((await verify('mine', other)).status).toBe(400);
    const id = textAt((await verify('mine')).body, 'data', 'id');
    expect((await call('GET', `${base}/transaction/${id}`, other)).status).toBe(404);
    expect((await call('POST', `${base}/refund`, other, { transaction: 'mine' })).status).toBe(404);
    expect(at((await call('GET', `${base}/transaction`, other)).body, 'data')).toEqual([]);
    expect((await initialize({ ...good, reference: 'mine' }, other)).status).toBe(200);
  });
});

describe('charge_authorization', () => {
  const charge = (body: unknown) => call('POST', `${base}/transaction/charge_authorization`, paystackKey, body);
  const body = { email: 'ada@example.com', amount: 100_000, authorization_code: 'AUTH_0123456789' };

  it('is refused, and makes no transaction', async () => {
    expect(await charge({ ...body, reference: 'again-1' })).toMatchObject({
      status: 400,
      body: { status: false, message: 'Authorization code is invalid' },
    });
    await initialize({ ...good, reference: 'authorized' });
    await settle(sandbox, 'paystack', 'authorized', { outcome: 'success' });
    const code = textAt((await verify('authorized')).body, 'data', 'authorization', 'authorization_code');
    expect(await charge({ ...body, authorization_code: code, reference: 'again-1' })).toMatchObject({
      status: 400,
      body: { status: false, message: expect.stringMatching(/^Email does not match Authorization code\. /) },
    });
    expect((await verify('again-1')).status).toBe(400);
  });

  it.each([
    [{ email: undefined }, 'Email is required'],
    [{ amount: -1 }, 'Invalid Amount Sent'],
    [{ authorization_code: undefined }, 'Authorization code is required'],
  ])('names what is wrong with %j', async (changes, message) => {
    expect(await charge({ ...body, ...changes })).toMatchObject({ status: 400, body: { status: false, message } });
  });
});

describe('verify', () => {
  it('carries every documented field from the start, with the status abandoned', async () => {
    await initialize({ ...good, reference: 'fresh', metadata: { order: 7 } });
    const { status, body } = await verify('fresh');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: true, message: 'Verification successful' });
    const documented =
      'id domain status reference receipt_number amount requested_amount message gateway_response paid_at created_at channel currency ip_address metadata log fees fees_split fees_breakdown authorization customer plan split order_id source connect transaction_date plan_object subaccount';
    expect(Object.keys(at(body, 'data') ?? {})).toEqual(expect.arrayContaining(documented.split(' ')));
    expect(at(body, 'data')).toMatchObject({
      id: expect.any(Number),
      domain: 'test',
      status: 'abandoned',
      amount: 100_000,
      requested_amount: 100_000,
      paid_at: null,
      fees: null,
      metadata: { order: 7 },
      authorization: {},
      log: { start_time: expect.any(Number), attempts: 0, errors: 0, success: false, mobile: false, input: [], history: [] },
      customer: { email: 'ada@example.com', customer_code: expect.stringMatching(/^CUS_/), risk_action: 'default' },
    });
  });

  it('shows a success with its fee, its card and its time', async () => {
    await initialize({ ...good, amount: 500_000, reference: 'paid' });
    await settle(sandbox, 'paystack', 'paid', { outcome: 'success' });
    expect(at((await verify('paid')).body, 'data')).toMatchObject({
      status: 'success',
      amount: 500_000,
      fees: 17_500,
      channel: 'card',
      paid_at: expect.stringMatching(/Z$/),
      gateway_response: 'Successful',
      metadata: '',
      authorization: { bin: '408408', last4: '4081', reusable: true, country_code: 'NG' },
      log: { attempts: 1, errors: 0, success: true },
    });
  });

  it('answers that an unused reference was not found', async () => {
    expect(await verify('nobody')).toMatchObject({
      status: 400,
      body: { status: false, message: 'Transaction reference not found', code: 'transaction_not_found' },
    });
    expect(await call('GET', `${base}/transaction/verify/`, paystackKey)).toMatchObject({
      status: 400,
      body: { message: 'Transaction ID must be numeric' },
    });
  });

  it('finds the same transaction by its numeric id', async () => {
    await initialize({ ...good, reference: 'by-id' });
    const id = at((await verify('by-id')).body, 'data', 'id');
    expect(at((await call('GET', `${base}/transaction/${id}`, paystackKey)).body, 'data', 'reference')).toBe('by-id');
    expect((await call('GET', `${base}/transaction/999`, paystackKey)).status).toBe(404);
  });
});

describe('refunds', () => {
  const refund = (body: unknown) => call('POST', `${base}/refund`, paystackKey, body);

  async function paid(reference: string, card = '4084084084084081', cvv = '408'): Promise<void> {
    const url = await openPaystack(sandbox, { reference });
    await submit(`${url}/card`, { number: card, expiry: '12/30', cvv });
  }

  const ends = (id: string, status: string) =>
    until(
      () => call('GET', `${base}/refund/${id}`, paystackKey),
      (answer) => at(answer.body, 'data', 'status') === status,
    );

  it('goes from pending to processed by itself, and a full one reverses the transaction', async () => {
    await paid('refund-1');
    const { status, body } = await refund({ transaction: 'refund-1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: true,
      data: {
        id: expect.any(Number),
        status: 'pending',
        amount: 100_000,
        currency: 'NGN',
        domain: 'test',
        transaction: { reference: 'refund-1' },
        expected_at: expect.any(String),
        fully_deducted: false,
      },
    });
    await ends(textAt(body, 'data', 'id'), 'processed');
    expect(at((await verify('refund-1')).body, 'data', 'status')).toBe('reversed');
  });

  it('never exceeds what was paid, over all refunds together', async () => {
    await paid('refund-2');
    expect((await refund({ transaction: 'refund-2', amount: 60_000 })).status).toBe(200);
    expect((await refund({ transaction: 'refund-2', amount: 40_001 })).status).toBe(400);
    expect((await refund({ transaction: 'refund-2', amount: 40_000 })).status).toBe(200);
    expect(await refund({ transaction: 'refund-2' })).toMatchObject({
      status: 400,
      body: { message: 'Transaction has been fully reversed' },
    });
    const listed = await call('GET', `${base}/refund?transaction=refund-2`, paystackKey);
    expect(listAt(listed.body, 'data').map((entry) => at(entry, 'amount'))).toEqual([40_000, 60_000]);
  });

  it('are listed by the reference of their transaction, and by no id under that name', async () => {
    await paid('refund-by-reference');
    expect((await refund({ transaction: 'refund-by-reference' })).status).toBe(200);
    const amounts = async (reference: string) =>
      listAt((await call('GET', `${base}/refund?reference=${reference}`, paystackKey)).body, 'data').length;
    expect(await amounts('refund-by-reference')).toBe(1);
    expect(await amounts(textAt((await verify('refund-by-reference')).body, 'data', 'id'))).toBe(0);
    expect(await amounts('nothing')).toBe(0);
  });

  it('fails for the card documented to fail, after which the money can be refunded again', async () => {
    await paid('refund-3', '4084080000671803', '180');
    await ends(textAt((await refund({ transaction: 'refund-3' })).body, 'data', 'id'), 'failed');
    expect(at((await verify('refund-3')).body, 'data', 'status')).toBe('success');
    expect((await refund({ transaction: 'refund-3' })).status).toBe(200);
  });

  it('stops at needs-attention for the card documented so, until the details are sent', async () => {
    await paid('refund-4', '4084080000671902', '190');
    const id = textAt((await refund({ transaction: 'refund-4' })).body, 'data', 'id');
    await ends(id, 'needs-attention');
    const details = { refund_account_details: { currency: 'NGN', account_number: '0000000000', bank_id: '9' } };
    expect((await call('POST', `${base}/refund/retry_with_customer_details/${id}`, paystackKey, details)).status).toBe(200);
    await ends(id, 'processed');
  });

  it('refuses what was not paid, not known, or no amount', async () => {
    await initialize({ ...good, reference: 'refund-5' });
    expect((await refund({ transaction: 'refund-5' })).status).toBe(400);
    expect((await refund({ transaction: 'nobody' })).status).toBe(404);
    expect((await refund({})).status).toBe(400);
    expect((await refund({ transaction: 'refund-5', amount: -1 })).status).toBe(400);
  });
});

describe('lists', () => {
  it('pages by number with the documented meta, newest first, and filters', async () => {
    const own = await quickSandbox();
    try {
      for (const index of [1, 2, 3]) await openPaystack(own, { reference: `list-${index}`, amount: index * 10_000 });
      await settle(own, 'paystack', 'list-2', { outcome: 'success' });
      const url = `${own.gateways.paystack}/transaction`;
      const first = await call('GET', `${url}?perPage=2`, paystackKey);
      expect(listAt(first.body, 'data').map((entry) => at(entry, 'reference'))).toEqual(['list-3', 'list-2']);
      expect(at(first.body, 'meta')).toEqual({ total: 3, total_volume: 60_000, skipped: 0, perPage: 2, page: 1, pageCount: 2 });
      const paid = await call('GET', `${url}?status=success`, paystackKey);
      expect(listAt(paid.body, 'data').map((entry) => at(entry, 'reference'))).toEqual(['list-2']);
      const cursor = await call('GET', `${url}?use_cursor=true&perPage=2`, paystackKey);
      const next = await call('GET', `${url}?use_cursor=true&perPage=2&next=${at(cursor.body, 'meta', 'next')}`, paystackKey);
      expect(listAt(next.body, 'data').map((entry) => at(entry, 'reference'))).toEqual(['list-1']);
      expect(at(next.body, 'meta', 'next')).toBeNull();
      expect((await call('GET', `${url}?perPage=many`, paystackKey)).status).toBe(400);
    } finally {
      await own.close();
    }
  });
});

describe('a paid transaction', () => {
  const control = (path: string, body: object) =>
    call('POST', `${sandbox.controlUrl}/control/paystack/transactions/${path}`, null, body);
  const hooks = async (reference: string) => {
    const { body } = await call('GET', `${sandbox.controlUrl}/control/paystack/journal?reference=${reference}`, null);
    return listAt(body, 'webhooks').map((hook) => textAt(hook, 'event'));
  };
  async function paid(reference: string): Promise<void> {
    await openPaystack(sandbox, { reference });
    await settle(sandbox, 'paystack', reference, { outcome: 'success' });
  }
  const statusOf = async (reference: string) => at((await verify(reference)).body, 'data', 'status');

  it('that is reversed says so in verify, cannot be refunded, and may come back', async () => {
    await paid('back-1');
    expect((await control('back-1/reverse', {})).status).toBe(200);
    expect(await statusOf('back-1')).toBe('reversed');
    expect(await call('POST', `${base}/refund`, paystackKey, { transaction: 'back-1' })).toMatchObject({
      body: { message: 'Transaction has been fully reversed' },
    });
    await control('back-1/reverse', { undo: true });
    expect(await statusOf('back-1')).toBe('success');
  });

  it('stays successful while it is disputed, and is reversed once the dispute is accepted', async () => {
    await paid('disputed-1');
    const opened = await control('disputed-1/dispute', {});
    const id = textAt(listAt(opened.body, 'transaction', 'disputes')[0], 'id');
    const fetchDispute = () => call('GET', `${base}/dispute/${id}`, paystackKey);
    expect((await fetchDispute()).body).toMatchObject({
      message: 'Dispute retrieved',
      data: { status: 'awaiting-merchant-feedback', resolution: null, refund_amount: 100_000, category: 'chargeback' },
    });
    expect(await statusOf('disputed-1')).toBe('success');
    await control('disputed-1/dispute', { resolution: 'auto-accepted' });
    expect((await fetchDispute()).body).toMatchObject({
      data: { status: 'resolved', resolution: 'auto-accepted', transaction: { status: 'reversed' } },
    });
    expect(await hooks('disputed-1')).toEqual(['charge.success', 'charge.dispute.create', 'charge.dispute.resolve']);
  });

  it('keeps its money when the dispute is declined', async () => {
    await paid('disputed-2');
    await control('disputed-2/dispute', {});
    await control('disputed-2/dispute', { resolution: 'declined' });
    expect(await statusOf('disputed-2')).toBe('success');
    expect((await control('disputed-2/dispute', { resolution: 'declined' })).status).toBe(409);
  });

  it('can be disputed only when it is paid, and its dispute is of its own account', async () => {
    await openPaystack(sandbox, { reference: 'unpaid-1' });
    expect((await control('unpaid-1/dispute', {})).status).toBe(404);
    expect((await call('GET', `${base}/dispute/1`, paystackKey)).status).toBe(404);
  });
});

const wordAlone = 'the source names the state alone, and shows no such answer';
const unnamed = 'the order names no customer: null in other samples';
const unpaid = 'one that was not paid is listed as well, the sample has paid ones alone';
const justMade = 'null in the sample of a refund that was just made';

describeDocumentedFlows('paystack', {
  connect(sandbox, { secretKey = '' }) {
    const ask = caller(sandbox.baseUrls.paystack, secretKey);
    const order = (reference: string) => ({ email, amount: 100_000, reference });
    const initialize = '/transaction/initialize';
    const events = { pending: 'refund.pending', done: 'refund.processed', failed: 'refund.failed' } as const;
    return {
      ask,
      naira: 100,
      open: (reference) => ask('POST', initialize, order(reference)),
      openWithoutEmail: (reference) => ask('POST', initialize, { ...order(reference), email: undefined }),
      openInvalid: (reference) => ask('POST', initialize, { ...order(reference), amount: -5 }),
      withWrongKey: (reference) =>
        caller(sandbox.baseUrls.paystack, 'sk_test_unknown1')('GET', `/transaction/verify/${reference}`),
      verify: (reference) => ask('GET', `/transaction/verify/${reference}`),
      refund: (reference) => ask('POST', '/refund', { transaction: reference, amount: 10_000 }),
      findRefund: ({ body }) => ask('GET', `/refund/${textAt(body, 'data', 'id')}`),
      list: () => ask('GET', '/transaction?use_cursor=true'),
      listRefunds: () => ask('GET', '/refund'),
      listDisputes: () => ask('GET', '/dispute'),
      settled: () => ask('GET', '/settlement'),
      isRefundEvent: (body, state) => has(body, events[state]),
    };
  },

  async fromOpeningToPayout(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initialize = await client.open(reference);
    const duplicate = await client.open(reference);
    const error = await present(client.openWithoutEmail)(stage.reference());
    const refusal = await present(client.withWrongKey)(reference);
    await stage.pay(reference);
    const verify = await client.verify(reference);
    const refundCreated = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    await stage.dispute(reference);
    const disputes = await present(client.listDisputes)();
    const dispute = `/dispute/${textAt(disputes.body, 'data', 0, 'id')}`;
    const uploadUrl = await client.ask('GET', `${dispute}/upload_url?upload_filename=a.pdf`);
    await fetch(textAt(uploadUrl.body, 'data', 'signedUrl'), { method: 'PUT', body: 'a file' });
    await stage.payOut();
    const settlements = await stage.settled();
    return {
      initialize,
      duplicate,
      error,
      refusal,
      verify,
      transactions: await client.list(),
      refundCreated,
      refundFetched: await present(client.findRefund)(refundCreated),
      refunds: await present(client.listRefunds)(),
      chargeEvent: await stage.event((body) => has(body, 'charge.success', reference)),
      refundEvent: await stage.event((body) => has(body, 'refund.processed', reference)),
      disputeEvent: await stage.event((body) => has(body, 'charge.dispute.create')),
      disputes,
      dispute: await client.ask('GET', dispute),
      uploadUrl,
      evidence: await client.ask('POST', `${dispute}/evidence`, {
        customer_email: email,
        customer_name: 'Ada Obi',
        customer_phone: '0800',
        service_details: 'a book',
        delivery_address: '1 Broad Street',
      }),
      disputeResolved: await client.ask('PUT', `${dispute}/resolve`, {
        resolution: 'merchant-accepted',
        message: 'Accepted',
        refund_amount: 20_000,
        uploaded_filename: textAt(uploadUrl.body, 'data', 'fileName'),
      }),
      settlements,
      settlementTransactions: await client.ask('GET', `/settlement/${textAt(settlements.body, 'data', 0, 'id')}/transactions`),
    };
  },

  gaps: {
    'refund failed': wordAlone,
    'invalid amount': 'the one sample of a refused request is of a missing parameter',
    'failed event': 'no event of a charge that failed is listed under the supported events',
    'settlement event': 'no event of settlements is listed under the supported events',
  },

  known: {
    'refund done': { 'data.channel: null, documented as string': justMade },
    listed: {
      'data[].paid_at: null, documented as string': unpaid,
      'data[].ip_address: null, documented as string': unpaid,
      'data[].fees: null, documented as number': unpaid,
      'data[].paidAt: null, documented as string': unpaid,
    },
    'refunds listed': { 'data[].channel: null, documented as string': justMade },
    'unknown reference': {
      'HTTP 400, documented as 404':
        'the OpenAPI gives 404 for all calls, the sample answers of verify have 400 for what it refuses',
    },
    'refund pending event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    'refund done event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    'refund failed event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    'dispute event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
      'data.customer.phone: null, documented as string': unnamed,
    },
  },

  knownShapes: {
    disputeEvent: {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
      'data.customer.phone: null, documented as string': unnamed,
    },
    refundEvent: {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    refundFetched: { 'data.channel: null, documented as string': justMade },
    refunds: { 'data[].channel: null, documented as string': justMade },
    settlementTransactions: { 'data[].message: null, documented as string': 'null in the samples of every other transaction' },
  },
});
