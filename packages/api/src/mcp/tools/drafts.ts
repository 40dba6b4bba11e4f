import { z } from 'zod';
import { type Agent, defineTool, ToolRefusal } from '../tool.ts';
import { draftId, type mode, scope } from './inputs.ts';
import { draftSummary, listProblems, summarise } from './rules.ts';

/*
 * Writing by agents: drafts, and requests that a person publishes them. Nothing here changes the live rules.
 */

/** Throws unless agents may write in this mode: in live mode, a person of the merchant must have switched it on. */
async function requireWritable({ trpc }: Agent, merchantId: string, of: z.output<typeof mode>): Promise<void> {
  if (of === 'test') return;
  const merchant = await trpc.merchants.byId({ merchantId });
  if (merchant.agentsMayWriteLive) return;
  throw new ToolRefusal(
    `FORBIDDEN: Agents may not write in live mode at ${merchant.name}. A person can enable it in the merchant's settings.`,
  );
}

const revision = z.int().min(0).max(2_147_483_647);

export const saveDraft = defineTool({
  name: 'save_draft',
  title: 'Save a draft of rules',
  description:
    'Saves a draft of routing rules. Without draftId a new draft is begun, as a copy of the active rules unless a document is given; with draftId and its revision, the whole document of that draft is replaced. Never changes the active rules.',
  changes: 'drafts',
  input: scope.extend({
    draftId: draftId.nullable().default(null).describe('The draft to replace; null begins a new one.'),
    revision: revision.nullable().default(null).describe('The revision that you read; needed with draftId.'),
    name: z.string().max(200).nullable().default(null).describe('What the draft is for; null leaves the name as it is.'),
    document: z
      .record(z.string(), z.unknown())
      .nullable()
      .default(null)
      .describe('{ keys?, rules, defaultOrder, expectations? } with account ids, as list_rules and get_draft show them.'),
  }),
  output: z.strictObject({
    draft: draftSummary,
    approvalWithdrawn: z.boolean().describe('A request for approval was about the earlier document, and is gone.'),
  }),
  async run(agent, { merchantId, mode: of, draftId, revision: seen, name, document }) {
    await requireWritable(agent, merchantId, of);
    const { drafts } = agent.trpc.routing;
    if (draftId === null) {
      const from = document === null ? ({ kind: 'published' } as const) : ({ kind: 'empty' } as const);
      const created = await drafts.create({ merchantId, mode: of, from, name });
      if (created.kind !== 'created') throw refusal(created);
      const { draft } = created;
      if (document === null) return saved(draft, false);
      const outcome = await drafts.save({ merchantId, draftId: draft.draftId, revision: draft.revision, document });
      if (outcome.kind === 'saved') return saved(outcome.draft, outcome.approvalWithdrawn);
      await drafts.discard({ merchantId, draftId: draft.draftId, revision: draft.revision });
      throw refusal(outcome);
    }
    if (seen === null || document === null) throw new ToolRefusal('With draftId, send its revision and the whole document.');
    const present = await drafts.byId({ merchantId, draftId });
    if (present.mode !== of) throw new ToolRefusal(`This is a draft of ${present.mode} rules.`);
    const change = { merchantId, draftId, revision: seen, document, ...(name !== null && { name }) };
    const outcome = await drafts.save(change);
    if (outcome.kind !== 'saved') throw refusal(outcome);
    return saved(outcome.draft, outcome.approvalWithdrawn);
  },
});

function saved(draft: Parameters<typeof summarise>[0], approvalWithdrawn: boolean) {
  const summary = summarise(draft);
  return {
    text: `Saved as draft ${summary.draftId}, revision ${summary.revision}. It is not active.`,
    data: { draft: summary, approvalWithdrawn },
  };
}

export const requestPublication = defineTool({
  name: 'request_publication',
  title: 'Ask for publication',
  description:
    'Asks a second person to approve a draft in its present revision. It never publishes: a person approves and publishes in the dashboard.',
  changes: 'drafts',
  input: scope.pick({ merchantId: true }).extend({ draftId, revision: revision.describe('The revision that you read.') }),
  output: z.strictObject({ draft: draftSummary }),
  async run(agent, query) {
    const { drafts } = agent.trpc.routing;
    const present = await drafts.byId({ merchantId: query.merchantId, draftId: query.draftId });
    await requireWritable(agent, query.merchantId, present.mode);
    const outcome = await drafts.requestApproval(query);
    if (outcome.kind !== 'requested') throw refusal(outcome);
    return {
      text: `Approval of draft ${query.draftId}, revision ${query.revision}, was requested. Nothing was published.`,
      data: { draft: summarise(outcome.draft) },
    };
  },
});

type Drafts = Agent['trpc']['routing']['drafts'];
type Outcome = Awaited<ReturnType<Drafts['create'] | Drafts['save'] | Drafts['requestApproval']>>;
type Refusal = Exclude<Outcome, { kind: 'created' | 'saved' | 'requested' }>;

function refusal(outcome: Refusal): ToolRefusal {
  return new ToolRefusal(describeRefusal(outcome));
}

function describeRefusal(outcome: Refusal): string {
  switch (outcome.kind) {
    case 'invalid':
      return `The draft is not valid: ${listProblems(outcome.problems)}`;
    case 'unknown_version':
      return 'NOT_FOUND: There is no such version.';
    case 'too_many_drafts':
      return `There are ${outcome.limit} open drafts. A person has to discard one first.`;
    case 'not_found':
      return 'NOT_FOUND: There is no such draft or merchant.';
    case 'not_a_draft':
      return `CONFLICT: It is no open draft any more, but ${outcome.state}.`;
    case 'stale':
      return `CONFLICT: Someone saved it meanwhile; it is at revision ${outcome.draft.revision}. Read it again.`;
    case 'stale_base':
      return `CONFLICT: Version ${outcome.currentVersion} was published meanwhile. A person has to merge it in the dashboard.`;
    case 'broken_expectations':
      return `Expectations do not hold: ${outcome.broken
        .slice(0, 10)
        .map(({ message }) => message)
        .join(' ')}`;
    default:
      return outcome satisfies never;
  }
}
