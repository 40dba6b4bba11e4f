import type { Sandbox } from '../sandbox.ts';
import type { GatewayName } from '../simulators.ts';
import { call, textAt } from './harness.ts';

/** An answer or a webhook. */
export interface Shown {
  readonly status: number;
  readonly body: unknown;
}

/** A merchant's calls, by the gateway's own. Absent where it has no such call, or none whose answer is documented. */
export interface Client {
  /** Any call with the merchant's key. */
  readonly ask: ReturnType<typeof caller>;
  /** The answer that has the key, where a call gives it. */
  readonly token?: unknown;
  readonly naira: number;
  /** Opens a checkout of NGN 1,000. */
  open(reference: string): Promise<Shown>;
  openWithoutKey?(reference: string): Promise<Shown>;
  /** A request without the customer's address. */
  openWithoutEmail?(reference: string): Promise<Shown>;
  /** A request with an amount that is none. */
  openInvalid(reference: string): Promise<Shown>;
  /** A call with a key that the gateway does not know. */
  withWrongKey?(reference: string): Promise<Shown>;
  verify(reference: string): Promise<Shown>;
  /** A look-up with another amount than the payment's. */
  verifyOtherAmount?(reference: string): Promise<Shown>;
  /** Asks for a refund of NGN 100. */
  refund(reference: string): Promise<Shown>;
  findRefund?(requested: Shown): Promise<Shown>;
  /** True where the document shows a refund that is under way as the answer to a look-up, and not to the request. */
  readonly showsPendingRefund?: true;
  list(): Promise<Shown>;
  listRefunds?(): Promise<Shown>;
  listDisputes?(): Promise<Shown>;
  /** Hands in a picture as evidence in a dispute. */
  upload?(): Promise<Shown>;
  settled?(event: (is: (body: unknown) => boolean) => Promise<Shown>): Promise<Shown>;
  /** True if a webhook's body is about that refund in that state. */
  isRefundEvent?(body: unknown, state: 'pending' | 'done' | 'failed'): boolean;
}

/** The customer of every checkout. */
export const email = 'ada@example.com';
const DAY_MS = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const span = (): string => `from=${dayOf(Date.now() - DAY_MS)}&to=${dayOf(Date.now() + DAY_MS)}`;

/** True if a body contains all the texts. */
export function has(body: unknown, ...texts: readonly string[]): boolean {
  return texts.every((text) => JSON.stringify(body).includes(text));
}

/** Calls to a simulator's API with a key. */
function caller(base: string, key: string | null) {
  return async (method: string, path: string, body?: unknown): Promise<Shown> => {
    const { status, body: answered } = await call(method, base + path, key, body);
    return { status, body: answered };
  };
}

async function token(url: string, user: string): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  const response = await fetch(url, { method: 'POST', headers: { authorization } });
  const body: unknown = await response.json();
  return body;
}

type Connect = (sandbox: Sandbox, credentials: Readonly<Record<string, string>>) => Client | Promise<Client>;

/** Clients of every simulator. */
export const clients: Readonly<Record<GatewayName, Connect>> = {
  paystack(sandbox, { secretKey = '' }) {
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

  flutterwave(sandbox, { secretKey = '' }) {
    const ask = caller(sandbox.baseUrls.flutterwave, secretKey);
    const order = (reference: string) => {
      return { tx_ref: reference, amount: 1_000, currency: 'NGN', redirect_url: 'https://shop.example', customer: { email } };
    };
    const verify = (reference: string) => ask('GET', `/transactions/verify_by_reference?tx_ref=${reference}`);
    return {
      ask,
      naira: 1,
      open: (reference) => ask('POST', '/payments', order(reference)),
      openInvalid: (reference) => ask('POST', '/payments', { ...order(reference), amount: -5 }),
      verify,
      async refund(reference) {
        const id = textAt((await verify(reference)).body, 'data', 'id');
        return ask('POST', `/transactions/${id}/refund`, { amount: 100, comments: 'wrong size' });
      },
      findRefund: ({ body }) => ask('GET', `/refunds/${textAt(body, 'data', 'id')}`),
      showsPendingRefund: true,
      list: () => ask('GET', `/transactions?${span()}`),
      listRefunds: () => ask('GET', `/refunds?${span()}`),
      listDisputes: () => ask('GET', `/chargebacks?${span()}`),
      async upload() {
        const form = new FormData();
        form.set('image', new Blob(['a file'], { type: 'image/png' }), 'a.png');
        const headers = { authorization: `Bearer ${secretKey}` };
        const response = await fetch(`${sandbox.baseUrls.flutterwave}/upload_image`, { method: 'POST', headers, body: form });
        const body: unknown = await response.json();
        return { status: response.status, body };
      },
      settled: () => ask('GET', `/settlements?${span()}`),
      isRefundEvent: (body, state) => has(body, 'AmountRefunded', state === 'failed' ? '"failed"' : '"completed'),
    };
  },

  async monnify(sandbox, { apiKey = '', secretKey = '', contractCode }) {
    const base = sandbox.baseUrls.monnify;
    const issued = await token(`${base}/api/v1/auth/login`, `${apiKey}:${secretKey}`);
    const ask = caller(base, textAt(issued, 'responseBody', 'accessToken'));
    const order = (reference: string) => ({
      amount: 1_000,
      customerName: 'Ada Obi',
      customerEmail: email,
      paymentReference: reference,
      paymentDescription: 'Order 1',
      currencyCode: 'NGN',
      contractCode,
      redirectUrl: 'https://shop.example',
    });
    const initialise = '/api/v1/merchant/transactions/init-transaction';
    const verify = (reference: string) => ask('GET', `/api/v2/merchant/transactions/query?paymentReference=${reference}`);
    return {
      ask,
      token: issued,
      naira: 1,
      open: (reference) => ask('POST', initialise, order(reference)),
      openInvalid: (reference) => ask('POST', initialise, { ...order(reference), amount: -5 }),
      verify,
      async refund(reference) {
        const transactionReference = textAt((await verify(reference)).body, 'responseBody', 'transactionReference');
        return ask('POST', '/api/v1/refunds/initiate-refund', {
          transactionReference,
          refundReference: `rf-${reference}`,
          refundAmount: 100,
          refundReason: 'Wrong size',
          customerNote: 'Refund',
        });
      },
      findRefund: ({ body }) => ask('GET', `/api/v1/refunds/${textAt(body, 'responseBody', 'refundReference')}`),
      list: () => ask('GET', '/api/v1/transactions/search?page=0&size=10'),
      listRefunds: () => ask('GET', '/api/v1/refunds?page=0&size=10'),
      async settled(event) {
        const { body: announced } = await event((body) => has(body, '"SETTLEMENT"'));
        const reference = textAt(announced, 'eventData', 'settlementReference');
        return ask('GET', `/api/v1/transactions/find-by-settlement-reference?reference=${reference}&page=0&size=10`);
      },
      isRefundEvent: (body, state) => has(body, state === 'failed' ? 'FAILED_REFUND' : 'SUCCESSFUL_REFUND'),
    };
  },

  squad(sandbox, { secretKey = '' }) {
    const base = sandbox.baseUrls.squad;
    const ask = caller(base, secretKey);
    const order = (reference: string) => {
      return { email, amount: 100_000, currency: 'NGN', initiate_type: 'inline', transaction_ref: reference };
    };
    const initiate = '/transaction/initiate';
    const verify = (reference: string) => ask('GET', `/transaction/verify/${reference}`);
    return {
      ask,
      naira: 100,
      open: (reference) => ask('POST', initiate, { ...order(reference), callback_url: 'https://shop.example' }),
      openWithoutKey: (reference) => caller(base, null)('POST', initiate, order(reference)),
      openWithoutEmail: (reference) => ask('POST', initiate, { ...order(reference), email: undefined }),
      openInvalid: (reference) => ask('POST', initiate, { ...order(reference), amount: -5 }),
      withWrongKey: (reference) => caller(base, 'live_sk_nothing')('GET', `/transaction/verify/${reference}`),
      verify,
      async refund(reference) {
        return ask('POST', '/transaction/refund', {
          gateway_transaction_ref: textAt((await verify(reference)).body, 'data', 'gateway_transaction_ref'),
          transaction_ref: reference,
          refund_type: 'Partial',
          reason_for_refund: 'Wrong size',
          refund_amount: '10000',
        });
      },
      list() {
        const [from, to] = [dayOf(Date.now() - DAY_MS), dayOf(Date.now() + DAY_MS)];
        return ask('GET', `/transaction?start_date=${from}&end_date=${to}&page=1&perPage=10`);
      },
    };
  },

  kora(sandbox, { secretKey = '' }) {
    const base = sandbox.baseUrls.kora;
    const ask = caller(base, secretKey);
    const order = (reference: string) => {
      return { amount: 1_000, currency: 'NGN', reference, customer: { email }, redirect_url: 'https://shop.example' };
    };
    return {
      ask,
      naira: 1,
      open: (reference) => ask('POST', '/charges/initialize', order(reference)),
      openInvalid: (reference) => ask('POST', '/charges/initialize', { ...order(reference), amount: 'much' }),
      withWrongKey: (reference) => caller(base, 'sk_test_unknown1')('GET', `/charges/${reference}`),
      verify: (reference) => ask('GET', `/charges/${reference}`),
      refund: (reference) =>
        ask('POST', '/refunds/initiate', {
          payment_reference: reference,
          reference: `rf-${reference}`,
          amount: 100,
          reason: 'Wrong size',
        }),
      findRefund: ({ body }) => ask('GET', `/refunds/${textAt(body, 'data', 'refund_reference')}`),
      showsPendingRefund: true,
      list: () => ask('GET', '/pay-ins'),
      listRefunds: () => ask('GET', '/refunds'),
      isRefundEvent: (body, state) => has(body, state === 'failed' ? 'refund.failed' : 'refund.success'),
    };
  },

  async interswitch(sandbox, { clientId = '', secretKey = '', merchantCode, payItemId }) {
    const base = sandbox.baseUrls.interswitch;
    const issued = await token(`${base}/passport/oauth/token?grant_type=client_credentials`, `${clientId}:${secretKey}`);
    const ask = caller(base, textAt(issued, 'access_token'));
    const lookUp = (reference: string, amount: number) => {
      const query = `merchantcode=${merchantCode}&transactionreference=${reference}&amount=${amount}`;
      return ask('GET', `/collections/api/v1/gettransaction.json?${query}`);
    };
    const order = (reference: string) => ({
      merchantCode,
      payableCode: payItemId,
      amount: 100_000,
      redirectUrl: 'https://shop.example',
      customerId: 'cus-1',
      currencyCode: '566',
      customerEmail: email,
      transactionReference: reference,
    });
    return {
      ask,
      token: issued,
      naira: 100,
      open: (reference) => ask('POST', '/paymentgateway/api/v1/paybill', order(reference)),
      openInvalid: (reference) => ask('POST', '/paymentgateway/api/v1/paybill', { ...order(reference), amount: -5 }),
      verify: (reference) => lookUp(reference, 100_000),
      verifyOtherAmount: (reference) => lookUp(reference, 99_000),
      refund: (reference) =>
        ask('POST', '/paymentgateway/api/v1/refunds', {
          refundReference: `rf-${reference}`,
          parentTransactionReference: reference,
          refundType: 'PARTIAL',
          refundAmount: 10_000,
          reasonsForRefund: 'Wrong size',
        }),
      findRefund: ({ body }) => ask('GET', `/paymentgateway/api/v1/refunds/${textAt(body, 'refundReference')}`),
      async list() {
        const path = '/switch-online-gateway-service/api/v1/gateway/quick-search?page_number=1&page_size=20';
        const search = {
          merchant_code: merchantCode,
          start_date: dayOf(Date.now() - DAY_MS),
          end_date: dayOf(Date.now() + DAY_MS),
        };
        const { status, body } = await call('POST', base + path, textAt(issued, 'access_token'), search, { client_id: clientId });
        return { status, body };
      },
    };
  },
};
