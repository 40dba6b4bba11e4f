import { type Clock, describeHealthReason, formatDecimal, formatMoney, groupDecimal, methodWord } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import { failureText } from '@switchyard/scheduled-reports/failures';
import type { Permission } from '@switchyard/staff/permissions';
import type { FactsOf, FindingFacts } from './facts.ts';
import { type FindingKind, KINDS } from './kinds.ts';

type Amounts = FactsOf<'money'>['amounts'];

/** A figure of a finding with its name. */
export interface Figure {
  readonly label: string;
  readonly value: string;
}

/** Where something is done about a finding: a page of the dashboard, and what the link to it says. */
export interface FindingAction {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly label: string;
  /** The permission to do it; who lacks it can only look at the page. */
  readonly needs?: Permission;
}

/** A finding in words. */
export interface FindingText {
  /** `Paystack (paystack-main) is down` */
  readonly title: string;
  /** Why, in one sentence with figures. */
  readonly why: string;
  readonly figures: readonly Figure[];
  readonly action: FindingAction;
}

/** Who reads a text: the merchants they may know of (null for all), and how times are written for them. */
export interface Reader {
  readonly merchantIds: readonly string[] | null;
  readonly clock: Clock;
}

/** Describes a finding or an incident to a reader: of an outage of several merchants only the accounts of those they may know of. */
export function describeFinding(kind: FindingKind, facts: FindingFacts, reader: Reader): FindingText {
  return (
    describeFacts(kind, facts, reader) ?? {
      title: KINDS[kind].title,
      why: 'Another version of Switchyard found it; the dashboard shows what is known.',
      figures: [],
      action: { path: '/overview', query: {}, label: 'View overview' },
    }
  );
}

/** Null where the facts are not of the kind. */
function describeFacts(kind: FindingKind, facts: FindingFacts, reader: Reader): FindingText | null {
  const { clock } = reader;
  switch (kind) {
    case 'gateway_down':
      return facts.of === 'gateway' ? describeGateway('down', facts, clock) : null;
    case 'gateway_degraded':
      return facts.of === 'gateway' ? describeGateway('degraded', facts, clock) : null;
    case 'correlated_outage':
      return facts.of === 'outage' ? describeOutage(facts, reader) : null;
    case 'credentials_refused':
      return facts.of === 'credentials' ? describeCredentials(facts) : null;
    case 'duplicate_charge':
      return facts.of === 'money' ? describeDuplicates(facts, clock) : null;
    case 'repeated_payment':
      return facts.of === 'repeat' ? describeRepeat(facts) : null;
    case 'refund_stuck':
      return facts.of === 'money' ? describeRefunds(facts, clock) : null;
    case 'payment_review':
      if (facts.of === 'reversals') return describeReversals(facts, clock);
      return facts.of === 'money' ? describeReviews(facts, clock) : null;
    case 'reconciliation_discrepancy':
      return facts.of === 'discrepancies' ? describeDiscrepancies(facts, clock) : null;
    case 'webhook_endpoint_off':
      return facts.of === 'endpoint' ? describeEndpoint(facts) : null;
    case 'webhook_endpoint_failing':
      return facts.of === 'failing_endpoint' ? describeFailingEndpoint(facts) : null;
    case 'certificate_expiring':
      return facts.of === 'certificate' ? describeCertificate(facts, clock) : null;
    case 'api_key_expiring':
      return facts.of === 'key' ? describeKey(facts, clock) : null;
    case 'backlog':
      return facts.of === 'backlog' ? describeBacklog(facts, clock) : null;
    case 'sign_in_from_new_place':
      return facts.of === 'sign_in' ? describeSignIn(facts, clock) : null;
    case 'dispute_opened':
    case 'dispute_due':
      return facts.of === 'dispute' ? describeDispute(facts, clock) : null;
    case 'report_failed':
      return facts.of === 'report' ? describeReport(facts) : null;
    case 'no_second_person':
      return {
        title: 'Rules cannot be published',
        why: 'They need the approval of a second person, and no other person can approve them any more.',
        figures: [],
        action: { path: '/routing', query: {}, label: 'View options' },
      };
    case 'approval':
      return facts.of === 'approval' ? describeApproval(facts) : null;
    case 'approval_waiver':
      return facts.of === 'approval_waiver' ? describeWaiver(facts) : null;
    case 'refund_approval':
      return facts.of === 'refund_approval' ? describeRefundApprovals(facts, clock) : null;
    case 'review_waiver':
      return facts.of === 'review_waiver' ? describeReviewWaiver(facts) : null;
    case 'refund_control_waiver':
      return facts.of === 'refund_control_waiver' ? describeControlWaiver(facts) : null;
    case 'draft':
      return facts.of === 'draft' ? describeDraft(facts) : null;
    default:
      return kind satisfies never;
  }
}

/** `12 min`, `3 h 5 min`, `2 d 4 h` */
export function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return hours % 24 === 0 ? `${Math.floor(hours / 24)} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function describeGateway(state: 'down' | 'degraded', facts: FactsOf<'gateway'>, clock: Clock): FindingText {
  const { gateway, label, accountId, methods } = facts;
  const [worst] = methods;
  const why = worst === undefined ? '' : describeHealthReason(readHealthReason(worst.why), clock);
  return {
    title: `${gateway} (${label}) is ${state}`,
    why: why === '' ? `${gateway} is ${state}.` : why,
    figures: methods.map((one) => ({ label: capital(methodWord(one.method)), value: one.state })),
    action: { path: '/health', query: { account: accountId }, label: 'View health' },
  };
}

function describeOutage({ methods, members }: FactsOf<'outage'>, { merchantIds, clock }: Reader): FindingText {
  const own = members.filter(({ merchantId }) => merchantIds === null || merchantIds.includes(merchantId));
  const gateways = [...new Set(own.map(({ gateway }) => gateway))];
  const merchants = new Set(own.map(({ merchantId }) => merchantId)).size;
  const [since] = own.map((member) => member.since).toSorted();
  const words = methods.filter((method) => method !== null).map(methodWord);
  const what = words.length === 0 ? 'Payments' : `${capital(inWords(words))} payments`;
  const where = `${inWords(gateways)}${merchants > 1 ? ` for ${merchants} merchants` : ''}`;
  const others = own.length < members.length ? ', and for other merchants too' : '';
  const began = since === undefined ? '' : ` since ${clock.timeOf(since)}`;
  return {
    title: `Correlated outage at ${inWords(gateways)}`,
    why: `${what} fail at ${where}${began}${others}: they probably have a common cause.`,
    figures: gateways.map((gateway) => ({
      label: gateway,
      value: statesInWords(own.filter((member) => member.gateway === gateway)),
    })),
    action: { path: '/health', query: {}, label: 'View health' },
  };
}

/** `2 accounts down, 1 recovered` */
function statesInWords(members: FactsOf<'outage'>['members']): string {
  const states = members.map(({ state, recovered }) => (recovered ? 'recovered' : state));
  const counts = (['down', 'degraded', 'recovered'] as const).map((state) => ({
    state,
    count: states.filter((one) => one === state).length,
  }));
  const [first, ...others] = counts.filter(({ count }) => count > 0);
  if (first === undefined) return '';
  return [
    `${plural(first.count, 'account', 'accounts')} ${first.state}`,
    ...others.map(({ state, count }) => `${count} ${state}`),
  ].join(', ');
}

function describeCredentials({ gateway, label, accountId, sentence }: FactsOf<'credentials'>): FindingText {
  return {
    title: `${gateway} (${label}) is out of rotation`,
    why: sentence,
    figures: [],
    action: { path: '/gateways', query: { account: accountId }, label: 'Fix', needs: 'gateway:configure' },
  };
}

function describeDuplicates({ count, amounts, oldestAt }: FactsOf<'money'>, clock: Clock): FindingText {
  const since = clock.dateAndTimeOf(oldestAt);
  return {
    title: plural(count, 'duplicate payment', 'duplicate payments'),
    why: `${plural(count, 'payment was', 'payments were')} received a second time and not refunded: ${sumsOf(amounts)}, the oldest since ${since}.`,
    figures: figuresOf(amounts),
    action: { path: '/refunds', query: { tab: 'duplicates', state: 'OPEN' }, label: 'Refund', needs: 'payment:refund' },
  };
}

function describeRepeat({ paymentId, merchantOrderId, repeatsOrderId, amount, currency }: FactsOf<'repeat'>): FindingText {
  const sum = formatMoney(currency, amount);
  return {
    title: `${sum} probably paid twice`,
    why: `Order ${merchantOrderId} was begun while ${repeatsOrderId}, of the same customer and amount, did not look paid; both are paid. Ask the customer, or refund one.`,
    figures: [{ label: 'Amount', value: sum }],
    action: { path: `/payments/${paymentId}`, query: {}, label: 'View payment', needs: 'payment:refund' },
  };
}

function describeRefunds({ count, amounts, oldestAt }: FactsOf<'money'>, clock: Clock): FindingText {
  const since = clock.dateAndTimeOf(oldestAt);
  return {
    title: `${plural(count, 'refund is', 'refunds are')} stuck`,
    why: `${plural(count, 'refund has', 'refunds have')} not returned the money: ${sumsOf(amounts)}, the oldest of ${since}.`,
    figures: figuresOf(amounts),
    action: { path: '/refunds', query: { state: 'FAILED,NEEDS_ATTENTION' }, label: 'Fix refunds', needs: 'payment:refund' },
  };
}

function describeReviews({ count, amounts, oldestAt }: FactsOf<'money'>, clock: Clock): FindingText {
  const since = clock.dateAndTimeOf(oldestAt);
  return {
    title: `${plural(count, 'payment', 'payments')} for review`,
    why: `${plural(count, 'payment waits', 'payments wait')} for a decision, because what was received does not match the order or no gateway says whether it was paid: ${sumsOf(amounts)}, the oldest of ${since}.`,
    figures: figuresOf(amounts),
    action: { path: '/refunds', query: { tab: 'reviews' }, label: 'Review', needs: 'payment:review' },
  };
}

function describeDispute(
  { disputeId, gateway, inLedger, amount, currency, dueAt }: FactsOf<'dispute'>,
  clock: Clock,
): FindingText {
  const sum = formatMoney(currency, amount);
  const due = dueAt === null ? 'No due date is known.' : `Respond by ${clock.dateAndTimeOf(dueAt)}.`;
  return {
    title: `${sum} disputed at ${gateway}`,
    why: `A customer disputes ${sum} of a payment at ${gateway}${inLedger ? '' : ' that is not in the ledger'}. ${due} Without a response, the customer is refunded.`,
    figures: [
      { label: 'Amount', value: sum },
      { label: 'Due', value: dueAt === null ? '–' : clock.dateAndTimeOf(dueAt) },
    ],
    action: { path: `/disputes/${disputeId}`, query: {}, label: 'Answer', needs: 'reconciliation:resolve' },
  };
}

function describeReport({ scheduleId, name, error }: FactsOf<'report'>): FindingText {
  return {
    title: `Report "${name}" was not generated`,
    why: `${failureText(error)} It is not sent until someone acts.`,
    figures: [],
    action: { path: '/reports/scheduled', query: { schedule: scheduleId }, label: 'View report', needs: 'report:export' },
  };
}

function describeReversals({ count, amounts, oldestAt }: FactsOf<'reversals'>, clock: Clock): FindingText {
  const payments = plural(count, 'paid payment', 'paid payments');
  return {
    title: `${plural(count, 'payment was', 'payments were')} reversed`,
    why: `Gateways took back ${sumsOf(amounts)} of ${payments} in the last seven days, first on ${clock.dateAndTimeOf(oldestAt)}.`,
    figures: figuresOf(amounts),
    action: { path: '/payments', query: { reversed: 'true' }, label: 'View payments' },
  };
}

function describeDiscrepancies({ count, kinds, oldestAt }: FactsOf<'discrepancies'>, clock: Clock): FindingText {
  return {
    title: 'Statements differ from our ledger',
    why: `${plural(count, 'discrepancy', 'discrepancies')} between our ledger and the gateways' statements ${isAre(count)} open since ${clock.dateAndTimeOf(oldestAt)}.`,
    figures: kinds.map((one) => ({ label: DISCREPANCY_WORDS[one.kind] ?? one.kind, value: String(one.count) })),
    action: { path: '/reconciliation', query: {}, label: 'Resolve', needs: 'reconciliation:resolve' },
  };
}

function describeEndpoint({ endpointId, host, reason }: FactsOf<'endpoint'>): FindingText {
  const because = reason === 'gone' ? 'it responded with HTTP 410 Gone' : 'every delivery of five days failed';
  return {
    title: `Webhook endpoint at ${host} is disabled`,
    why: `The endpoint at ${host} was disabled because ${because}; its merchant receives no events.`,
    figures: [],
    action: { path: `/webhooks/endpoints/${endpointId}`, query: {}, label: 'View endpoint' },
  };
}

function describeFailingEndpoint({ endpointId, host, attempts, failed, waiting }: FactsOf<'failing_endpoint'>): FindingText {
  return {
    title: `Webhooks to ${host} fail`,
    why: `${failed} of ${plural(attempts, 'attempt', 'attempts')} of the last 24 hours failed, ${plural(waiting, 'delivery is', 'deliveries are')} waiting.`,
    figures: [],
    action: { path: `/webhooks/endpoints/${endpointId}`, query: {}, label: 'View deliveries' },
  };
}

function describeCertificate({ endpointId, host, expiresAt }: FactsOf<'certificate'>, clock: Clock): FindingText {
  const end = clock.dateAndTimeOf(expiresAt);
  return {
    title: `Certificate of ${host} expires`,
    why: `The certificate of ${host} expires on ${end}; deliveries to it fail from then on.`,
    figures: [{ label: 'Expires', value: end }],
    action: { path: `/webhooks/endpoints/${endpointId}`, query: {}, label: 'View endpoint' },
  };
}

function describeKey({ name, lastFour, expiresAt, lastUsedAt, replaced }: FactsOf<'key'>, clock: Clock): FindingText {
  const end = clock.dateAndTimeOf(expiresAt);
  const used = lastUsedAt === null ? 'It was never used.' : `It was last used on ${clock.dateAndTimeOf(lastUsedAt)}.`;
  return {
    title: `API key "${name}" expires`,
    why: replaced
      ? `The key ending in ${lastFour} was replaced, is still in use, and is refused from ${end}.`
      : `The key ending in ${lastFour} is refused from ${end}. ${used}`,
    figures: [{ label: 'Expires', value: end }],
    action: { path: '/keys', query: {}, label: 'Replace key', needs: 'key:rotate' },
  };
}

function describeBacklog({ what, count, oldestAt }: FactsOf<'backlog'>, clock: Clock): FindingText {
  const things = plural(count, ...BACKLOG_WORDS[what]);
  return {
    title: `Backlog of ${what}`,
    why: `${things} ${isAre(count)} overdue, the oldest since ${clock.timeOf(oldestAt)}: the workers are falling behind.`,
    figures: [{ label: 'Overdue', value: String(count) }],
    action: { path: '/overview', query: {}, label: 'View system' },
  };
}

function describeSignIn(facts: FactsOf<'sign_in'>, clock: Clock): FindingText {
  const { name, address, at } = facts;
  return {
    title: `${name} signed in from a new location`,
    why: `${name} signed in from ${address} at ${clock.timeOf(at)}, an address not used in the 90 days before.`,
    figures: [{ label: 'Signed in with', value: facts.with }],
    action: { path: '/audit', query: {}, label: 'View audit log' },
  };
}

function describeApproval({ name, requesterName }: FactsOf<'approval'>): FindingText {
  const rules = name === null ? 'a draft of rules' : `the rules "${name}"`;
  return {
    title: `${requesterName ?? 'A colleague'} requested your approval of ${rules}`,
    why: 'They are published only after a second person approved them.',
    figures: [],
    action: { path: '/routing', query: {}, label: 'Review changes' },
  };
}

function describeRefundApprovals({ count, amounts, oldestAt }: FactsOf<'refund_approval'>, clock: Clock): FindingText {
  return {
    title: `${plural(count, 'refund waits', 'refunds wait')} for your approval`,
    why: `${sumsOf(amounts)} ${isAre(count)} refunded only after a second person approved it, the oldest requested on ${clock.dateAndTimeOf(oldestAt)}.`,
    figures: figuresOf(amounts),
    action: { path: '/refunds', query: { tab: 'approvals', state: 'WAITING' }, label: 'Review refunds', needs: 'payment:refund' },
  };
}

function describeWaiver({ requesterName }: FactsOf<'approval_waiver'>): FindingText {
  return {
    title: `${requesterName ?? 'A colleague'} requested that one person can publish rules`,
    why: 'If you agree, rules are published without the approval of a second person.',
    figures: [],
    action: { path: '/routing', query: {}, label: 'Review' },
  };
}

function describeReviewWaiver({ requesterName }: FactsOf<'review_waiver'>): FindingText {
  return {
    title: `${requesterName ?? 'A colleague'} requested that one person can sign off months`,
    why: 'If you agree, months are signed off without the review of a second person.',
    figures: [],
    action: { path: '/month-close', query: {}, label: 'Review', needs: 'month:close' },
  };
}

function describeControlWaiver({ merchantId, requesterName, above, wanted }: FactsOf<'refund_control_waiver'>): FindingText {
  const from = above.toLocaleString('en');
  return {
    title: `${requesterName ?? 'A colleague'} requested looser control of refunds`,
    why: `Refunds above ${from} need a second person. If you agree, ${wanted === null ? 'none does' : `those above ${wanted.toLocaleString('en')} do`}.`,
    figures: [],
    action: { path: `/merchants/${merchantId}`, query: {}, label: 'Review', needs: 'payment:refund' },
  };
}

function describeDraft({ draftId, name, state }: FactsOf<'draft'>): FindingText {
  return {
    title: `Draft ${name === null ? 'of rules' : `"${name}"`} is not published`,
    why: DRAFT_SENTENCES[state],
    figures: [],
    action: { path: `/routing/drafts/${draftId}`, query: {}, label: 'Open draft' },
  };
}

const DRAFT_SENTENCES: Readonly<Record<FactsOf<'draft'>['state'], string>> = {
  none: 'The active version does not change.',
  requested: 'It waits for the approval of a second person.',
  approved: 'It was approved and can be published.',
  rejected: 'The second person declined it.',
  schedule_refused: 'It was refused at the time it was to be published.',
};

function sumsOf(amounts: Readonly<Amounts>): string {
  return inWords(amounts.map(({ currency, amount }) => formatMoney(currency, amount)));
}

function figuresOf(amounts: Readonly<Amounts>): Figure[] {
  return amounts.map(({ currency, amount, count }) => ({
    label: currency,
    value: `${formatDecimal(currency, amount)} (${count})`,
  }));
}

const BACKLOG_WORDS: Readonly<Record<FactsOf<'backlog'>['what'], readonly [one: string, many: string]>> = {
  payments: ['payment to verify', 'payments to verify'],
  jobs: ['job', 'jobs'],
  deliveries: ['delivery to merchants', 'deliveries to merchants'],
};

const DISCREPANCY_WORDS: Readonly<Record<string, string>> = {
  MISSING_HERE: 'Not in our ledger',
  MISSING_THERE: 'Not in the statement',
  STATUS: 'Status differs',
  CURRENCY: 'Currency differs',
  AMOUNT: 'Amount differs',
};

function plural(count: number, one: string, many: string): string {
  return `${groupDecimal(String(count))} ${count === 1 ? one : many}`;
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** `Paystack, Flutterwave and Kora` */
function inWords(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
