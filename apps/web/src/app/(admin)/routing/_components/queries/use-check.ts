'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { Account } from '../rules/document.ts';
import { countOverlap, describeTakeovers, subjectOfFinding, subjectOfTakeover, type Takeovers } from '../rules/takeovers.ts';
import { type Traffic, trafficOf, useLastWeek, useRoutingScope } from './use-routing.ts';

/** The server's check of a draft while it is edited. */
export interface LiveCheck {
  /** The server's check of the stored draft; null before the first answer. */
  readonly check: Check | null;
  readonly notes: PlacedNotes;
  /** Findings of the active version that the draft no longer has. */
  readonly gone: NonNullable<Check['compared']>['gone'];
  /** The rules whose payments of the last seven days the draft takes over; null until they are known. */
  readonly takeovers: Takeovers | null;
  /** The share of those payments that each rule of the draft would decide. */
  readonly traffic: Traffic;
  /** True if the shown result is of an earlier state of the draft. */
  readonly isBehind: boolean;
}

const NONE_GONE: LiveCheck['gone'] = [];

/** Checks the draft after every save. */
export function useCheck({ draft, saved }: EditedDraft, accounts: readonly Account[]): LiveCheck {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const queries = useQueryClient();
  const options = trpc.routing.validate.queryOptions({ ...scope, rules: { kind: 'draft', draftId: draft.draftId } });
  const { data, isFetching } = useQuery({ ...options, staleTime: Number.POSITIVE_INFINITY });
  const period = useLastWeek();
  const takeoverOptions = trpc.routing.takeovers.queryOptions({
    ...scope,
    rules: { kind: 'draft', draftId: draft.draftId },
    ...period,
  });
  const { data: compared } = useQuery({ ...takeoverOptions, staleTime: Number.POSITIVE_INFINITY });
  const checked = useRef(draft.revision);
  useEffect(() => {
    if (checked.current === draft.revision) return;
    checked.current = draft.revision;
    void queries.invalidateQueries({ queryKey: options.queryKey });
    void queries.invalidateQueries({ queryKey: takeoverOptions.queryKey });
  }, [draft.revision, queries, options.queryKey, takeoverOptions.queryKey]);
  const check = data?.kind === 'checked' ? data : null;
  const takeovers = compared?.kind === 'compared' ? compared : null;
  const notes = useMemo(() => placeNotes(check, accounts, takeovers), [check, accounts, takeovers]);
  const traffic = useMemo(() => trafficOf(takeovers, 'this draft'), [takeovers]);
  const gone = check?.compared?.gone ?? NONE_GONE;
  return { check, notes, gone, takeovers, traffic, isBehind: isFetching || saved.kind !== 'saved' };
}

/** The server's check of a rule set. */
export type Check = Extract<RouterOutputs['routing']['validate'], { kind: 'checked' }>;
type Finding = Check['findings'][number];

/** The field of a rule that a finding is about. */
export type RuleField = keyof typeof FIELD_NAMES | `metadata.${number}`;

const FIELD_NAMES = {
  name: 'Name',
  currency: 'Currency',
  methods: 'Methods',
  from: 'Lowest amount',
  to: 'Highest amount',
  countries: 'Countries',
  customer: 'Customer',
  weekdays: 'Weekdays',
  hours: 'Hours',
  strategy: 'Strategy',
  accounts: 'Accounts',
  rule: 'Rule',
} as const;

function fieldName(field: RuleField): string {
  return isOfMetadata(field) ? `Condition ${Number(field.slice('metadata.'.length)) + 1}` : FIELD_NAMES[field];
}

function isOfMetadata(field: RuleField): field is `metadata.${number}` {
  return field.startsWith('metadata.');
}

/** A message shown beside a field. */
export interface Note {
  readonly severity: 'blocks' | 'critical' | 'warning' | 'info';
  readonly message: string;
  readonly field: RuleField;
  /** The account it is about, if one. */
  readonly accountId: string | null;
  /** The gap it is about: a stretch of payments that a new rule could cover. */
  readonly gap: Finding['gap'];
  /** Place of the rule it is about, from 0; null for the default order and the whole. */
  readonly position: number | null;
  /** The finding or takeover that it states, to find it in another answer; null for a problem of the document. */
  readonly subject: string | null;
  /** True where the active version has no such finding; null where there is nothing to compare. */
  readonly isNew: boolean | null;
  /** True of an account's minimum amount: no rule changes it. */
  readonly isPermanent: boolean;
}

/** A note that stands alone beside a field. */
function noteBeside(severity: Note['severity'], message: string): Note {
  const about = { field: 'rule', accountId: null, gap: null, position: null, subject: null } as const;
  return { severity, message, ...about, isNew: null, isPermanent: false };
}

/** Notes on a document by the part they are about. */
interface PlacedNotes {
  /** By the rule's index, from 0. */
  readonly byRule: ReadonlyMap<number, readonly Note[]>;
  readonly ofDefaultOrder: readonly Note[];
  /** Notes on the whole: gaps, accounts in no list, expectations. */
  readonly ofAll: readonly Note[];
  /** Every note once, the most severe first, new ones before others. */
  readonly all: readonly Note[];
}

/**
 * Assigns the findings of a check, and the rules' takeovers, to the fields they are about, the most severe first. Tiny
 * amounts under an account's minimum are informational only: no rule can fix them, and nearly every rule would have that finding.
 */
export function placeNotes(
  check: Check | null,
  accounts: readonly Pick<Account, 'enabled' | 'minAmount'>[],
  takeovers: Takeovers | null = null,
): PlacedNotes {
  const minimum = Math.max(0, ...accounts.filter(({ enabled }) => enabled).map(({ minAmount }) => minAmount));
  const byRule = new Map<number, Note[]>();
  const ofDefaultOrder: Note[] = [];
  const ofAll: Note[] = [];
  const all: Note[] = [];
  const place = (note: Note, elsewhere: Note[]) => {
    if (note.position === null) elsewhere.push(note);
    else byRule.set(note.position, [...(byRule.get(note.position) ?? []), note]);
  };
  const put = (note: Note, elsewhere: Note[]) => {
    place(note, elsewhere);
    all.push(note);
  };
  const added = check?.compared === undefined || check.compared === null ? null : new Set(check.compared.added);
  // A problem that blocks a publication cannot be in the active version.
  const isNewProblem = added === null ? null : true;
  for (const { field, message } of check?.problems ?? []) {
    const { position, field: at } = placeOfPath(field);
    const note = { ...noteBeside('blocks', sentence(message)), field: at, position, isNew: isNewProblem };
    const isOfOrder = field.startsWith('defaultOrder');
    place(note, isOfOrder ? ofDefaultOrder : ofAll);
    // Away from its field, a problem says which it is.
    all.push({ ...note, message: `${isOfOrder ? 'Default order' : fieldName(at)} ${message.replace(/\.$/, '')}.` });
  }
  for (const { holds, message } of check?.expectations ?? []) {
    if (!holds) put({ ...noteBeside('blocks', message), isNew: isNewProblem }, ofAll);
  }
  for (const [index, finding] of (check?.findings ?? []).entries()) {
    const { gap, accountIds } = finding;
    const week = takeovers === null || finding.kind !== 'overlap' ? null : countOverlap(takeovers, finding.positions);
    const message = week === null ? finding.message : `${finding.message.replace(/\.$/, '')}: ${week}.`;
    const isPermanent = isAboutMinimum(finding, minimum);
    const severity = isPermanent ? 'info' : finding.severity;
    const isNew = added === null ? null : added.has(index);
    const field = fieldOf(finding);
    const subject = subjectOfFinding(finding);
    const about = { field, accountId: accountIds[0] ?? null, gap, position: null, subject };
    const note = { severity, message, ...about, isNew, isPermanent };
    if (finding.kind === 'account_limit') {
      put(note, ofAll);
      for (const position of finding.positions) {
        const severity = severityAt(finding, position);
        place({ ...note, position, severity, isPermanent: isPermanent && severity === 'info' }, ofAll);
      }
    } else put({ ...note, position: finding.positions.at(-1) ?? null }, isOfList(finding) ? ofDefaultOrder : ofAll);
  }
  for (const { takeover, message } of takeovers === null ? [] : describeTakeovers(takeovers)) {
    put({ ...noteBeside('info', message), position: takeover.to?.position ?? null, subject: subjectOfTakeover(takeover) }, ofAll);
  }
  for (const notes of [...byRule.values(), ofDefaultOrder, ofAll, all]) notes.sort(bySeverity);
  return { byRule, ofDefaultOrder, ofAll, all };
}

/**
 * The severity of a limit for one rule concerned. The limit is listed for the whole rule set; a rule is marked only where its own
 * first account can take none of its payments.
 */
function severityAt({ consequences }: Finding, position: number): Note['severity'] {
  const isIncapable = ({ kind, positions }: Finding['consequences'][number]) =>
    kind === 'incapable_account' && positions.includes(position);
  return consequences.find(isIncapable)?.severity ?? 'info';
}

const SEVERITIES = ['blocks', 'critical', 'warning', 'info'] as const;

function bySeverity(left: Note, right: Note): number {
  const bySeverityAlone = SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity);
  return bySeverityAlone !== 0 ? bySeverityAlone : Number(right.isNew === true) - Number(left.isNew === true);
}

/** The highest severity among some notes; null without notes. */
export function mostSevere(notes: readonly Note[]): Note['severity'] | null {
  return SEVERITIES.find((each) => notes.some(({ severity }) => severity === each)) ?? null;
}

function fieldOf({ kind }: Finding): RuleField {
  switch (kind) {
    case 'overlap':
    case 'duplicate':
    case 'shadowed':
    case 'unreachable':
      return 'rule';
    case 'gap':
    case 'no_account':
    case 'no_second_choice':
      return 'methods';
    case 'bad_split':
    case 'unknown_account':
    case 'disabled_account':
    case 'incapable_account':
    case 'partly_incapable_account':
    case 'fallback_never_reached':
    case 'unlisted_account':
    case 'account_limit':
      return 'accounts';
    case 'missing_fees':
      return 'strategy';
    default:
      return kind satisfies never;
  }
}

function isAboutMinimum({ kind, example, gap, limit }: Finding, minimum: number): boolean {
  if (kind === 'account_limit') return limit?.bound === 'min';
  if (kind === 'gap') return gap !== null && gap.from < minimum;
  return (kind === 'no_account' || kind === 'no_second_choice') && example !== null && example.amount < minimum;
}

/** True if a finding that names no rule is about the default order. */
function isOfList(finding: Finding): boolean {
  const { kind, positions } = finding;
  return positions.length === 0 && fieldOf(finding) === 'accounts' && kind !== 'unlisted_account' && kind !== 'account_limit';
}

/** Where a problem's dotted path leads: `rules.2.when.amount.to`. */
function placeOfPath(path: string): { readonly position: number | null; readonly field: RuleField } {
  const [list, at, ...rest] = path.split('.');
  if (list !== 'rules' || at === undefined || !/^\d+$/.test(at)) return { position: null, field: 'rule' };
  return { position: Number(at), field: fieldOfPath(rest.join('.')) };
}

function fieldOfPath(path: string): RuleField {
  if (path === 'name') return 'name';
  if (path.startsWith('when.currency')) return 'currency';
  if (path.startsWith('when.methods')) return 'methods';
  if (path === 'when.amount.from') return 'from';
  if (path.startsWith('when.amount')) return 'to';
  if (path.startsWith('when.countries')) return 'countries';
  if (path.startsWith('when.customer')) return 'customer';
  if (path.startsWith('when.weekdays')) return 'weekdays';
  if (path.startsWith('when.hours')) return 'hours';
  const condition = /^when\.metadata\.(\d+)/.exec(path)?.[1];
  if (condition !== undefined) return `metadata.${Number(condition)}`;
  if (path.startsWith('then.accounts') || path.startsWith('then.split')) return 'accounts';
  return path.startsWith('then') ? 'strategy' : 'rule';
}

/** `must be an integer` as `Must be an integer.` */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;
}
