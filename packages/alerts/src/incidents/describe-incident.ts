import { type Clock, describeHealthReason, groupDecimal, methodWord } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import type { FactsOf, IncidentFacts } from './facts.ts';
import type { IncidentKind } from './kinds.ts';
import { KINDS } from './kinds.ts';

/** A figure of an incident with its name. */
export interface Figure {
  readonly label: string;
  readonly value: string;
}

/** An incident in words. */
export interface IncidentText {
  /** `Paystack (paystack-main) is down` */
  readonly title: string;
  /** Why, in one sentence with figures. */
  readonly why: string;
  readonly figures: readonly Figure[];
}

/** Where something is done about an incident: a page of the dashboard, and what the link to it says. */
export interface IncidentAction {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly label: string;
}

/** Who reads a text: the merchants they may know of (null for all), and how times are written for them. */
export interface Reader {
  readonly merchantIds: readonly string[] | null;
  readonly clock: Clock;
}

/** Describes an incident to a reader: of an outage of several merchants only the accounts of those they may know of. */
export function describeIncident(kind: IncidentKind, facts: IncidentFacts, reader: Reader): IncidentText {
  const { clock } = reader;
  switch (facts.of) {
    case 'gateway':
      return describeGateway(kind, facts, clock);
    case 'outage':
      return describeOutage(facts, reader);
    case 'money':
      return describeMoney(kind, facts, clock);
    case 'disputes':
      return describeDisputes(facts, clock);
    case 'reversals':
      return describeReversals(facts, clock);
    case 'discrepancies': {
      const figures = facts.kinds.map(({ kind: of, count }) => ({ label: DISCREPANCY_WORDS[of] ?? of, value: String(count) }));
      const why = `${plural(facts.count, 'discrepancy', 'discrepancies')} between our ledger and the gateways' statements ${isAre(facts.count)} open since ${clock.dateAndTimeOf(facts.oldestAt)}.`;
      return { title: 'Statements differ from our ledger', why, figures };
    }
    case 'endpoint': {
      const because =
        facts.reason === 'gone' ? 'it answered 410, which says that it is gone' : 'every delivery of five days failed';
      const why = `The endpoint at ${facts.host} was switched off because ${because}; its merchant gets no events.`;
      return { title: `Webhook endpoint at ${facts.host} is switched off`, why, figures: [] };
    }
    case 'backlog': {
      const things = plural(facts.count, ...BACKLOG_WORDS[facts.what]);
      const why = `${things} ${isAre(facts.count)} overdue, the oldest since ${clock.timeOf(facts.oldestAt)}: the workers do not keep up.`;
      return { title: `Backlog of ${facts.what}`, why, figures: [{ label: 'Overdue', value: String(facts.count) }] };
    }
    case 'key': {
      const end = clock.dateAndTimeOf(facts.expiresAt);
      const used =
        facts.lastUsedAt === null ? 'It was never used.' : `It was last used on ${clock.dateAndTimeOf(facts.lastUsedAt)}.`;
      const why = facts.replaced
        ? `The key ending in ${facts.lastFour} was replaced, is still in use, and is refused from ${end}.`
        : `The key ending in ${facts.lastFour} is refused from ${end}. ${used}`;
      return { title: `API key "${facts.name}" expires`, why, figures: [{ label: 'Expires', value: end }] };
    }
    case 'credentials':
      return { title: `${facts.gateway} (${facts.label}) is out of rotation`, why: facts.sentence, figures: [] };
    case 'certificate': {
      const end = clock.dateAndTimeOf(facts.expiresAt);
      const why = `The certificate of ${facts.host} expires on ${end}; deliveries to it fail from then on.`;
      return { title: `Certificate of ${facts.host} expires`, why, figures: [{ label: 'Expires', value: end }] };
    }
    case 'sign_in': {
      const why = `${facts.name} signed in from ${facts.address} at ${clock.timeOf(facts.at)}, an address not used in the 90 days before.`;
      return {
        title: `${facts.name} signed in from a new place`,
        why,
        figures: [{ label: 'Signed in with', value: facts.with }],
      };
    }
    case 'unknown':
      return {
        title: KINDS[kind].title,
        why: 'Another version of Switchyard found it; the dashboard shows what is known.',
        figures: [],
      };
    default:
      return facts satisfies never;
  }
}

/** Where to act on an incident. */
export function actionOn(kind: IncidentKind, facts: IncidentFacts): IncidentAction {
  switch (facts.of) {
    case 'gateway':
      return { path: '/health', query: { account: facts.accountId }, label: 'View health' };
    case 'outage':
      return { path: '/health', query: {}, label: 'View health' };
    case 'money':
      if (kind === 'duplicate_charge') return { path: '/refunds', query: { tab: 'duplicates' }, label: 'Refund' };
      if (kind === 'payment_review') return { path: '/refunds', query: { tab: 'reviews' }, label: 'Review' };
      return { path: '/refunds', query: {}, label: 'Fix refunds' };
    case 'reversals':
      return { path: '/payments', query: { reversed: 'true' }, label: 'View payments' };
    case 'disputes':
      return { path: '/payments', query: { disputed: 'true' }, label: 'View payments' };
    case 'discrepancies':
      return { path: '/reconciliation', query: {}, label: 'Resolve' };
    case 'endpoint':
    case 'certificate':
      return { path: `/webhooks/endpoints/${facts.endpointId}`, query: {}, label: 'View endpoint' };
    case 'backlog':
      return { path: '/overview', query: {}, label: 'View system' };
    case 'key':
      return { path: '/keys', query: {}, label: 'Replace key' };
    case 'credentials':
      return { path: '/gateways', query: { account: facts.accountId }, label: 'Fix' };
    case 'sign_in':
      return { path: '/audit', query: {}, label: 'View audit log' };
    case 'unknown':
      return { path: '/overview', query: {}, label: 'View overview' };
    default:
      return facts satisfies never;
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

function describeGateway(kind: IncidentKind, { gateway, label, methods }: FactsOf<'gateway'>, clock: Clock): IncidentText {
  const [worst] = methods;
  const why = worst === undefined ? '' : describeHealthReason(readHealthReason(worst.why), clock);
  const state = kind === 'gateway_down' ? 'down' : 'degraded';
  const figures = methods.map((one) => ({ label: capital(methodWord(one.method)), value: one.state }));
  return { title: `${gateway} (${label}) is ${state}`, why: why === '' ? `${gateway} is ${state}.` : why, figures };
}

function describeOutage({ methods, members }: FactsOf<'outage'>, { merchantIds, clock }: Reader): IncidentText {
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

function describeMoney(kind: IncidentKind, { count, amounts, oldestAt }: FactsOf<'money'>, clock: Clock): IncidentText {
  const sums = inWords(amounts.map(({ currency, amount }) => `${currency} ${groupDecimal(amount)}`));
  const since = clock.dateAndTimeOf(oldestAt);
  const figures = amounts.map((one) => ({ label: one.currency, value: `${groupDecimal(one.amount)} (${one.count})` }));
  if (kind === 'duplicate_charge') {
    const why = `${plural(count, 'payment was', 'payments were')} received a second time and not refunded: ${sums}, the oldest since ${since}.`;
    return { title: plural(count, 'duplicate payment', 'duplicate payments'), why, figures };
  }
  if (kind === 'payment_review') {
    const why = `${plural(count, 'payment waits', 'payments wait')} for a decision, because what was received does not match the order or no gateway says whether it was paid: ${sums}, the oldest of ${since}.`;
    return { title: `${plural(count, 'payment', 'payments')} for review`, why, figures };
  }
  const why = `${plural(count, 'refund has', 'refunds have')} not returned the money: ${sums}, the oldest of ${since}.`;
  return { title: `${plural(count, 'refund is', 'refunds are')} stuck`, why, figures };
}

function describeDisputes({ count, amounts, dueAt }: FactsOf<'disputes'>, clock: Clock): IncidentText {
  const sums = inWords(amounts.map(({ currency, amount }) => `${currency} ${groupDecimal(amount)}`));
  const due = dueAt === null ? 'The gateway names no due date.' : `The first is due on ${clock.dateAndTimeOf(dueAt)}.`;
  const why = `${plural(count, 'dispute has', 'disputes have')} to be answered in the gateway's dashboard: ${sums}. ${due} Unanswered ones are lost.`;
  const figures = amounts.map((one) => ({ label: one.currency, value: `${groupDecimal(one.amount)} (${one.count})` }));
  return { title: `${plural(count, 'payment is', 'payments are')} disputed`, why, figures };
}

function describeReversals({ count, amounts, oldestAt }: FactsOf<'reversals'>, clock: Clock): IncidentText {
  const sums = inWords(amounts.map(({ currency, amount }) => `${currency} ${groupDecimal(amount)}`));
  const payments = plural(count, 'paid payment', 'paid payments');
  const why = `Gateways took back ${sums} of ${payments} in the last seven days, first on ${clock.dateAndTimeOf(oldestAt)}.`;
  const figures = amounts.map((one) => ({ label: one.currency, value: `${groupDecimal(one.amount)} (${one.count})` }));
  return { title: `${plural(count, 'payment was', 'payments were')} reversed`, why, figures };
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
