import { firstIdAt, newId } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { type DrawnRow, openRowDrawing, type RowDrawing } from '@switchyard/db/testing';
import { packSession } from '@switchyard/payments/testing';
import { packDecision } from '@switchyard/rule-sets/store-inputs';
import { packEventBody } from '@switchyard/webhooks/events/packed';
import type { Switchyard } from '../process.ts';

/** Two merchants with rows of every list in both modes, every amount, id, text and moment different from every other. */
export interface World {
  readonly merchantIds: readonly [string, string];
  /** Ids of the merchants after these two. */
  readonly otherIds: readonly string[];
  readonly drawing: RowDrawing;
}

/** Statuses of a payment with what goes with each. The last is bare: all that may be null is null. */
const PAYMENTS: readonly DrawnRow[] = [
  { status: 'SUCCESS', failure_reason: null, review: null, review_reason: null },
  { status: 'FAILED', failure_reason: 'session_expired' },
  { status: 'REFUNDED', failure_reason: null },
  { status: 'PENDING', failure_reason: null, paid_at: null, reversed_at: null, reversal_cause: null, reversed_amount: '0' },
  { status: 'SUCCESS', failure_reason: null, reversal_cause: 'chargeback' },
  { status: 'INITIATED', refunded_amount: '0', reversed_amount: '0' },
];

/** Entries of each merchant's audit log, from position 1. */
export const AUDITED = 3;

/** How much is drawn. */
export interface WorldSize {
  /** Two at least. */
  readonly merchants?: number;
  /** How often each mode has a payment of each status. */
  readonly rounds?: number;
}

/** Draws a world into a Switchyard's database, whose configuration then has it. */
export async function drawWorld(switchyard: Switchyard, { merchants = 2, rounds = 1 }: WorldSize = {}): Promise<World> {
  const drawing = await openRowDrawing(switchyard.resources.database);
  const merchantIds: string[] = [];
  for (let at = 0; at < merchants; at += 1) {
    const { id } = drawing.draw('merchant', { session_minutes: 60 + at });
    const merchantId = String(id);
    drawing.draw('tenant', { id: merchantId });
    drawing.draw('configuration_revision', { merchant_id: merchantId });
    for (const mode of ['test', 'live'] as const) drawMode(drawing, merchantId, mode, rounds);
    drawing.draw('audit_head', { tenant_id: merchantId, position: AUDITED });
    for (let position = 1; position <= AUDITED; position += 1) {
      const person = drawing.draw('staff_user', {
        two_factor_enabled: false,
        two_factor_required: false,
        time_zone: null,
        disabled_at: null,
      });
      drawing.draw('audit_entry', { tenant_id: merchantId, position, actor: `staff:${person.id}` });
    }
    merchantIds.push(merchantId);
  }
  await drawing.store();
  await switchyard.resources.configuration.refresh();
  const [first = '', second = '', ...otherIds] = merchantIds;
  return { merchantIds: [first, second], otherIds, drawing };
}

const idOf = (row: DrawnRow): string => String(row.id);

function drawMode(drawing: RowDrawing, merchantId: string, mode: Mode, rounds: number): void {
  const own = { merchant_id: merchantId, mode };
  const accounts: DrawnAccount[] = [];
  for (const gateway of ['paystack', 'flutterwave']) {
    const account = drawing.draw('gateway_account', {
      ...own,
      gateway,
      credentials: null,
      credential_hint: {},
      currencies: ['NGN', 'USD'],
      methods: ['CARD', 'TRANSFER', 'USSD'],
      base_url: null,
      configuration_fault: null,
      configuration_fault_message: null,
      configuration_fault_at: null,
    });
    accounts.push({ account_id: idOf(account), gateway });
  }
  const endpoint = drawing.draw('webhook_endpoint', { ...own, types: [], format: 'switchyard', removed_at: null });
  const key = drawing.draw('api_key', { ...own, rotated_from_id: null });
  for (const [at, status] of [200, 400, null].entries()) {
    // Its first part is the time, by which requests are found.
    const ended_at = new Date(Date.UTC(2026, 8, 10 + at, 22, 59, 59, at));
    const id = `${firstIdAt(ended_at.getTime()).slice(0, -12)}${newId().slice(-12)}`;
    drawing.draw('api_request', { ...own, id, ended_at, key_id: key.id, status, method: 'DELETE' });
  }
  for (const [at, given] of Array.from({ length: rounds }, () => PAYMENTS)
    .flat()
    .entries()) {
    const account = accounts[at % accounts.length];
    if (account === undefined) throw new Error('a mode has accounts');
    const bare = at % PAYMENTS.length === PAYMENTS.length - 1;
    drawPayment(drawing, {
      own,
      account,
      accounts,
      endpointId: idOf(endpoint),
      given,
      bare,
      currency: at % 3 === 1 ? 'USD' : 'NGN',
    });
  }
}

interface DrawnAccount {
  readonly account_id: string;
  readonly gateway: string;
}

interface Around {
  readonly own: { readonly merchant_id: string; readonly mode: Mode };
  readonly account: DrawnAccount;
  readonly accounts: readonly DrawnAccount[];
  readonly endpointId: string;
  readonly given: DrawnRow;
  readonly bare: boolean;
  readonly currency: string;
}

function drawPayment(drawing: RowDrawing, { own, account, accounts, endpointId, given, bare, currency }: Around): void {
  const draw = (table: string, row: DrawnRow) => drawing.draw(table, row, { bare });
  const { merchant_id } = own;
  const [paymentId, firstId, paidId] = [newId(), newId(), newId()];
  const [other = account] = accounts.filter(({ account_id }) => account_id !== account.account_id);
  draw('payment', {
    ...own,
    ...given,
    id: paymentId,
    currency,
    customer_country: bare ? null : 'NG',
    recommended_gateway: other.gateway,
    payment_method: bare ? null : 'CARD',
    paid_method: bare ? null : 'TRANSFER',
    account_id: bare ? null : account.account_id,
    account_gateway: bare ? null : account.gateway,
    current_attempt_id: bare ? null : firstId,
    paid_attempt_id: bare ? null : paidId,
    customer_erased_at: null,
    unusual_status: null,
    refunded_amount: given.refunded_amount ?? '7',
    packed_session: packSession({ merchantId: merchant_id, paymentId }, bare ? null : { reference: paymentId }, []),
    packed_decision: packDecision({ paymentId }, null),
  });
  const of = { merchant_id, payment_id: paymentId };
  const first = draw('attempt', {
    ...of,
    ...other,
    id: firstId,
    position: 0,
    packed_call: null,
    state: 'OPENED',
    duplicate: false,
  });
  draw('attempt', { ...of, ...account, id: paidId, position: 1, packed_call: null, state: 'PAID', duplicate: false });
  // Paid at two gateways, each a part.
  if (given.reversal_cause === 'chargeback') {
    draw('attempt', { ...of, ...other, position: 2, packed_call: null, state: 'PAID', duplicate: false });
  }
  const attempt = { ...own, ...of, ...account, attempt_id: paidId, currency };
  draw('timeline_event', { ...of, from_status: 'INITIATED', to_status: 'PENDING' });
  draw('payment_note', of);
  const refund = draw('refund', { ...attempt, duplicate: false, mismatched: false });
  draw('refund', { ...attempt, duplicate: true, mismatched: false });
  draw('refund_approval', { ...own, ...of, gateway: account.gateway, currency, kind: 'own', subject_id: null });
  draw('duplicate_charge', { ...attempt, refund_id: bare ? null : idOf(refund) });
  const dispute = draw('dispute', { ...attempt, taken_back: '0.5' });
  draw('dispute', { ...attempt, payment_id: null, attempt_id: null, taken_back: '0.25' });
  draw('dispute_event', { merchant_id, dispute_id: idOf(dispute) });
  drawBooks(draw, { own, of, account, currency, status: given.status, refundId: idOf(refund), disputeId: idOf(dispute), bare });
  const eventId = newId();
  const packed_body = packEventBody({ id: eventId, paymentId }, JSON.stringify({ id: eventId }));
  const event = draw('merchant_event', { ...own, ...of, id: eventId, packed_body });
  const delivery = draw('webhook_delivery', {
    ...of,
    endpoint_id: endpointId,
    event_id: idOf(event),
    resend_id: null,
    body: null,
    due_at: null,
    next_attempt_at: null,
  });
  draw('webhook_delivery_attempt', { merchant_id, endpoint_id: endpointId, delivery_id: idOf(delivery) });
  draw('gateway_webhook', { merchant_id, ...account, packed_body: null, reference: first.reference });
}

/** Exact decimals, each of its own. */
let amountCount = 0;
function nextAmount(): string {
  amountCount += 1;
  return `${amountCount * 37}.07`;
}
const takenOff = () => `-${nextAmount()}`;

interface Booked extends Pick<Around, 'own' | 'account' | 'currency' | 'bare'> {
  readonly of: { readonly merchant_id: string; readonly payment_id: string };
  /** The payment's. */
  readonly status: unknown;
  readonly refundId: string;
  readonly disputeId: string;
}

/** Statuses of the settlement that a payment is in, by its own. */
const SETTLEMENTS: Readonly<Record<string, string>> = { FAILED: 'FAILED', REFUNDED: 'WITHDRAWN', INITIATED: 'PENDING' };

/** Rows of settlements, reconciliation, fees and the bank about a payment. */
function drawBooks(
  draw: (table: string, row: DrawnRow) => DrawnRow,
  { own, of, account, currency, status, refundId, disputeId, bare }: Booked,
): void {
  const { merchant_id, payment_id } = of;
  const settlement = draw('settlement', { ...own, ...account, currency, status: SETTLEMENTS[String(status)] ?? 'PAID' });
  const settlementId = idOf(settlement);
  const line = { merchant_id, settlement_id: settlementId, account_id: account.account_id, currency, file_id: null };
  const subject = `payment/${payment_id}`;
  const paidLine = draw('settlement_line', {
    ...line,
    payment_id,
    refund_id: null,
    dispute_id: null,
    subjects: [subject],
    kind: 'PAYMENT',
  });
  const taken = { ...line, payment_id: null, amount: '-16.13', subjects: [`refund/${refundId}`], kind: 'REFUND' };
  draw('settlement_line', { ...taken, refund_id: refundId, dispute_id: bare ? null : disputeId });
  for (const kind of ['FEE', 'OTHER'] as const) {
    const description = kind === 'OTHER' ? 'Stamp duty' : null;
    draw('settlement_line', {
      ...line,
      kind,
      description,
      payment_id,
      refund_id: null,
      dispute_id: null,
      subjects: [subject],
      amount: takenOff(),
    });
  }
  const unmatched = { payment_id: null, refund_id: null, dispute_id: null, linked_by: null, subjects: [] };
  draw('settlement_line', { ...line, ...unmatched, kind: 'ADJUSTMENT', amount: takenOff() });
  draw('settlement_line', { ...line, ...unmatched, kind: 'FEE', amount: takenOff() });
  draw('settlement_line', { ...line, ...unmatched, kind: 'OTHER', description: 'Stamp duty', amount: takenOff() });
  const found = { ...own, ...account };
  draw('settlement_discrepancy', {
    ...found,
    currency,
    subject,
    payment_id,
    settlement_id: settlementId,
    line_id: idOf(paidLine),
    refund_id: null,
    dispute_id: null,
  });
  draw('settlement_file', { ...own, account_id: account.account_id, mapping: {}, entered: null });
  const statement = draw('bank_statement', own);
  const bankLine = draw('bank_line', { ...own, statement_id: idOf(statement), currency });
  draw('bank_match', { merchant_id, bank_line_id: idOf(bankLine), settlement_id: settlementId, matched_by: 'reference' });
  draw('settlement_discrepancy', {
    ...found,
    currency,
    subject: `bank/${idOf(bankLine)}`,
    kind: 'UNMATCHED',
    payment_id: null,
    settlement_id: null,
    line_id: null,
    refund_id: null,
    dispute_id: null,
  });
  draw('reconciliation_discrepancy', {
    ...found,
    kind: 'AMOUNT',
    ledger: { status: 'paid', amount: nextAmount() },
    statement: { status: 'failed', amount: nextAmount() },
    payment_id,
    refund_id: refundId,
    subject: `refund/${refundId}`,
    state: 'RESOLVED',
    resolved_at: new Date('2026-11-01T22:30:00.017Z'),
  });
  draw('reconciliation_discrepancy', {
    ...found,
    kind: 'STATUS',
    ledger: { status: 'paid', amount: nextAmount() },
    statement: { status: 'failed' },
    payment_id: null,
    refund_id: null,
    state: 'OPEN',
    resolved_at: null,
  });
  // One is priced and not charged yet.
  const charged = status === 'PENDING' ? { charged: null, reported: null, settled: null } : {};
  draw('payment_fee', { ...found, ...charged, payment_id, currency, contract_id: null, settlement_id: settlementId });
  if (status !== 'SUCCESS') return;
  // Paid out in two parts.
  const second = draw('settlement', { ...own, ...account, currency, status: 'PAID' });
  draw('settlement_line', {
    ...line,
    settlement_id: idOf(second),
    payment_id,
    refund_id: null,
    dispute_id: null,
    subjects: [subject],
    kind: 'PAYMENT',
  });
}
