import type { Prisma } from '@switchyard/db/client';
import { lockStaffGrants } from '../grants/change-team.ts';
import { hasSecondPerson, isStaffWhoMay } from '../grants/rule-approvers.ts';
import type { Permission } from '../permissions/permissions.ts';

/** A request to lift a rule that needs a second person, as it is stored; null without one. */
interface StoredWaiver {
  /** `staff:<id>` */
  readonly waiverBy: string | null;
  readonly waiverAt: Date | null;
}

/** An open request to lift a rule that needs a second person: another one can agree until `until`. */
export interface OpenWaiver {
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly until: Date;
}

const WAIVER_MS = 24 * 60 * 60 * 1_000;

/** The open request; null when there is none or it has expired. */
export function openWaiver({ waiverBy, waiverAt }: StoredWaiver, now: Date): OpenWaiver | null {
  if (waiverBy === null || waiverAt === null) return null;
  const until = waiverEnd(waiverAt);
  return now < until ? { requestedBy: waiverBy, requestedAt: waiverAt, until } : null;
}

/** When a request expires. */
export function waiverEnd(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + WAIVER_MS);
}

/** True if an actor is a staff user. */
export function isPerson(actor: string): boolean {
  return actor.startsWith('staff:');
}

/** A rule of a merchant that needs a second person, with the request to lift it. */
export interface SecondPersonRule extends StoredWaiver {
  readonly required: boolean;
}

/** The person who asks to switch a rule on or off. */
interface SecondPersonCommand {
  readonly merchantId: string;
  readonly required: boolean;
  readonly actor: string;
  /** The permission that makes a person a second person. */
  readonly permission: Permission;
}

/** Result of switching such a rule, or the reason why it did not change. */
export type SecondPersonOutcome =
  | { readonly kind: 'changed'; readonly required: boolean }
  | { readonly kind: 'unchanged'; readonly required: boolean }
  /** Not switched off yet: another person must request the same before `until`. A repeated request extends it. */
  | { readonly kind: 'needs_second_person'; readonly requestedBy: string; readonly until: Date }
  /** Not switched on: only the actor could be the second person, so nothing would go on any more. */
  | { readonly kind: 'no_second_person' }
  /** The actor is no staff user. */
  | { readonly kind: 'not_a_person' };

/** The outcome, with what is to be stored; null where nothing is. */
interface SecondPersonDecision {
  readonly outcome: SecondPersonOutcome;
  readonly change: {
    readonly rule: SecondPersonRule;
    /** False while it only requests that the rule is lifted. */
    readonly isSwitched: boolean;
    readonly withoutSecondPerson: boolean;
  } | null;
}

/**
 * Decides a change of a rule that is read in the same transaction. One person switches it on where another can be the second. Switching it
 * off takes two within a day, so that no one lifts the control that holds them. Only where no one else can be the second any more, because
 * people left or lost their roles, the remaining one switches it off alone: otherwise nothing would ever go on.
 */
export async function changeSecondPersonRule(
  transaction: Prisma.TransactionClient,
  { required, ...who }: SecondPersonCommand,
  rule: SecondPersonRule,
  now: Date,
): Promise<SecondPersonDecision> {
  const { actor } = who;
  if (!isPerson(actor)) return { outcome: { kind: 'not_a_person' }, change: null };
  if (rule.required === required && !(required && rule.waiverBy !== null)) {
    return { outcome: { kind: 'unchanged', required }, change: null };
  }
  const agreement = await agreementOf(transaction, who, rule.required ? openWaiver(rule, now) : null);
  const isAlone = agreement === 'alone';
  if (required && isAlone && !rule.required) return { outcome: { kind: 'no_second_person' }, change: null };
  if (required || agreement !== 'none') {
    const after = { required, waiverBy: null, waiverAt: null };
    return { outcome: { kind: 'changed', required }, change: { rule: after, isSwitched: true, withoutSecondPerson: isAlone } };
  }
  const after = { required: true, waiverBy: actor, waiverAt: now };
  const outcome = { kind: 'needs_second_person', requestedBy: actor, until: waiverEnd(now) } as const;
  return { outcome, change: { rule: after, isSwitched: false, withoutSecondPerson: false } };
}

/**
 * How far a person may lift a control by whom it holds: `agreed` with another's open request for the same, `alone` where no one else could
 * agree, or not yet. Roles stay as they are until the transaction ends.
 */
export async function agreementOf(
  transaction: Prisma.TransactionClient,
  { merchantId, permission, actor }: Omit<SecondPersonCommand, 'required'>,
  waiver: OpenWaiver | null,
): Promise<'agreed' | 'alone' | 'none'> {
  await lockStaffGrants(transaction);
  if (!(await hasSecondPerson(transaction, { merchantId, permission, actor }))) return 'alone';
  if (waiver === null || waiver.requestedBy === actor) return 'none';
  // A person who left or lost the role since is none of the two.
  return (await isStaffWhoMay(transaction, { merchantId, permission, actor: waiver.requestedBy })) ? 'agreed' : 'none';
}
