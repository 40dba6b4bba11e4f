import type { Merchant, Mode, RuleSetVersion } from '@switchyard/db/client';
import { findMerchantRow, updateMerchantRow } from '@switchyard/merchants';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import { listActiveStaffWhoMay, type RuleApprover } from '@switchyard/staff/grants';
import {
  changeSecondPersonRule,
  isPerson,
  type OpenWaiver,
  openWaiver,
  type SecondPersonOutcome,
  type SecondPersonRule,
} from '@switchyard/staff/second-person';
import { readStaffNames } from '@switchyard/staff/staff-names';
import type { RuleSetsContext } from '../context.ts';
import { reasonProblems } from '../document/check-document.ts';
import {
  approvalOf,
  type DraftKey,
  type DraftRefusal,
  findOpenDraft,
  isOwnWork,
  NO_APPROVAL,
  type RuleDraft,
  toDraft,
} from '../drafts/create-draft.ts';
import { listApprovalRequestRows, type RuleDraftChanges, updateRuleDraft } from '../rows/drafts.ts';
import type { PublicationRefusal } from '../versions/publication.ts';
import { checkDraft } from '../versions/publish.ts';

/** Asks a second person to approve one revision of a draft. */
interface RequestApprovalCommand extends DraftKey {
  readonly revision: number;
  readonly actor: string;
}

/** The draft awaiting approval, or why none was requested. */
type RequestApprovalOutcome =
  | { readonly kind: 'requested'; readonly draft: RuleDraft }
  /** It could not be published as it is, so no approval is requested. */
  | Exclude<PublicationRefusal, { kind: 'needs_approval' }>
  | DraftRefusal;

/** Requests a second person's approval of a draft's present revision. Replaces an open or answered request. */
export async function requestApproval(
  context: RuleSetsContext,
  command: RequestApprovalCommand,
): Promise<RequestApprovalOutcome> {
  return changeConfiguration<RequestApprovalOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { row } = found;
    const ready = await checkDraft(transaction, row);
    if (ready.kind !== 'ready' && ready.kind !== 'needs_approval') return { outcome: ready, audit: null };
    const changes = { ...NO_APPROVAL, approvalRequestedBy: command.actor, approvalRequestedAt: now };
    const draft = toDraft(await updateRuleDraft(transaction, row, changes, now));
    const after = { mode: row.mode, revision: row.revision, baseVersion: row.baseVersion };
    return {
      outcome: { kind: 'requested', draft },
      audit: {
        action: 'rule_set.approval_requested',
        objectType: 'rule_set_version',
        objectId: row.id,
        before: null,
        after,
      },
      inForce: false,
    };
  });
}

/** Switches a merchant's approval requirement on or off. */
interface RequireApprovalCommand {
  readonly merchantId: string;
  /** True if a second person must approve rules before publication, in both modes. */
  readonly required: boolean;
  readonly actor: string;
}

/** Result of setting the requirement, or the reason why it did not change. */
type RequireApprovalOutcome = SecondPersonOutcome | { readonly kind: 'not_found' };

/** Sets whether a merchant's rules need a second person's approval, as every rule that needs one: two people switch it off. */
export async function requireApproval(
  context: RuleSetsContext,
  command: RequireApprovalCommand,
): Promise<RequireApprovalOutcome> {
  const { merchantId } = command;
  return changeConfiguration<RequireApprovalOutcome>(context, command, async (transaction, now) => {
    const merchant = await findMerchantRow(transaction, merchantId);
    if (merchant === null) return { outcome: { kind: 'not_found' }, audit: null };
    const rule = rulesRuleOf(merchant);
    const { outcome, change } = await changeSecondPersonRule(
      transaction,
      { ...command, permission: 'routing:publish' },
      rule,
      now,
    );
    if (change === null) return { outcome, audit: null };
    const { required, waiverBy, waiverAt } = change.rule;
    const changes = { rulesNeedApproval: required, approvalWaiverBy: waiverBy, approvalWaiverAt: waiverAt };
    const after = await updateMerchantRow(transaction, merchantId, changes, now);
    return {
      outcome,
      audit: {
        action: change.isSwitched ? 'merchant.rules_approval_changed' : 'merchant.rules_approval_waiver_requested',
        objectType: 'merchant',
        objectId: merchantId,
        before: forAudit(merchant),
        after: { ...forAudit(after), ...(change.withoutSecondPerson && { withoutSecondPerson: true }) },
      },
    };
  });
}

function forAudit({ rulesNeedApproval, approvalWaiverBy }: Merchant) {
  return { rulesNeedApproval, waiverRequestedBy: approvalWaiverBy };
}

/** A second person's approval of a draft. */
interface ApproveRulesCommand extends DraftKey {
  /** The revision that was read. */
  readonly revision: number;
  /** `staff:<id>`; other actors cannot approve. */
  readonly actor: string;
}

/** A second person's rejection of a draft. */
interface RejectRulesCommand extends ApproveRulesCommand {
  /** Reason for the authors; null without one. */
  readonly reason: string | null;
}

/** Why the answer was not recorded. */
type ApprovalRefusal =
  /** The actor wrote in the draft or requested its approval, so they are not a second person. */
  | { readonly kind: 'own_work' }
  /** There is no open request: none was made, it was answered, or the draft was saved since. */
  | { readonly kind: 'not_requested' }
  /** The actor is no staff user. */
  | { readonly kind: 'not_a_person' }
  | DraftRefusal;

/** The approved draft, or why it was not approved. */
type ApproveRulesOutcome = { readonly kind: 'approved'; readonly draft: RuleDraft } | ApprovalRefusal;

/** The rejected draft, or why it was not rejected. */
type RejectRulesOutcome =
  | { readonly kind: 'rejected'; readonly draft: RuleDraft }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | ApprovalRefusal;

/** Approves a draft's present revision; the next save removes the approval. */
export async function approveRules(context: RuleSetsContext, command: ApproveRulesCommand): Promise<ApproveRulesOutcome> {
  return decide(context, command, 'approved', (now) => ({ approvedBy: command.actor, approvedAt: now }));
}

/** Rejects a draft, with or without a reason. It can be saved and submitted again. */
export async function rejectRules(context: RuleSetsContext, command: RejectRulesCommand): Promise<RejectRulesOutcome> {
  const problems =
    command.reason?.trim() === '' ? [{ field: 'reason', message: 'must not be empty' }] : reasonProblems(command.reason);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const answer = (now: Date) => ({ rejectedBy: command.actor, rejectedAt: now, rejectionReason: command.reason });
  return decide(context, command, 'rejected', answer);
}

async function decide<Kind extends 'approved' | 'rejected'>(
  context: RuleSetsContext,
  command: ApproveRulesCommand,
  kind: Kind,
  answer: (now: Date) => RuleDraftChanges,
): Promise<{ readonly kind: Kind; readonly draft: RuleDraft } | ApprovalRefusal> {
  return changeConfiguration<{ readonly kind: Kind; readonly draft: RuleDraft } | ApprovalRefusal>(
    context,
    command,
    async (transaction, now) => {
      const found = await findOpenDraft(transaction, command);
      if (found.kind !== 'found') return { outcome: found, audit: null };
      const { row } = found;
      const refusal = whyNot(row, command.actor);
      if (refusal !== null) return { outcome: refusal, audit: null };
      const changes = answer(now);
      const draft = toDraft(await updateRuleDraft(transaction, row, changes, now));
      const after = { mode: row.mode, revision: row.revision, editors: row.editors, reason: changes.rejectionReason ?? null };
      return {
        outcome: { kind, draft },
        audit: {
          action: `rule_set.${kind}`,
          objectType: 'rule_set_version',
          objectId: row.id,
          before: { requestedBy: row.approvalRequestedBy },
          after,
        },
        inForce: false,
      };
    },
  );
}

function whyNot(row: RuleSetVersion, actor: string): ApprovalRefusal | null {
  if (!isPerson(actor)) return { kind: 'not_a_person' };
  const approval = approvalOf(row);
  if (approval.state !== 'requested') return { kind: 'not_requested' };
  return isOwnWork({ ...row, approval }, actor) ? { kind: 'own_work' } : null;
}

/** How a merchant's rules are approved. */
export interface RulesApproval {
  /** True if a second person has to approve rules before they are published, in both modes. */
  readonly required: boolean;
  /** Users who can publish and approve rules now, by name: active ones, at most 100. */
  readonly approvers: readonly RuleApprover[];
  /** An open request to let one person publish; another approver can agree until `until`. */
  readonly waiver: OpenWaiver | null;
}

/** How a merchant's rules are approved, and by whom; null for no merchant. */
export async function readRulesApproval(context: RuleSetsContext, merchantId: string): Promise<RulesApproval | null> {
  const { prisma } = context.resources.database;
  const merchant = await findMerchantRow(prisma, merchantId);
  if (merchant === null) return null;
  const approvers = await listActiveStaffWhoMay(prisma, merchantId, 'routing:publish');
  return { required: merchant.rulesNeedApproval, approvers, waiver: openRulesWaiver(merchant, context.now()) };
}

/** The open request to let one person publish; null when there is none or it has expired. */
export function openRulesWaiver(merchant: ApprovalSetting, now: Date): OpenWaiver | null {
  return merchant.rulesNeedApproval ? openWaiver(rulesRuleOf(merchant), now) : null;
}

type ApprovalSetting = Pick<Merchant, 'rulesNeedApproval' | 'approvalWaiverBy' | 'approvalWaiverAt'>;

/** The setting as a rule that needs a second person. */
export function rulesRuleOf({ rulesNeedApproval, approvalWaiverBy, approvalWaiverAt }: ApprovalSetting): SecondPersonRule {
  return { required: rulesNeedApproval, waiverBy: approvalWaiverBy, waiverAt: approvalWaiverAt };
}

/** A draft that waits for approval. */
interface ApprovalRequest {
  readonly draftId: string;
  readonly merchantId: string;
  /** The draft's name, or null. */
  readonly name: string | null;
  /** Null for a deleted user. */
  readonly requesterName: string | null;
  readonly requestedAt: Date;
}

/** An open request to let one person publish rules. */
interface WaiverRequest {
  readonly merchantId: string;
  readonly requesterName: string | null;
  readonly requestedAt: Date;
  readonly until: Date;
}

const REQUESTS_MAX = 50;

/** Requests for approval that this user can answer, oldest first: drafts they wrote in or requested are left out. At most 50. */
export async function listApprovalRequests(
  context: RuleSetsContext,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly staffId: string },
): Promise<ApprovalRequest[]> {
  const { merchantIds, mode, staffId } = query;
  const { database } = context.resources;
  const where = { merchantIds, mode, exceptOwnWorkOf: `staff:${staffId}`, limit: REQUESTS_MAX };
  const rows = await listApprovalRequestRows(database, where);
  const nameOf = await requesterNames(
    context,
    rows.map(({ requestedBy }) => requestedBy),
  );
  return rows.map(({ id, merchantId, name, requestedBy, requestedAt }) => ({
    draftId: id,
    merchantId,
    name,
    requesterName: nameOf(requestedBy),
    requestedAt,
  }));
}

/** Other users' open requests to let one person publish, of these merchants. */
export async function listWaiverRequests(
  context: RuleSetsContext,
  query: { readonly merchantIds: readonly string[]; readonly staffId: string },
): Promise<WaiverRequest[]> {
  const now = context.now();
  const { configuration } = context.resources;
  const found = query.merchantIds.flatMap((merchantId) => {
    const merchant = configuration.merchant(merchantId)?.merchant;
    const waiver = merchant === undefined ? null : openRulesWaiver(merchant, now);
    return waiver === null || waiver.requestedBy === `staff:${query.staffId}` ? [] : [{ merchantId, ...waiver }];
  });
  const nameOf = await requesterNames(
    context,
    found.map(({ requestedBy }) => requestedBy),
  );
  return found.map(({ merchantId, requestedBy, requestedAt, until }) => ({
    merchantId,
    requesterName: nameOf(requestedBy),
    requestedAt,
    until,
  }));
}

async function requesterNames(
  { resources }: RuleSetsContext,
  actors: readonly string[],
): Promise<(actor: string) => string | null> {
  const staffIdOf = (actor: string) => actor.replace(/^staff:/, '');
  const names = await readStaffNames(resources.database, actors.map(staffIdOf));
  return (actor) => names.get(staffIdOf(actor)) ?? null;
}
