import type { CheckId } from '../check-list.ts';
import { type Exchange, exchange, freshClient } from '../connections.ts';
import { credentialFields, credentialVariable } from '../credential-fields.ts';
import type {
  CheckoutSession,
  ListedPayment,
  ListPage,
  Outcome,
  ReceivedPayment,
  RefundReceipt,
  WebhookRequest,
} from '../gateway.ts';
import { readAllPages } from '../list-answers.ts';
import type { OperationInput } from './operations.ts';
import { type CheckResult, durationRows, type Recording } from './report.ts';
import type { CertificationRun } from './run.ts';
import { certificationEmail } from './wire-recorder.ts';

/** Naira of the payment, and of the first of its two refunds. */
const AMOUNT = 1_000n;
const PART = 400n;
const CURRENCY = 'NGN';

const PAGE_TIMEOUT_MS = 30_000;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Rows of a page when pages are tested, and the most pages that are read. */
const ROWS_PER_PAGE = 2;
const MAX_PAGES = 10;
/** Lists and states may lag behind; longer than this is not waited for. */
const LAG_MS = 60_000;
const BEFORE_START_MS = 300_000;
const AFTER_NOW_MS = 86_400_000;

/**
 * Milliseconds that the product waits for each operation: `payments/initiate` for a checkout and a look-up, `payments/refunds`, and
 * `reconciliation` for lists of payments. Tests there hold them.
 */
export const limitsMs = {
  open: 8_000,
  verify: 8_000,
  refund: 15_000,
  findRefund: 15_000,
  listPayments: 20_000,
  listRefunds: 15_000,
} as const;

type Check = (run: CertificationRun) => Promise<Verdict>;

/** A result before the last call is attached to a failure. */
export type Verdict = Exclude<CheckResult, { result: 'failed' }> | { result: 'failed'; expected: string; received: string };

const passed = (detail: string): Verdict => ({ result: 'passed', detail });
const failed = (expected: string, received: string): Verdict => ({ result: 'failed', expected, received });
const notPossible = (reason: string): Verdict => ({ result: 'not_possible', reason });
const skipped = (reason: string): Verdict => ({ result: 'skipped', reason });

/** Failures of the way to the gateway, or of the keys: of the question itself nothing is known then. */
const UNANSWERED: ReadonlySet<string> = new Set(['invalid_credentials', 'address_refused', 'not_supported']);

function isAnswered(outcome: Outcome<unknown>): boolean {
  return outcome.outcome === 'yes' || (outcome.failure.class !== 'provider_fault' && !UNANSWERED.has(outcome.failure.code));
}

/** An outcome as a failed check reports it. */
function shown(outcome: Outcome<unknown>): string {
  return outcome.outcome === 'yes' ? 'yes.' : `${outcome.outcome}, ${outcome.failure.code}: ${outcome.failure.message}`;
}

function orderOf(run: CertificationRun, reference: string, amount: bigint): OperationInput<'open'> {
  return {
    reference,
    amount: String(amount),
    currency: CURRENCY,
    customer: { email: certificationEmail, phone: null, id: null },
    method: null,
    callbackUrl: 'https://example.com/certification',
    paymentId: run.newId(),
    sessionMinutes: 60,
  };
}

function queryOf(reference: string, amount: bigint = AMOUNT): OperationInput<'verify'> {
  return { reference, transactionId: null, amount: String(amount), currency: CURRENCY };
}

function period(run: CertificationRun): { readonly from: string; readonly to: string } {
  return {
    from: new Date(run.startedAt.getTime() - BEFORE_START_MS).toISOString(),
    to: new Date(run.startedAt.getTime() + AFTER_NOW_MS).toISOString(),
  };
}

/** Credentials that differ in the secret key, as far as its form allows. */
export function withWrongKey(credentials: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { secretKey = '' } = credentials;
  const masked = secretKey
    .replace(/[A-Za-z0-9]{8,}/g, (run) => 'x'.repeat(run.length))
    .replace(/[A-Za-z0-9]{4,}(?=[^A-Za-z0-9]*\w?$)/, (run) => 'x'.repeat(run.length));
  return { ...credentials, secretKey: masked };
}

/** Every check by its name. */
export const checks: Readonly<Record<CheckId, Check>> = {
  async credentials(run) {
    const outcome = await run.call('verify', queryOf(run.newReference()));
    return isAnswered(outcome)
      ? passed('The call was answered.')
      : failed('an answer to a call with these keys.', shown(outcome));
  },

  async wrong_key(run) {
    const account = { ...run.account, accountId: 'wrong-key', credentials: withWrongKey(run.account.credentials) };
    const outcome = await run.call('verify', queryOf(run.newReference()), { account });
    return outcome.outcome !== 'yes' && outcome.failure.code === 'invalid_credentials'
      ? passed(outcome.failure.message)
      : failed('a refusal of the key (invalid_credentials).', shown(outcome));
  },

  async unknown_reference(run) {
    const { unknownReference } = run.gateway.certification;
    const outcome = await run.call('verify', queryOf(run.newReference()));
    return outcome.outcome !== 'yes' && outcome.failure.code === unknownReference
      ? passed(outcome.failure.message)
      : failed(`that no such transaction exists (${unknownReference}).`, shown(outcome));
  },

  async open(run) {
    const outcome = await openOne(run);
    return outcome.outcome === 'yes'
      ? passed(`NGN ${AMOUNT}, ${outcome.value.reference}`)
      : failed('the address of a checkout under our reference, at a host of the gateway.', shown(outcome));
  },

  async checkout_page(run) {
    const url = new URL(firstOpened(run).redirectUrl);
    const page = await run.callOtherwise(() => getPage(url));
    const answered = page.status !== null && page.status >= 200 && page.status < 400;
    const got = page.kind === 'answered' ? `HTTP ${page.status}` : `${page.why} (${page.detail})`;
    return answered ? passed(`HTTP ${page.status}`) : failed('HTTP 2xx or 3xx to GET.', got);
  },

  async duplicate_reference(run) {
    const { reference } = firstOpened(run);
    const outcome = await run.call('open', orderOf(run, reference, AMOUNT));
    return outcome.outcome === 'no' && outcome.failure.code === 'duplicate_reference'
      ? passed(outcome.failure.message)
      : failed('a refusal that names the reference as used before (duplicate_reference).', shown(outcome));
  },

  async amount_too_small(run) {
    const { tooSmall } = run.gateway.certification;
    const outcome = await run.call('open', orderOf(run, run.newReference(), tooSmall));
    return outcome.outcome === 'no' && outcome.failure.code === 'request_rejected'
      ? passed(`NGN ${tooSmall}: ${outcome.failure.message}`)
      : failed(`a refusal of NGN ${tooSmall} (request_rejected).`, shown(outcome));
  },

  async verify_unpaid(run) {
    const outcome = await run.call('verify', queryOf(firstOpened(run).reference));
    return outcome.outcome === 'unknown' && outcome.failure.code === 'not_paid_yet'
      ? passed(outcome.failure.message)
      : failed('that the customer has not paid yet (not_paid_yet).', shown(outcome));
  },

  async payment(run) {
    if (run.skipPaid) return skipped('No payment was made (--skip-paid).');
    const session = firstOpened(run);
    const how = await pay(run, session);
    const outcome = await run.poll('verify', queryOf(session.reference), run.waitMs, (each) => each.outcome !== 'unknown');
    if (outcome.outcome !== 'yes') return failed(`a payment within ${run.waitMs / 1_000} s, ${how}.`, shown(outcome));
    const problem = problemOfPayment(outcome.value, session.reference);
    if (problem !== null) return failed(`NGN ${AMOUNT} under ${session.reference}.`, problem);
    run.paid = outcome.value;
    return passed(`${how}; transaction ${outcome.value.transactionId}, fee ${outcome.value.fee ?? 'not reported'}`);
  },

  async webhook(run) {
    if (run.webhooks === null) return skipped('No webhook could come: neither --webhook-url nor --paste-webhook was given.');
    const missing = missingSecret(run);
    if (missing !== null) return skipped(`${missing} was not given: without it no signature can be checked.`);
    const { reference } = paidPayment(run);
    const expected = `a webhook of the payment ${reference} within ${run.waitMs / 1_000} s, with a signature under the account's secret.`;
    const deadline = performance.now() + run.waitMs;
    const read: string[] = [];
    while (performance.now() < deadline) {
      const delivery = await run.webhooks.next(deadline - performance.now());
      if (delivery === null) break;
      const reading = run.readWebhook(delivery);
      if (reading.kind === 'payment' && reading.reference === reference) return judgeSignature(run, delivery, reading.event);
      read.push(reading.kind === 'refused' ? `refused (${reading.why})` : `${reading.kind} ${reading.event}`);
    }
    return failed(expected, read.length === 0 ? 'none.' : `${read.join(', ')}.`);
  },

  async list_payments(run) {
    const paid = paidPayment(run);
    const rows = await untilFound(
      run,
      () => listAll(run),
      (all) => all.some(({ reference }) => reference === paid.reference),
    );
    if (rows.outcome !== 'yes') return failed('a list of which every row can be read.', shown(rows));
    const row = rows.value.find(({ reference }) => reference === paid.reference);
    if (row === undefined) return failed(`${paid.reference} among the payments of today.`, `${rows.value.length} others.`);
    const expected = { status: 'paid', amount: paid.amount, currency: paid.currency, transactionId: paid.transactionId };
    const { status, amount, currency, transactionId } = row;
    const listed = { status, amount, currency, transactionId };
    return JSON.stringify(listed) === JSON.stringify(expected)
      ? passed(`${rows.value.length} listed`)
      : failed(`${JSON.stringify(expected)}, as verified.`, JSON.stringify(listed));
  },

  async paging(run) {
    for (let more = 0; more < ROWS_PER_PAGE; more += 1) {
      const opened = await openOne(run);
      if (opened.outcome !== 'yes') return failed('another checkout.', shown(opened));
    }
    const whole = await listAll(run);
    if (whole.outcome !== 'yes') return failed('a list of which every row can be read.', shown(whole));
    const keys: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: Outcome<ListPage<ListedPayment>> = await run.call('listPayments', {
        ...period(run),
        cursor,
        rowsPerPage: ROWS_PER_PAGE,
      });
      if (page.outcome !== 'yes') return failed(`page ${pages + 1} of the list.`, shown(page));
      const { length } = page.value.rows;
      if (length > ROWS_PER_PAGE)
        return failed(`at most ${ROWS_PER_PAGE} payments on a page.`, `${length} on page ${pages + 1}.`);
      keys.push(...page.value.rows.map(({ transactionId }) => transactionId));
      cursor = page.value.nextCursor;
      pages += 1;
    } while (cursor !== null && pages < MAX_PAGES);
    const twice = keys.filter((key, at) => keys.indexOf(key) !== at);
    if (twice.length > 0) return failed('each payment on one page.', `${twice.join(', ')} on two.`);
    const missing = cursor === null ? whole.value.filter(({ transactionId }) => !keys.includes(transactionId)) : [];
    if (missing.length > 0) return failed('all payments of the whole list.', `all but ${missing.length}.`);
    if (pages === 1) {
      return notPossible(`The list shows ${keys.length} payments, on one page: it shows no unpaid checkouts.`);
    }
    return passed(`${keys.length} payments on ${pages} pages`);
  },

  refund_part: (run) => refund(run, PART),
  refund_rest: (run) => refund(run, AMOUNT - PART),

  async refund_states(run) {
    const seen: string[] = [];
    for (const { receipt, amount } of run.refunds) {
      const query = { gatewayRefundId: receipt.gatewayRefundId };
      const isFinal = (outcome: Outcome<RefundReceipt>) => outcome.outcome !== 'yes' || outcome.value.state !== 'processing';
      const outcome = await run.poll('findRefund', query, Math.min(run.waitMs, LAG_MS), isFinal);
      if (outcome.outcome !== 'yes') return failed(`the refund ${receipt.gatewayRefundId}.`, shown(outcome));
      const { state } = outcome.value;
      if (state === 'failed' || state === 'needs_attention') return failed('a refund that succeeds, or is processed.', state);
      seen.push(`NGN ${amount}: ${receipt.state} → ${state}`);
    }
    return passed(seen.join('; '));
  },

  async list_refunds(run) {
    const { reference, transactionId } = paidPayment(run);
    const isListed = (rows: readonly { gatewayRefundId: string; note: string | null; amount: string }[]) =>
      run.refunds.every(({ receipt, refundReference, amount }) =>
        rows.some(
          (row) =>
            row.amount === String(amount) &&
            (row.gatewayRefundId === receipt.gatewayRefundId || row.note?.includes(refundReference) === true),
        ),
      );
    const read = () =>
      readAllPages(
        (cursor) => run.call('listRefunds', { ...period(run), cursor, paymentReference: reference, transactionId }),
        ({ gatewayRefundId, note, amount }) => `${gatewayRefundId} ${note} ${amount}`,
      );
    const rows = await untilFound(run, read, isListed);
    if (rows.outcome !== 'yes') return failed('a list of which every row can be read.', shown(rows));
    return isListed(rows.value)
      ? passed(`${rows.value.length} listed`)
      : failed(`${run.refunds.length} refunds with their amounts.`, JSON.stringify(rows.value));
  },

  async timeouts(run) {
    return judgeDurations(run.recordings);
  },
};

/** Passed when no call took as long as the product waits for it. A call that nothing answered is no measurement, unless it is late. */
export function judgeDurations(recordings: readonly Pick<Recording, 'operation' | 'milliseconds' | 'exchanges'>[]): Verdict {
  const measured = recordings.filter(
    ({ operation, milliseconds, exchanges }) =>
      typeof exchanges.at(-1)?.status === 'number' || milliseconds >= limitsMs[operation],
  );
  if (measured.length === 0) return failed('a call that is answered.', 'none.');
  const rows = durationRows(measured);
  const late = rows.filter(({ operation, slowest }) => slowest >= limitsMs[operation]);
  const text = (each: typeof rows) => each.map(({ operation, slowest }) => `${operation} ${slowest} ms`).join(', ');
  return late.length === 0
    ? passed(`slowest: ${text(rows)}`)
    : failed(`at most ${late.map(({ operation }) => `${operation} ${limitsMs[operation]} ms`).join(', ')}.`, `${text(late)}.`);
}

async function getPage(url: URL): Promise<Exchange> {
  const client = freshClient(url.origin);
  const page = await exchange(
    client,
    {
      method: 'GET',
      path: url.pathname + url.search,
      headers: { accept: 'text/html', 'accept-encoding': 'identity', 'user-agent': 'Mozilla/5.0 (Switchyard certification)' },
      body: null,
      maxBytes: MAX_PAGE_BYTES,
    },
    PAGE_TIMEOUT_MS,
  );
  await client.destroy();
  return page;
}

async function openOne(run: CertificationRun): Promise<Outcome<CheckoutSession>> {
  const outcome = await run.call('open', orderOf(run, run.newReference(), AMOUNT));
  if (outcome.outcome === 'yes') run.opened.push(outcome.value);
  return outcome;
}

function firstOpened({ opened: [first] }: CertificationRun): CheckoutSession {
  if (first === undefined) throw new Error('no checkout was opened');
  return first;
}

function paidPayment({ paid }: CertificationRun): ReceivedPayment {
  if (paid === null) throw new Error('no payment was made');
  return paid;
}

/** Pays by the gateway's API where that can be done, else asks a person to. */
async function pay(run: CertificationRun, session: CheckoutSession): Promise<string> {
  const { payByTestCard, testCard } = run.gateway.certification;
  if (payByTestCard !== undefined) {
    const reply = await run.callOtherwise(() => payByTestCard(run.account, session));
    if (reply === 'paid') return 'paid by API';
    run.tell(`The API did not take the test card: ${reply}`);
  }
  run.tell(`Pay at ${session.redirectUrl} with ${testCard}`);
  return 'paid on the page';
}

function problemOfPayment(paid: ReceivedPayment, reference: string): string | null {
  if (paid.doubt !== undefined) return paid.doubt;
  const isRight = paid.reference === reference && paid.amount === String(AMOUNT) && paid.currency === CURRENCY && !paid.reversed;
  return isRight ? null : JSON.stringify({ ...paid, paidAt: paid.paidAt?.toISOString() ?? null });
}

/** The environment variable of a secret that signs webhooks, may be left out and was. */
function missingSecret({ gateway, account }: CertificationRun): string | null {
  const missing = credentialFields(gateway).find(
    ({ name, isOptional }) => isOptional && gateway.secretFields.includes(name) && !account.credentials[name],
  );
  return missing === undefined ? null : credentialVariable(gateway, missing.name);
}

/** A genuine webhook must be refused by an account with other secrets. */
function judgeSignature(run: CertificationRun, delivery: WebhookRequest, event: string): Verdict {
  const credentials = Object.fromEntries(
    Object.entries(run.account.credentials).map(([name, value]) => [name, /secret/i.test(name) ? `${value}x` : value]),
  );
  const other = run.gateway.readWebhook({ ...run.account, accountId: 'other-secrets', credentials }, delivery);
  return other.kind === 'refused' && other.why === 'bad_signature'
    ? passed(`${event}; refused under another secret`)
    : failed('that the webhook is refused under another secret.', other.kind);
}

function listAll(run: CertificationRun): Promise<Outcome<readonly ListedPayment[]>> {
  return readAllPages(
    (cursor) => run.call('listPayments', { ...period(run), cursor }),
    ({ transactionId }) => transactionId,
  );
}

/** Reads again while something is missing, within {@link LAG_MS}: lists may lag behind. */
async function untilFound<Row>(
  run: CertificationRun,
  read: () => Promise<Outcome<readonly Row[]>>,
  isThere: (rows: readonly Row[]) => boolean,
): Promise<Outcome<readonly Row[]>> {
  return run.again(Math.min(run.waitMs, LAG_MS), read, (outcome) => outcome.outcome !== 'yes' || isThere(outcome.value));
}

async function refund(run: CertificationRun, amount: bigint): Promise<Verdict> {
  const { reference: paymentReference, transactionId } = paidPayment(run);
  const refundReference = run.newReference();
  const input = {
    refundReference,
    paymentReference,
    transactionId,
    amount: String(amount),
    currency: CURRENCY,
    reason: 'Certification',
  };
  const outcome = await run.call('refund', input);
  if (outcome.outcome !== 'yes') return failed(`that the refund of NGN ${amount} is accepted.`, shown(outcome));
  const receipt = outcome.value;
  if (receipt.state === 'failed') return failed('a refund that is not failed at once.', receipt.message ?? 'failed.');
  run.refunds.push({ receipt, refundReference, amount });
  return passed(`NGN ${amount}: ${receipt.state}`);
}
