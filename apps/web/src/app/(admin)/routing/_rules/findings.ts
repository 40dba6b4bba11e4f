import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import type { Account } from './document.ts';
import { describeTakeovers, type Takeovers } from './takeovers.ts';

/** The server's check of a rule set. */
export type Check = Extract<RouterOutputs['routing']['validate'], { kind: 'checked' }>;
type Finding = Check['findings'][number];

/** The field of a rule that a finding is about. */
export type RuleField = 'name' | 'currency' | 'methods' | 'from' | 'to' | 'countries' | 'strategy' | 'accounts' | 'rule';

/** A message shown beside a field. */
export interface Note {
  readonly severity: 'blocks' | 'critical' | 'warning' | 'info';
  readonly message: string;
  readonly field: RuleField;
  /** The account it is about, if one. */
  readonly accountId: string | null;
  /** The gap it is about: a stretch of payments that a new rule could cover. */
  readonly gap: Finding['gap'];
}

/** Notes on a document by the part they are about. */
export interface PlacedNotes {
  /** By the rule's index, from 0. */
  readonly byRule: ReadonlyMap<number, readonly Note[]>;
  readonly ofDefaultOrder: readonly Note[];
  /** Of the whole: gaps, accounts in no list, expectations. */
  readonly ofAll: readonly Note[];
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
  const put = (position: number | null, note: Note, elsewhere: Note[]) => {
    if (position === null) elsewhere.push(note);
    else byRule.set(position, [...(byRule.get(position) ?? []), note]);
  };
  for (const { field, message } of check?.problems ?? []) {
    const { position, field: at } = placeOfPath(field);
    const note = { severity: 'blocks', message: sentence(message), field: at, accountId: null, gap: null } as const;
    put(position, note, field.startsWith('defaultOrder') ? ofDefaultOrder : ofAll);
  }
  for (const { holds, message } of check?.expectations ?? []) {
    if (!holds) ofAll.push({ severity: 'blocks', message, field: 'rule', accountId: null, gap: null });
  }
  for (const finding of check?.findings ?? []) {
    const { message, gap, accountIds } = finding;
    const severity = isAboutMinimum(finding, minimum) ? 'info' : finding.severity;
    const note = { severity, message, field: fieldOf(finding), accountId: accountIds[0] ?? null, gap };
    if (finding.kind === 'account_limit') {
      ofAll.push(note);
      for (const position of finding.positions) put(position, { ...note, severity: severityAt(finding, position) }, ofAll);
    } else put(finding.positions.at(-1) ?? null, note, isOfList(finding) ? ofDefaultOrder : ofAll);
  }
  for (const { takeover, message } of takeovers === null ? [] : describeTakeovers(takeovers)) {
    put(takeover.to?.position ?? null, { severity: 'info', message, field: 'rule', accountId: null, gap: null }, ofAll);
  }
  for (const notes of [...byRule.values(), ofDefaultOrder, ofAll]) notes.sort(bySeverity);
  return { byRule, ofDefaultOrder, ofAll };
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
  return SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity);
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

/** Whether a finding that names no rule is about the default order. */
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
  if (path.startsWith('then.accounts') || path.startsWith('then.split')) return 'accounts';
  return path.startsWith('then') ? 'strategy' : 'rule';
}

/** `must be an integer` as `Must be an integer.` */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;
}
