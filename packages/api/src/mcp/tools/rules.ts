import { PAYMENT_METHODS } from '@switchyard/routing';
import { paymentKeysSchema } from '@switchyard/routing/rule-set';
import type { CanaryInList } from '@switchyard/rule-sets/canary';
import { z } from 'zod';
import { timeZone } from '../../trpc/inputs.ts';
import { storedOrUnsavedRules } from '../../trpc/rules-input.ts';
import { defineTool, ToolRefusal } from '../tool.ts';
import { draftId, firstOf, instant, limitOf, mode, problem, ruleSource, scope, textOf } from './inputs.ts';

const PAGE_MAX = 50;
const LISTED_MAX = 50;
const json = z.record(z.string(), z.unknown());
const anyRules = storedOrUnsavedRules.describe(
  'Which rules: as in replay_draft, or {"kind":"document","document":{…}} for unsaved ones.',
);

export const listRules = defineTool({
  name: 'list_rules',
  title: 'Active rules',
  description:
    'The active routing rules of a merchant, in their order (the first that matches decides), with the accounts they name, the default order and the overrides. Long rule sets come in pages.',
  changes: 'nothing',
  input: scope.extend({
    offset: z.int().min(0).max(100_000).default(0).describe('Rules to skip.'),
    limit: limitOf(PAGE_MAX),
  }),
  output: z.strictObject({
    version: z.int().describe('0 when none was ever published.'),
    rules: z.array(json),
    ruleCount: z.int(),
    nextOffset: z.int().nullable(),
    defaultOrder: z.array(z.string()).describe('Account ids.'),
    expectations: z.array(z.string()).describe('Names of what the merchant relies on.'),
    accounts: z.array(
      z.strictObject({
        accountId: z.string(),
        label: z.string(),
        gateway: z.string(),
        enabled: z.boolean(),
        configured: z.boolean(),
        currencies: z.array(z.string()),
        methods: z.array(z.string()),
        minAmount: z.number(),
        maxAmount: z.number().nullable(),
      }),
    ),
    overrides: z.array(
      z.strictObject({
        accountId: z.string(),
        gateway: z.string().nullable().describe('Set for all accounts of this gateway; null for the account.'),
        method: z.string().nullable(),
        action: z.string(),
        reason: z.string(),
        expiresAt: z.string().nullable(),
      }),
    ),
  }),
  async run({ trpc }, { offset, limit, ...query }) {
    const { ruleSet, accounts, overrides } = await trpc.routing.live(query);
    const [trial] = await trpc.routing.canaries.list(query);
    const end = offset + limit;
    const keys = ruleSet.keys === undefined ? '' : ` Keys of metadata that they compare: ${JSON.stringify(ruleSet.keys)}.`;
    return {
      text: `Version ${ruleSet.version}: ${ruleSet.rules.length} rule(s), ${accounts.length} account(s), ${overrides.length} override(s).${keys}${trial === undefined ? '' : ` ${describeTrial(trial)}`}`,
      data: {
        version: ruleSet.version,
        rules: ruleSet.rules.slice(offset, end).map((rule) => ({ ...rule })),
        ruleCount: ruleSet.rules.length,
        nextOffset: end < ruleSet.rules.length ? end : null,
        defaultOrder: [...ruleSet.defaultOrder],
        expectations: firstOf(ruleSet.expectations ?? [], LISTED_MAX).map(({ name }) => name),
        accounts: accounts.map((account) => ({
          accountId: account.accountId,
          label: account.label,
          gateway: account.gateway,
          enabled: account.enabled,
          configured: account.configured,
          currencies: [...account.currencies],
          methods: [...account.methods],
          minAmount: account.minAmount,
          maxAmount: account.maxAmount,
        })),
        overrides: overrides.map(({ accountId, gateway = null, method, action, reason, expiresAt }) => ({
          accountId,
          gateway,
          method,
          action,
          reason,
          expiresAt,
        })),
      },
    };
  },
});

/** The last version that was tried with a share of customers, in two sentences. */
function describeTrial({ version, percent, ended, draft, live }: CanaryInList): string {
  const what =
    ended === null ? `is tried with ${percent} % of customers now` : `was tried with ${percent} % of customers (${ended})`;
  return `Version ${version} ${what}: ${draft.paid} of ${draft.customers} paid under it, and ${live.paid} of ${live.customers} of the others.`;
}

/** A draft as tools show it, without its document. */
const draftShape = {
  draftId: z.string(),
  mode,
  name: z.string().nullable(),
  state: z.string(),
  revision: z.int().describe('Send it with the next save, or with a request for publication.'),
  baseVersion: z.int(),
  approval: z.string().describe('none, requested, approved or rejected.'),
  publishAt: instant.nullable(),
  updatedAt: instant,
};
export const draftSummary = z.strictObject(draftShape);

type Draft = z.output<typeof draftSummary>;

/** The fields of a draft that tools show. */
export function summarise(draft: {
  readonly draftId: string;
  readonly mode: Draft['mode'];
  readonly name: string | null;
  readonly state: string;
  readonly revision: number;
  readonly baseVersion: number;
  readonly approval: { readonly state: string };
  readonly publishAt: Date | null;
  readonly updatedAt: Date;
}): Draft {
  const { draftId, mode: of, name, state, revision, baseVersion, approval, publishAt, updatedAt } = draft;
  return {
    draftId,
    mode: of,
    name,
    state,
    revision,
    baseVersion,
    approval: approval.state,
    publishAt: textOf(publishAt),
    updatedAt: updatedAt.toISOString(),
  };
}

export const listDrafts = defineTool({
  name: 'list_drafts',
  title: 'Drafts of rules',
  description: 'Drafts of a merchant’s rules that are open or scheduled, last changed first. get_draft reads one with its rules.',
  changes: 'nothing',
  input: scope,
  output: z.strictObject({ drafts: z.array(draftSummary) }),
  async run({ trpc }, query) {
    const drafts = (await trpc.routing.drafts.list(query)).map(summarise);
    return { text: `${drafts.length} draft(s).`, data: { drafts } };
  },
});

export const getDraft = defineTool({
  name: 'get_draft',
  title: 'One draft of rules',
  description: 'A draft with its rules as saved, which need not be valid yet.',
  changes: 'nothing',
  input: scope.pick({ merchantId: true }).extend({ draftId }),
  output: z.strictObject({ ...draftShape, document: json }),
  async run({ trpc }, query) {
    const draft = await trpc.routing.drafts.byId(query);
    const document = json.parse(draft.document);
    return { text: `Draft ${draft.draftId}, revision ${draft.revision}.`, data: { ...summarise(draft), document } };
  },
});

export const checkRules = defineTool({
  name: 'check_rules',
  title: 'Check rules',
  description:
    'Checks active rules, a version, a draft or unsaved rules: problems that block publication, expectations that do not hold, and findings such as gaps and rules that never match.',
  changes: 'nothing',
  input: scope.extend({ rules: anyRules }),
  output: z.strictObject({
    blocks: z.boolean().describe('Whether it could not be published as it is.'),
    problems: z.array(problem),
    brokenExpectations: z.array(z.string()),
    findings: z.array(
      z.strictObject({ kind: z.string(), severity: z.string(), message: z.string(), ruleIds: z.array(z.string()) }),
    ),
    findingCount: z.int(),
  }),
  async run({ trpc }, query) {
    const checked = await trpc.routing.validate(query);
    if (checked.kind === 'not_found') throw new ToolRefusal('NOT_FOUND: There are no such rules.');
    const broken = checked.expectations.filter(({ holds }) => !holds);
    const verdict = checked.blocks ? 'cannot be published as they are' : 'could be published';
    return {
      text: `The rules ${verdict}: ${checked.problems.length} problem(s), ${broken.length} broken expectation(s), ${checked.findings.length + checked.omitted} finding(s).`,
      data: {
        blocks: checked.blocks,
        problems: firstOf(checked.problems, LISTED_MAX).map(({ field, message }) => ({ field, message })),
        brokenExpectations: firstOf(broken, LISTED_MAX).map(({ message }) => message),
        findings: firstOf(checked.findings, LISTED_MAX).map(({ kind, severity, message, ruleIds }) => ({
          kind,
          severity,
          message,
          ruleIds: firstOf(ruleIds, LISTED_MAX),
        })),
        findingCount: checked.findings.length + checked.omitted,
      },
    };
  },
});

const AMOUNT_MAX = 1_000_000_000_000;

const evaluation = z.strictObject({
  rationale: z.string(),
  reasons: z.array(z.string()),
  ruleId: z.string().nullable(),
  order: z.array(z.string()).describe('Labels of the accounts to try, in order.'),
  matchingRules: z.array(z.strictObject({ ruleId: z.string(), name: z.string(), verdict: z.string() })),
  leftOut: z.array(z.strictObject({ label: z.string(), because: z.array(z.string()) })),
});

export const tryDraft = defineTool({
  name: 'try_draft',
  title: 'Try rules with a payment',
  description:
    'Sends an invented payment through a draft, a version or unsaved rules and through the active rules, and says how each would route it and what differs. Nothing is stored or sent to a gateway.',
  changes: 'nothing',
  input: scope.extend({
    rules: anyRules,
    payment: z
      .strictObject({
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals')
          .describe('ISO 4217 code.'),
        amount: z.int().min(1).max(AMOUNT_MAX).describe('Whole main units.'),
        method: z.enum(PAYMENT_METHODS).nullable().describe('Null when it is not known.'),
        customerCountry: z
          .string()
          .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code in capitals')
          .nullable()
          .default(null)
          .describe('ISO 3166-1 code.'),
        requestedGateway: z.string().max(50).nullable().default(null).describe('Puts the rules aside.'),
        paymentId: z.uuid().toLowerCase().nullable().default(null).describe('Decides splits; new if left out.'),
        keys: json.pipe(paymentKeysSchema).exactOptional().describe('As {"metadata":{…},"time":"fri 18:30","customer":"new"}.'),
      })
      .describe('The invented payment.'),
    conditions: z
      .enum(['present', 'calm'])
      .default('present')
      .describe('present: with the health and overrides of now. calm: all accounts healthy, no overrides.'),
    zone: timeZone.default('UTC').describe('IANA time zone of the times in sentences.'),
  }),
  output: z.strictObject({
    same: z.boolean(),
    differences: z.array(z.string()),
    tried: evaluation,
    inForce: evaluation,
  }),
  async run({ trpc }, query) {
    const outcome = await trpc.routing.evaluate(query);
    if (outcome.kind === 'invalid') throw new ToolRefusal(`These rules are not valid: ${listProblems(outcome.problems)}`);
    if (outcome.kind === 'not_found') throw new ToolRefusal('NOT_FOUND: There is no such merchant.');
    const tried = describe(outcome.draft);
    const inForce = describe(outcome.live);
    const { same, differences } = outcome.comparison;
    const way = (order: readonly string[]) => order.join(', then ') || 'no account';
    return {
      text: same
        ? `Both would try ${way(tried.order)}.`
        : `These rules would try ${way(tried.order)}; the active rules ${way(inForce.order)}.`,
      data: { same, differences: firstOf(differences, LISTED_MAX), tried, inForce },
    };
  },
});

interface Evaluated {
  readonly decision: {
    readonly record: { readonly rationale: string; readonly reasons: readonly { readonly message: string }[] };
    readonly ruleId: string | null;
  };
  readonly rules: readonly { readonly ruleId: string; readonly name: string; readonly verdict: string }[];
  readonly accounts: readonly {
    readonly label: string;
    readonly place: number | null;
    readonly conditions: readonly { readonly outcome: string; readonly detail: string }[];
  }[];
}

function describe({ decision, rules, accounts }: Evaluated): z.output<typeof evaluation> {
  const inOrder = accounts.filter(({ place }) => place !== null).toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const matching = rules.filter(({ verdict }) => verdict !== 'fails');
  return {
    rationale: decision.record.rationale,
    reasons: firstOf(decision.record.reasons, LISTED_MAX).map(({ message }) => message),
    ruleId: decision.ruleId,
    order: firstOf(inOrder, LISTED_MAX).map(({ label }) => label),
    matchingRules: firstOf(matching, LISTED_MAX).map(({ ruleId, name, verdict }) => ({ ruleId, name, verdict })),
    leftOut: firstOf(
      accounts.filter(({ place }) => place === null),
      LISTED_MAX,
    ).map(({ label, conditions }) => ({
      label,
      because: conditions.filter(({ outcome }) => outcome === 'fails').map(({ detail }) => detail),
    })),
  };
}

/** Problems in one sentence, at most ten of them. */
export function listProblems(problems: readonly { readonly field: string; readonly message: string }[]): string {
  const sentences = problems.slice(0, 10).map(({ field, message }) => `${field}: ${message}`);
  return [...sentences, ...(problems.length > 10 ? [`and ${problems.length - 10} more`] : [])].join('; ');
}

const DAY_MS = 86_400_000;
const DAYS_MAX = 31;
/** Payments of one replay: what an agent waits for, and what the process spares for it. */
const PAYMENTS_MAX = 100_000;

export const replayDraft = defineTool({
  name: 'replay_draft',
  title: 'Replay past payments',
  description:
    'Routes a merchant’s payments of at most 31 days (and 100,000 payments) again under a draft or a version and under the active rules: how many would move from which account to which and why, fees, and an estimate of conversion. Nothing is stored.',
  changes: 'nothing',
  input: scope
    .extend({
      rules: ruleSource,
      from: instant.describe('Inclusive.'),
      to: instant.describe('Exclusive.'),
      conditions: z
        .enum(['as_they_were', 'today'])
        .default('as_they_were')
        .describe('With the accounts and fees of each payment’s own time, or of today.'),
      fees: z
        .enum(['contract', 'effective'])
        .default('contract')
        .describe('Fees by the contracts, or by what was charged lately.'),
    })
    .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: 'must lie after from' })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= DAYS_MAX * DAY_MS, {
      path: ['to'],
      message: `must lie at most ${DAYS_MAX} days after from`,
    }),
  output: z.strictObject({
    comparedWithVersion: z.int(),
    payments: z.int(),
    moved: z.int(),
    reordered: z.int().describe('First choice unchanged, fallbacks not.'),
    unroutable: z.int(),
    moves: z.array(
      z.strictObject({
        from: z.string().nullable(),
        to: z.string().nullable(),
        payments: z.int(),
        why: z.array(z.strictObject({ message: z.string(), payments: z.int() })),
        examples: z.array(z.string()),
      }),
    ),
    fees: z.array(
      z.strictObject({ currency: z.string(), differenceInHundredths: z.string(), compared: z.int(), unpriced: z.int() }),
    ),
    conversion: z.strictObject({ difference: z.number(), low: z.number(), high: z.number(), message: z.string() }),
    unreadable: z.int().describe('Payments whose stored decision could not be read; no figure includes them.'),
  }),
  async run({ trpc }, { from, to, ...query }) {
    const steps = await trpc.routing.replay({ ...query, from: new Date(from), to: new Date(to) });
    for await (const step of steps) {
      switch (step.kind) {
        case 'progress':
          if (step.total > PAYMENTS_MAX) {
            throw new ToolRefusal(`The period holds more than ${PAYMENTS_MAX} payments. Choose a shorter one.`);
          }
          break;
        case 'busy':
          throw new ToolRefusal('Other replays are running. Try again in a minute.');
        case 'invalid':
          throw new ToolRefusal(`These rules are not valid: ${listProblems(step.problems)}`);
        case 'not_found':
          throw new ToolRefusal('NOT_FOUND: There is no such merchant.');
        case 'done': {
          const { result, liveVersion, unreadable } = step;
          return {
            text: [
              `${result.moved} of ${result.payments} payments would move.`,
              result.conversion.message,
              ...result.earned.map(({ message }) => message),
            ].join(' '),
            data: {
              comparedWithVersion: liveVersion,
              payments: result.payments,
              moved: result.moved,
              reordered: result.reordered,
              unroutable: result.unroutable.payments,
              moves: firstOf(result.moves, LISTED_MAX).map((move) => ({
                from: move.from,
                to: move.to,
                payments: move.payments,
                why: firstOf(move.why, 5).map(({ message, payments }) => ({ message, payments })),
                examples: [...move.examples],
              })),
              fees: result.fees.map(({ currency, difference, compared, unpriced }) => ({
                currency,
                differenceInHundredths: String(difference),
                compared,
                unpriced,
              })),
              conversion: {
                difference: result.conversion.difference,
                low: result.conversion.low,
                high: result.conversion.high,
                message: result.conversion.message,
              },
              unreadable,
            },
          };
        }
        default:
          step satisfies never;
      }
    }
    throw new ToolRefusal('The replay took too long. Choose a shorter period.');
  },
});
