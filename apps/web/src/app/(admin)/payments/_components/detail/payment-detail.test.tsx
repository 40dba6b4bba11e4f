// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  button,
  expectCalls,
  expectRefusal,
  factsIn,
  field,
  hrefOf,
  openDashboard,
  tableOf,
  textOf,
} from '#/testing/dashboard.tsx';
import { partial } from '#/testing/partial.ts';
import { NoteForm, PaymentDetail } from './payment-detail.tsx';
import type { Payment } from './payment-head.tsx';

describe('payment detail', () => {
  const page = openDashboard('?mode=test&merchant=m-1');

  const AT = new Date('2024-11-21T13:02:00Z');
  const later = (ms: number) => new Date(AT.getTime() + ms);
  const MONEY: Payment['money'] = {
    received: null,
    receivedCurrency: null,
    fee: null,
    paidMethod: null,
    paidAt: null,
    refunded: 0n,
    reversal: { at: null, amount: '0', cause: null },
  };
  type Attempt = Payment['attempts'][number];
  const ATTEMPT: Attempt = {
    attemptId: 'at-1',
    position: 0,
    gateway: 'paystack',
    accountId: 'acc-1',
    accountLabel: 'paystack-main',
    reference: 'pay_1',
    state: 'OPENED',
    current: true,
    duplicate: false,
    failure: null,
    latencyMs: 412,
    call: null,
    transactionId: null,
    payer: null,
    received: null,
    receivedCurrency: null,
    lastAskedAt: null,
    createdAt: later(100),
  };
  type Candidate = Payment['decision']['candidates'][number];
  const holds = (detail: string) => ({ outcome: 'holds', detail }) as const;
  const CANDIDATE: Candidate = {
    accountId: 'acc-1',
    gateway: 'paystack',
    label: 'paystack-main',
    eligible: true,
    ineligibleReason: null,
    recommended: true,
    conditions: [
      { condition: 'configured', ...holds('has credentials') },
      { condition: 'enabled', ...holds('on') },
      { condition: 'currency', ...holds('takes NGN') },
      { condition: 'method', ...holds('takes card') },
      { condition: 'amount', ...holds('from 50') },
      { condition: 'operator', ...holds('no override') },
      { condition: 'health', ...holds('healthy') },
    ],
  };
  const RECORD = partial<NonNullable<Payment['decision']['record']>>({
    version: 1,
    decidedAt: AT.toISOString(),
    contextKey: 'NGN:CARD:2k-10k',
    rationale: 'Rule "Cards" sends it to paystack-main.',
    rationaleCode: 'smart_routing_rule',
    reasons: [{ title: 'Rule', message: 'It matched "Cards".', severity: 'info' }],
    candidates: [],
  });
  type Event = Payment['timeline'][number];
  const event = (ms: number, type: string, change: Partial<Event> = {}): Event => ({
    eventId: `e-${ms}`,
    type,
    fromStatus: null,
    toStatus: null,
    cause: 'api',
    actor: null,
    detail: {},
    createdAt: later(ms),
    ...change,
  });
  const PAYMENT: Payment = {
    merchantId: 'm-1',
    merchantName: 'Balogun Books',
    paymentId: 'p-1',
    mode: 'test',
    merchantOrderId: 'order-7',
    status: 'PENDING',
    displayStatus: 'PENDING',
    amount: 1_234_567n,
    currency: 'NGN',
    paymentMethod: null,
    customer: { email: 'ada@example.com', id: null, phone: null, country: null },
    metadata: null,
    redirectUrl: null,
    gateway: 'paystack',
    gatewayReference: 'pay_1',
    money: MONEY,
    late: false,
    failureReason: null,
    review: null,
    expiresAt: later(3_600_000),
    nextCheckAt: later(60_000),
    createdAt: AT,
    updatedAt: AT,
    decision: {
      record: RECORD,
      routingMode: 'smart',
      requestedGateway: null,
      ruleId: 'cards',
      ruleSetVersion: 3,
      candidates: [CANDIDATE],
    },
    attempts: [ATTEMPT],
    timeline: [event(0, 'payment.initiated', { toStatus: 'INITIATED' })],
    refunds: [],
    disputes: [],
    people: new Map([['s-1', 'Ada Obi']]),
  };
  const PAID: Partial<Payment> = {
    status: 'SUCCESS',
    displayStatus: 'SUCCESS',
    nextCheckAt: null,
    money: { ...MONEY, received: '1234567.5', receivedCurrency: 'NGN', fee: '18518.51', paidMethod: 'TRANSFER', paidAt: AT },
    attempts: [{ ...ATTEMPT, state: 'PAID', transactionId: 't-9', received: '1234567.5', receivedCurrency: 'NGN' }],
  };
  type Refund = Payment['refunds'][number];
  const REFUND: Refund = {
    refundId: 'r-1',
    gateway: 'paystack',
    amount: 5_000n,
    currency: 'NGN',
    state: 'SUCCEEDED',
    reason: null,
    reasonCode: null,
    requestedBy: 'api',
    failureMessage: null,
    duplicate: false,
    mismatched: false,
    unresolved: false,
    note: null,
    createdAt: AT,
    updatedAt: AT,
  };
  type Dispute = Payment['disputes'][number];
  const DISPUTE: Dispute = {
    disputeId: 'd-1',
    gateway: 'paystack',
    gatewayDisputeId: '4711',
    state: 'NEEDS_RESPONSE',
    category: 'fraud',
    amount: '1234567.5',
    currency: 'NGN',
    dueAt: later(86_400_000),
    openedAt: AT,
    closedAt: null,
  };

  beforeEach(() => {
    page.allow('payment:read');
    page.on('payments.notes', () => []);
    page.on('payments.messages', () => ({ deliveries: [], fromGateways: [] }));
    page.on('refunds.duplicates.list', () => ({ items: [], next: null }));
    page.on('refunds.reviews.list', () => ({ items: [], next: null }));
  });

  async function show(change: Partial<Payment> = {}) {
    page.on('payments.byId', () => ({ ...PAYMENT, ...change }));
    const user = page.show(<PaymentDetail paymentId="p-1" />);
    await screen.findByRole('article');
    return user;
  }
  /** A part of the page by its heading. */
  const part = (name: string | RegExp) => {
    const heading = screen.getByRole('heading', { level: 2, name });
    const section = heading.closest('section');
    if (section === null) throw new Error(`${name} has no section.`);
    return section;
  };
  const facts = (name: string) => factsIn(part(name));
  const head = () => textOf(screen.getByRole('banner'));

  describe('the head', () => {
    test('has the amount to the unit, the status, the order and the merchant', async () => {
      await show();
      screen.getByRole('heading', { level: 2, name: 'NGN 1,234,567.00' });
      expect(head()).toContain('Pending');
      expect(head()).toContain('order-7 · Balogun Books · 21 Nov 2024, 14:02');
      button('Copy payment id p-1');
    });

    test.each<[string, Partial<Payment>, string]>([
      ['was paid late', { ...PAID, late: true }, 'Paid late'],
      ['is disputed', { ...PAID, disputes: [DISPUTE] }, 'Disputed'],
      ['was refunded in part', { ...PAID, displayStatus: 'PARTLY_REFUNDED' }, 'Partly refunded'],
      ['was reversed', { ...PAID, displayStatus: 'REVERSED' }, 'Reversed'],
    ])('says that the payment %s', async (_what, change, badge) => {
      await show(change);
      expect(head()).toContain(badge);
    });

    test('of a payment without faults says none of that, nor does a dispute that was won', async () => {
      await show({ ...PAID, disputes: [{ ...DISPUTE, state: 'WON' }] });
      expect(head()).not.toMatch(/late|Disputed|Reversed|refunded/);
    });

    test('says why it failed, with what each gateway answered', async () => {
      const failure = { class: 'provider_fault', code: 'timeout', message: 'No answer in 10 s.' };
      await show({
        status: 'FAILED',
        failureReason: 'every_gateway_failed',
        attempts: [{ ...ATTEMPT, state: 'UNKNOWN', failure }],
      });
      expect(head()).toContain('No gateway opened a checkout. Paystack: No answer in 10 s.');
    });
  });

  describe('money', () => {
    test('that was not paid is said to be nothing, and has no fee, method or time', async () => {
      await show();
      expect(facts('Money')).toEqual({ Amount: 'NGN 1,234,567.00', Received: 'Nothing' });
    });

    test('that was paid is exact to the fraction, in the currency in which it came', async () => {
      await show({ ...PAID, money: { ...MONEY, received: '1000.05', receivedCurrency: 'KES', fee: '15.5', paidMethod: 'CARD' } });
      expect(facts('Money')).toEqual({
        Amount: 'NGN 1,234,567.00',
        Received: 'KES 1,000.05',
        'Gateway fee': 'KES 15.50',
        'Payment method': 'Card',
      });
    });

    test('that went back is listed: refunded, taken back by the gateway with its cause', async () => {
      const reversal = { at: AT, amount: '1234567.5', cause: 'chargeback' } as const;
      await show({ ...PAID, money: { ...MONEY, refunded: 5_000n, reversal } });
      expect(facts('Money')).toMatchObject({
        Refunded: 'NGN 5,000.00',
        'Reversed by the gateway': 'NGN 1,234,567.50, chargeback, 21 Nov 2024, 14:02',
      });
    });

    test('of a dispute says until when it has to be answered, while it does', async () => {
      const { dueAt } = DISPUTE;
      await show({ ...PAID, disputes: [DISPUTE, { ...DISPUTE, disputeId: 'd-2', state: 'LOST', category: null, dueAt }] });
      expect(facts('Money')).toMatchObject({
        'Dispute, needs response':
          'NGN 1,234,567.50, fraud, dispute 4711 at Paystack, opened 21 Nov 2024, 14:02, due 22 Nov 2024, 14:02',
        'Dispute, lost': 'NGN 1,234,567.50, dispute 4711 at Paystack, opened 21 Nov 2024, 14:02',
      });
    });

    test('of refunds says who asked, why, what went wrong and why it was dismissed', async () => {
      await show({
        ...PAID,
        refunds: [
          { ...REFUND, requestedBy: 'staff:s-1', reason: 'Wrong size' },
          { ...REFUND, refundId: 'r-2', state: 'PROCESSING', requestedBy: 'system:duplicates' },
          { ...REFUND, refundId: 'r-3', state: 'FAILED', failureMessage: 'Balance too low.', note: 'Paid in cash' },
        ],
      });
      expect(facts('Money')).toMatchObject({
        'Refund, succeeded':
          'NGN 5,000.00 went back through Paystack to where the customer paid from, requested by Ada Obi, 21 Nov 2024, 14:02. Wrong size',
        'Refund, processing':
          'NGN 5,000.00 goes back through Paystack to where the customer paid from, requested by Switchyard, 21 Nov 2024, 14:02',
        'Refund, failed': 'NGN 5,000.00, requested by Merchant, 21 Nov 2024, 14:02. Balance too low. Dismissed: Paid in cash',
      });
    });
  });

  describe('details', () => {
    test('name what the merchant asked for, and say where it did not', async () => {
      await show({ gateway: '', gatewayReference: null });
      expect(facts('Details')).toMatchObject({
        Gateway: 'None',
        'Requested method': 'None',
        'Redirect URL': "The merchant's default",
        Order: 'order-7',
        Merchant: 'Balogun Books',
      });
      expect(facts('Details')).not.toHaveProperty('Gateway reference');
      expect(facts('Details')).not.toHaveProperty('Metadata');
    });

    test('have an expiry and a next check only while the customer may pay', async () => {
      await show();
      expect(facts('Details')).toHaveProperty('Expires');
      expect(facts('Details')).toHaveProperty('Next check');
    });

    test('of a paid payment have neither, and show the metadata as JSON', async () => {
      await show({ ...PAID, metadata: '{"cart":7}' });
      expect(facts('Details')).not.toHaveProperty('Expires');
      expect(facts('Details')).not.toHaveProperty('Next check');
      expect(screen.getByRole('region', { name: 'metadata' }).textContent).toBe('{\n  "cart": 7\n}');
    });
  });

  describe('the timeline', () => {
    test('has each event with its cause and the time since the one before', async () => {
      await show({
        ...PAID,
        timeline: [
          event(0, 'payment.initiated', { toStatus: 'INITIATED' }),
          event(512, 'payment.pending', {
            fromStatus: 'INITIATED',
            toStatus: 'PENDING',
            detail: { gateway: 'paystack', reference: 'pay_1' },
          }),
          event(90_512, 'payment.succeeded', {
            fromStatus: 'PENDING',
            toStatus: 'SUCCESS',
            cause: 'staff',
            actor: 'staff:s-1',
            detail: { gateway: 'paystack', amount: '1234567.5', currency: 'NGN' },
          }),
        ],
      });
      expect(within(part('Timeline')).getAllByRole('listitem').map(textOf)).toEqual([
        'CreatedBefore any gateway was called.Merchant API call21 Nov 2024, 14:02',
        'Checkout opened at PaystackUnder reference pay_1.Merchant API call21 Nov 2024, 14:02+0.5 s',
        'Paid at PaystackReceived NGN 1,234,567.50.Staff, Ada Obi21 Nov 2024, 14:03+2 min',
      ]);
    });
  });

  describe('attempts', () => {
    test('are listed in order with their number, their time and what went wrong', async () => {
      const failure = { class: 'our_configuration', code: 'invalid_key', message: 'The key is not valid.' };
      await show({
        attempts: [
          { ...ATTEMPT, attemptId: 'at-0', state: 'REFUSED', current: false, failure, latencyMs: 50 },
          { ...ATTEMPT, position: 1, gateway: 'kora', accountLabel: null, latencyMs: null },
        ],
      });
      const [refused, opened] = within(part('Attempts 2')).getAllByRole('listitem');
      if (refused === undefined || opened === undefined) throw new Error('Two attempts are expected.');
      expect(textOf(refused)).toContain('Paystackpaystack-main50 msRefusedThe key is not valid.');
      expect(factsIn(refused)).toMatchObject({ Failure: 'Our configuration (invalid_key)' });
      expect(textOf(opened)).toMatch(/^KoraOpened/);
      expect(factsIn(opened)).not.toHaveProperty('Failure');
    });

    test('that brought money twice say so, with what was received', async () => {
      await show({ attempts: [{ ...ATTEMPT, state: 'PAID', duplicate: true, received: '2500', receivedCurrency: 'NGN' }] });
      const [twice] = within(part('Attempts 1')).getAllByRole('listitem');
      if (twice === undefined) throw new Error('One attempt is expected.');
      expect(textOf(twice)).toContain('Paid twice');
      expect(factsIn(twice)).toMatchObject({ Received: 'NGN 2,500.00' });
    });

    test('show the request and the response as they were recorded, and say where there was none', async () => {
      const call = { method: 'POST', url: 'https://api.paystack.co/transaction/initialize', httpStatus: 503 };
      await show({
        attempts: [
          { ...ATTEMPT, call: { ...call, request: '{"amount":2500}', answer: null } },
          { ...ATTEMPT, attemptId: 'at-2', call: { ...call, httpStatus: null, request: null, answer: '<html>' } },
        ],
      });
      const [answered, silent] = within(part('Attempts 2')).getAllByRole('listitem');
      expect(textOf(answered as HTMLElement)).toContain('POST https://api.paystack.co/transaction/initialize');
      expect(textOf(answered as HTMLElement)).toContain('Response, HTTP 503No response.');
      expect(textOf(silent as HTMLElement)).toContain('RequestNo body.ResponseCopy<html>');
    });

    test('are none where no account could take the payment', async () => {
      await show({ status: 'FAILED', attempts: [] });
      expect(textOf(part('Attempts'))).toBe('AttemptsNo gateway was called: no account could take this payment.');
    });
  });

  describe('the decision', () => {
    test('is explained by a sentence, its rule, its version and its reasons', async () => {
      page.allow('routing:read');
      await show();
      await screen.findByRole('link', { name: 'Rules version 3' });
      const why = textOf(part('Routing decision'));
      expect(why).toContain('Rule "Cards" sends it to paystack-main.');
      expect(why).toContain('NGN:CARD:2k-10kRule cards');
      expect(hrefOf('Rules version 3')).toBe('/routing/history?mode=test&merchant=m-1&version=3');
      expect(screen.getByRole('list', { name: 'Reasons' }).textContent).toBe('Rule. It matched "Cards".');
    });

    test('names its version without a link for those who may not see routing', async () => {
      await show();
      expect(textOf(part('Routing decision'))).toContain('Rules version 3');
      expect(screen.queryByRole('link', { name: /Rules version/ })).toBeNull();
    });

    test.each([
      ['default_provider_order', 'By the default order'],
      ['requested_gateway', 'Requested by the merchant'],
      ['no_eligible_provider', 'No account could take it'],
    ] as const)('without a rule says what decided: %s', async (rationaleCode, words) => {
      const record = { ...RECORD, rationaleCode } as typeof RECORD;
      await show({ decision: { ...PAYMENT.decision, record, ruleId: null, ruleSetVersion: 0 } });
      expect(textOf(part('Routing decision'))).toContain(`${words}No rules published`);
      expect(screen.queryByRole('link', { name: /Rules version/ })).toBeNull();
    });

    test('has every account against every condition, and what came of it', async () => {
      const condition = (name: Candidate['conditions'][number]['condition'], outcome: 'attention' | 'fails', detail: string) =>
        CANDIDATE.conditions.map((one) => (one.condition === name ? { condition: name, outcome, detail } : one));
      const failure = { class: 'provider_fault', code: 'timeout', message: 'No answer.' };
      await show({
        attempts: [
          { ...ATTEMPT, attemptId: 'at-0', current: false, state: 'UNKNOWN', failure },
          { ...ATTEMPT, attemptId: 'at-1', position: 1, accountId: 'acc-2', gateway: 'kora' },
        ],
        decision: {
          ...PAYMENT.decision,
          candidates: [
            CANDIDATE,
            { ...CANDIDATE, accountId: 'acc-2', gateway: 'kora', label: null },
            { ...CANDIDATE, accountId: 'acc-3', label: 'spare', conditions: condition('health', 'attention', 'degraded') },
            {
              ...CANDIDATE,
              accountId: 'acc-4',
              label: 'off',
              eligible: false,
              ineligibleReason: 'disabled',
              conditions: condition('enabled', 'fails', 'switched off').slice(0, 2),
            },
          ],
        },
      });
      const [header, ...rows] = await tableOf('Accounts against conditions');
      expect(header?.slice(1, -1)).toEqual(['Keys', 'Enabled', 'Currency', 'Method', 'Amount', 'Operator', 'Health']);
      expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
        ['1paystack-mainPaystack', 'Tried first: unknown'],
        ['2KoraKora', 'Tried second: opened'],
        ['sparePaystack', 'Fallback, not healthy: not needed'],
        ['offPaystack', 'Skipped: disabled'],
      ]);
      expect(rows[3]?.slice(1, 4)).toEqual(['Keys: has credentials', 'Enabled: switched off', '–']);
      const cells = within(screen.getByRole('row', { name: /^spare/ }));
      expect([
        cells.getAllByRole('img', { name: 'Holds' }).length,
        cells.getAllByRole('img', { name: 'Holds, with a warning' }).length,
      ]).toEqual([6, 1]);
      screen.getByText(/degraded or down go after the healthy ones/);
    });

    test('says that the merchant had no account, and that it cannot be read', async () => {
      await show({ decision: { ...PAYMENT.decision, candidates: [] } });
      screen.getByText('The merchant had no account in this mode.');
      expect(screen.queryByText(/go after the healthy ones/)).toBeNull();
    });

    test('of a format that is not known says so', async () => {
      await show({ decision: { ...PAYMENT.decision, record: null } });
      screen.getByText('The decision was recorded in a form that this version cannot read.');
    });

    test('is compared with the present only by those who may see routing, and only when asked', async () => {
      page.allow('routing:read');
      page.on('routing.explain', () => ({
        now: { comparison: { same: false, differences: ['kora-main is down now.'] }, message: 'It would go to Kora.' },
        recomputed: { kind: 'same', message: 'The record is reproduced.', differences: [] },
      }));
      const user = await show();
      await user.click(await screen.findByRole('button', { name: 'Would it be routed the same way now?' }));
      expect(textOf((await screen.findByText(/It would go to Kora/)).parentElement as HTMLElement)).toBe(
        'Differs It would go to Kora.kora-main is down now.',
      );
      expect(textOf(screen.getByText(/The record is reproduced/))).toBe('Same The record is reproduced.');
      expect(page.calls('routing.explain')).toEqual([{ paymentId: 'p-1' }]);
    });

    test('is not compared for others, and a comparison that failed says why', async () => {
      await show();
      await screen.findByText('No notes yet. Only your team sees notes.');
      expect(screen.queryByRole('button', { name: 'Would it be routed the same way now?' })).toBeNull();
    });
  });

  describe('webhooks', () => {
    const DELIVERY = {
      merchantId: 'm-1',
      deliveryId: 'd-1',
      endpointId: 'end-1',
      url: 'https://shop.example/hooks',
      type: 'payment.succeeded',
      state: 'DELIVERED',
      attempts: 1,
      lastStatus: 200,
      lastFailure: null,
      deliveredAt: AT,
      nextAttemptAt: null,
    };

    test('to the merchant say how each went, and when it is tried again', async () => {
      page.on('payments.messages', () => ({
        deliveries: [
          DELIVERY,
          { ...DELIVERY, deliveryId: 'd-2', state: 'FAILED', attempts: 8, lastStatus: 500, deliveredAt: null },
          {
            ...DELIVERY,
            deliveryId: 'd-3',
            state: 'PENDING',
            attempts: 2,
            lastStatus: null,
            lastFailure: 'timeout',
            deliveredAt: null,
            nextAttemptAt: later(60_000),
          },
        ],
        fromGateways: [
          { webhookId: 'w-1', gateway: 'paystack', event: 'charge.success', deliveries: 3, receivedAt: AT },
          { webhookId: 'w-2', gateway: 'paystack', event: 'refund.processed', deliveries: 1, receivedAt: AT },
        ],
      }));
      await show(PAID);
      await screen.findAllByText('payment.succeeded');
      expect(within(part('Webhooks')).getAllByRole('listitem').map(textOf)).toEqual([
        'payment.succeeded Delivered1 attempt, 21 Nov 2024, 14:02https://shop.example/hooks',
        'payment.succeeded Failed8 attempts, HTTP 500https://shop.example/hooks',
        'payment.succeeded Pending2 attempts, no response within 15 seconds, retries 21 Nov 2024, 14:03https://shop.example/hooks',
        'Paystack: charge.success sent 3 times21 Nov 2024, 14:02',
        'Paystack: refund.processed21 Nov 2024, 14:02',
      ]);
      expect(screen.getAllByRole('link', { name: 'payment.succeeded' })[0]?.getAttribute('href')).toBe(
        '/webhooks/endpoints/end-1?mode=test&merchant=m-1&delivery=d-1',
      );
      expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull();
    });

    test('that are none say why there are none, in both directions', async () => {
      await show();
      await screen.findByText(/no endpoint of the merchant subscribes/);
      screen.getByText(/the payment was verified by polling/);
    });

    test('that could not be read say why', async () => {
      page.on('payments.messages', () => {
        throw new Error('The database is unavailable.');
      });
      await show(PAID);
      await screen.findByText('The database is unavailable.');
    });

    test('are sent again by those who may, with an answer in the corner', async () => {
      page.allow('webhook:resend');
      page.on('payments.messages', () => ({ deliveries: [DELIVERY], fromGateways: [] }));
      page.on('webhooks.deliveries.resend', () => ({}));
      const user = await show(PAID);
      await user.click(await screen.findByRole('button', { name: 'Resend' }));
      await expectCalls(page, 'webhooks.deliveries.resend', [{ merchantId: 'm-1', deliveryId: 'd-1' }]);
      await waitFor(() =>
        expect(page.toasts()).toEqual(['Event payment.succeeded is on its way to https://shop.example/hooks again.']),
      );
    });
  });

  describe('notes', () => {
    test('are read by all, written by those who may verify, and keep the name of who left', async () => {
      page.on('payments.notes', () => [
        { noteId: 'n-1', text: 'Called the customer.', authorName: 'Ada Obi', createdAt: AT },
        { noteId: 'n-2', text: 'Waiting.', authorName: null, createdAt: AT },
      ]);
      await show(PAID);
      await screen.findByText('Called the customer.');
      expect(within(part('Notes')).getAllByRole('listitem').map(textOf)).toEqual([
        'Called the customer.Ada Obi, 21 Nov 2024, 14:02',
        'Waiting.Former team member, 21 Nov 2024, 14:02',
      ]);
      expect(screen.queryByRole('textbox', { name: 'Add a note' })).toBeNull();
    });

    test('may be added by those who may verify payments', async () => {
      page.allow('payment:verify');
      await show(PAID);
      await screen.findByRole('textbox', { name: 'Add a note' });
      expect(button('Save note').disabled).toBe(true);
    });
  });

  describe('actions', () => {
    test('are those that the status and the role allow', async () => {
      page.allow('payment:verify', 'payment:refund');
      await show();
      await screen.findByRole('button', { name: 'Verify now' });
      expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
    });

    test('on a paid payment are its refund', async () => {
      page.allow('payment:verify', 'payment:refund');
      await show(PAID);
      await screen.findByRole('button', { name: 'Refund' });
      expect(screen.queryByRole('button', { name: 'Verify now' })).toBeNull();
    });

    test('are none for a viewer', async () => {
      await show(PAID);
      await screen.findByText('No notes yet. Only your team sees notes.');
      expect(screen.queryByRole('button', { name: /Refund|Verify/ })).toBeNull();
    });

    test('verify at the gateway and say what it answered', async () => {
      page.allow('payment:verify');
      page.on('payments.verify', () => ({
        kind: 'verified',
        before: 'PENDING',
        after: 'PENDING',
        answered: true,
        underReview: false,
      }));
      const user = await show();
      await user.click(await screen.findByRole('button', { name: 'Verify now' }));
      await screen.findByText('Verified: the gateway has no payment, so it stays pending.');
      await expectCalls(page, 'payments.verify', [{ paymentId: 'p-1' }]);
    });
  });

  describe('money that waits for a decision', () => {
    test('is said with its amount; a viewer is offered no decision', async () => {
      await show({
        ...PAID,
        review: { state: 'OPEN', reason: 'Expected NGN 2,500.00, received NGN 2,600.00.' },
        refunds: [
          { ...REFUND, state: 'FAILED', unresolved: true, failureMessage: 'Balance too low.' },
          { ...REFUND, refundId: 'r-2', state: 'NEEDS_ATTENTION', failureMessage: 'Account closed.' },
        ],
      });
      screen.getByText(/Expected NGN 2,500.00, received NGN 2,600.00/);
      expect(textOf(screen.getByText('Refund failed.').parentElement as HTMLElement)).toBe(
        'Refund failed. NGN 5,000.00 was not returned. Balance too low.',
      );
      expect(textOf(screen.getByText('Refund needs attention.').parentElement as HTMLElement)).toBe(
        "Refund needs attention. NGN 5,000.00 has not been returned. Account closed. Complete it in the gateway's dashboard.",
      );
      await screen.findByText('No notes yet. Only your team sees notes.');
      expect(screen.queryByRole('button', { name: /…|Check now/ })).toBeNull();
    });

    test('is refunded by one role and dismissed by another', async () => {
      page.allow('payment:review');
      page.on('refunds.duplicates.list', () => ({
        items: [{ duplicateChargeId: 'c-1', currency: 'NGN', amount: 2_500n, gateway: 'kora' }],
        next: null,
      }));
      await show({ ...PAID, attempts: [{ ...ATTEMPT, duplicate: true }] });
      await screen.findByText(/was received again through Kora and has not been refunded/);
      await screen.findByRole('button', { name: 'Dismiss…' });
      expect(screen.queryByRole('button', { name: 'Refund…' })).toBeNull();
    });

    test('of a refund that is stuck is checked at the gateway', async () => {
      page.allow('payment:refund');
      page.on('refunds.look', () => ({ state: 'SUCCEEDED', gateway: 'Paystack' }));
      const user = await show({ ...PAID, refunds: [{ ...REFUND, state: 'NEEDS_ATTENTION' }] });
      await user.click(await screen.findByRole('button', { name: 'Check now' }));
      await expectCalls(page, 'refunds.look', [{ refundId: 'r-1' }]);
      await waitFor(() => expect(page.toasts()).toEqual(['Checked at Paystack: the refund is succeeded.']));
    });

    test('whose refund is under way is not decided again', async () => {
      page.allow('payment:refund', 'payment:review');
      page.on('refunds.reviews.list', () => ({ items: [{ paymentId: 'p-1', refunding: true }], next: null }));
      await show({ review: { state: 'OPEN', reason: null } });
      await screen.findByText('Refund processing');
      screen.getByText(/The amount received does not match the order/);
      expect(screen.queryByRole('button', { name: 'Review…' })).toBeNull();
    });
  });

  test('a payment that could not be read says why, and is tried again', async () => {
    page.on('payments.byId', () => {
      throw new Error('There is no such payment.');
    });
    const user = page.show(<PaymentDetail paymentId="p-1" />);
    await screen.findByText('There is no such payment.');
    page.on('payments.byId', () => PAYMENT);
    await user.click(button('Try again'));
    await screen.findByRole('article');
  });
});

describe('payment notes', () => {
  const page = openDashboard('?mode=test');
  beforeEach(() => page.on('payments.notes', () => []));

  test('a note is saved without blanks around it, and the field is empty for the next', async () => {
    page.on('payments.addNote', () => ({ kind: 'added' }));
    const user = page.show(<NoteForm paymentId="p-1" />);
    expect(button('Save note').disabled).toBe(true);
    await user.type(field('Add a note'), ' The customer called. ');
    await user.click(button('Save note'));
    await expectCalls(page, 'payments.addNote', [{ paymentId: 'p-1', text: 'The customer called.' }]);
    await waitFor(() => expect(field('Add a note').value).toBe(''));
  });

  test('a note that could not be saved stays', async () => {
    page.on('payments.addNote', () => {
      throw new Error('The server did not answer.');
    });
    const user = page.show(<NoteForm paymentId="p-1" />);
    await user.type(field('Add a note'), 'The customer called.');
    await user.click(button('Save note'));
    await expectRefusal('The server did not answer.');
    expect(screen.getByDisplayValue('The customer called.')).toBe(field('Add a note'));
  });
});
