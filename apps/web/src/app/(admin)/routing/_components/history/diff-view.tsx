import { IconArrowsSort, IconMinus, IconPencil, IconPlus, IconRoute } from '@tabler/icons-react';
import { methodTitle } from '#/copy/gateways.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { amountText, conditionsText, joined, labelIn, STRATEGY_LABELS, targetText } from '../rules/copy.ts';
import type { Account, Rule } from '../rules/document.ts';

const GLYPHS = { added: IconPlus, removed: IconMinus, moved: IconArrowsSort, changed: IconPencil, order: IconRoute } as const;
const LABELS = { added: 'New', removed: 'Deleted', moved: 'Moved', changed: 'Changed', order: 'Changed' } as const;

/** How two rule sets differ, a rule at a time, each field before and after. */
export function DiffView({ diff, accounts }: { diff: RuleSetDiff; accounts: readonly Account[] }) {
  const lines = describeDiff(diff, (accountId) => labelIn(accounts, accountId));
  if (lines.length === 0) return <p className="text-ink-quiet">No differences.</p>;
  return (
    <ul className="border-t border-line text-sm">
      {lines.map((line) => (
        <Line key={`${line.kind} ${line.name} ${line.text}`} line={line} />
      ))}
    </ul>
  );
}

function Line({ line: { kind, name, text, fields } }: { line: DiffLine }) {
  const Glyph = GLYPHS[kind];
  return (
    <li className="grid grid-cols-[24px_64px_minmax(0,1fr)] gap-2 py-2.5 border-b border-line max-phone:grid-cols-[24px_minmax(0,1fr)]">
      <span
        className="grid place-items-center size-5 rounded-sm tone-ink tone-ground"
        data-tone={kind === 'added' ? 'good' : kind === 'removed' ? 'bad' : 'over'}
      >
        <Glyph size={14} stroke={2.2} aria-hidden="true" />
      </span>
      <span className="text-ink-faint leading-5 max-phone:hidden">{LABELS[kind]}</span>
      <div className="[&_b]:block [&_b]:font-medium [&_b]:leading-5 [&_b]:wrap-anywhere">
        <b>{name === '' ? 'Unnamed rule' : name}</b>
        {fields.length === 0 && <span className="text-ink-quiet">{text}</span>}
        {fields.length > 0 && (
          <table className="mt-0.5 border-collapse [&_:is(th,td)]:py-0.5 [&_:is(th,td)]:pr-4 [&_:is(th,td)]:pl-0 [&_:is(th,td)]:text-start [&_:is(th,td)]:align-top">
            <thead className="sr-only">
              <tr>
                <th>Field</th>
                <th>Before</th>
                <th>After</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field.name}>
                  <th scope="row" className="text-ink-faint font-normal">
                    {field.name}
                  </th>
                  <td>
                    <del className="text-ink-faint">{field.before}</del>
                  </td>
                  <td>
                    <span aria-hidden="true">→ </span>
                    <ins className="no-underline">{field.after}</ins>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </li>
  );
}

/** The difference between two rule sets, as the server returns it. */
export type RuleSetDiff = Extract<RouterOutputs['routing']['versions']['diff'], { kind: 'compared' }>['diff'];

/** One difference as text. */
interface DiffLine {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed' | 'order';
  /** The subject, set apart in the display. */
  readonly name: string;
  readonly text: string;
  /** Field by field, for changed rules. */
  readonly fields: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

/** The differences, those that add or take away first. Rules are counted from 1. */
export function describeDiff(diff: RuleSetDiff, labelOf: (accountId: string) => string): DiffLine[] {
  const whole = (rule: Rule) => `${conditionsText(rule)} to ${targetText(rule.then, labelOf)}`;
  const inOrder = (accountIds: readonly string[]) => accountIds.map(labelOf).join(', then ') || 'no account';
  return [
    ...diff.added.map(({ position, rule }) => line('added', rule.name, `New at position ${position + 1}: ${whole(rule)}`)),
    ...diff.removed.map(({ position, rule }) => line('removed', rule.name, `Was at position ${position + 1}: ${whole(rule)}`)),
    ...diff.changed.map(({ name, fields }) => ({
      ...line(
        'changed',
        name,
        `${joined([...new Set(fields.map(({ path }) => fieldName(path)))]).replace(/^./, (a) => a.toUpperCase())}`,
      ),
      fields: fields.map(({ path, before, after }) => ({
        name: fieldName(path),
        before: valueText(path, before, labelOf),
        after: valueText(path, after, labelOf),
      })),
    })),
    ...diff.moved.map(({ name, from, to }) => line('moved', name, `Moves from position ${from + 1} to ${to + 1}`)),
    ...(diff.defaultOrder
      ? [
          {
            ...line('order', 'Default order', 'Accounts'),
            fields: [{ name: 'order', before: inOrder(diff.defaultOrder.before), after: inOrder(diff.defaultOrder.after) }],
          },
        ]
      : []),
    ...(diff.keys
      ? [line('changed', 'Keys', `${joined(diff.keys.before) || 'none'} before, ${joined(diff.keys.after) || 'none'} after`)]
      : []),
    ...(diff.expectations
      ? [line('changed', 'Expectations', `${diff.expectations.before} before, ${diff.expectations.after} after`)]
      : []),
  ];
}

/** `2 rules new, 1 changed, 1 moved, default order changed`; that there is nothing where there is none. */
export function summariseDiff({ same, added, removed, changed, moved, defaultOrder, expectations, keys }: RuleSetDiff): string {
  if (same) return 'No difference';
  const parts = [
    counted(added.length, 'new'),
    counted(removed.length, 'deleted'),
    counted(changed.length, 'changed'),
    counted(moved.length, 'moved'),
    defaultOrder ? 'default order changed' : '',
    expectations ? 'expectations changed' : '',
    keys ? 'keys changed' : '',
  ].filter((part) => part !== '');
  return joined(parts);
}

function counted(number: number, what: string): string {
  return number === 0 ? '' : `${number} ${number === 1 ? 'rule' : 'rules'} ${what}`;
}

function line(kind: DiffLine['kind'], name: string, text: string): DiffLine {
  return { kind, name, text, fields: [] };
}

const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  enabled: 'on or off',
  'when.currency': 'currency',
  'when.methods': 'methods',
  'when.amount.from': 'lowest amount',
  'when.amount.to': 'highest amount',
  'when.countries': 'countries',
  'when.customer': 'customer',
  'when.weekdays': 'weekdays',
  'when.hours': 'hours',
  'when.hours.from': 'hours from',
  'when.hours.to': 'hours to',
  'when.metadata': 'conditions on metadata',
  'then.strategy': 'strategy',
  'then.accounts': 'accounts',
  'then.split': 'shares',
  'then.fees': 'fees',
  'then.minSamples': 'minimum payments',
  'then.explorationPercent': 'share sent to other accounts',
};

function fieldName(path: string): string {
  return FIELDS[path] ?? path;
}

function valueText(path: string, value: unknown, labelOf: (accountId: string) => string): string {
  if (path === 'enabled') return value === true ? 'on' : 'off';
  if (path === 'then.strategy') {
    const strategy = Object.entries(STRATEGY_LABELS).find(([name]) => name === value);
    return strategy?.[1].name ?? String(value);
  }
  if (value === null || value === undefined)
    return path === 'when.amount.to' ? 'no limit' : path === 'when.countries' ? 'any' : 'none';
  if (typeof value === 'number' || typeof value === 'string') return typeof value === 'number' ? amountText(value) : value;
  if (path === 'when.hours' && typeof value === 'object' && 'from' in value && 'to' in value) {
    return `${String(value.from)} to ${String(value.to)}`;
  }
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((entry: unknown) => entryText(path, entry, labelOf)).join(', ');
}

function entryText(path: string, entry: unknown, labelOf: (accountId: string) => string): string {
  if (typeof entry === 'string') {
    if (path === 'when.methods') return methodTitle(entry);
    return path === 'then.accounts' ? labelOf(entry) : entry;
  }
  if (typeof entry === 'object' && entry !== null && 'account' in entry && 'percent' in entry) {
    return `${String(entry.percent)}% ${labelOf(String(entry.account))}`;
  }
  return JSON.stringify(entry);
}
