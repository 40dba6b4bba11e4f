import { IconArrowsSort, IconMinus, IconPencil, IconPlus, IconRoute } from '@tabler/icons-react';
import { labelIn } from '../rules/copy.ts';
import { type DiffLine, describeDiff, type RuleSetDiff } from '../rules/diff-copy.ts';
import type { Account } from '../rules/document.ts';
import classes from './diff-view.module.css';

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
    <li className={classes.line} data-kind={kind}>
      <span className={classes.glyph}>
        <Glyph size={14} stroke={2.2} aria-hidden="true" />
      </span>
      <span className="text-ink-faint leading-5 max-phone:hidden">{LABELS[kind]}</span>
      <div className={classes.description}>
        <b>{name === '' ? 'Unnamed rule' : name}</b>
        {fields.length === 0 && <span className="text-ink-quiet">{text}</span>}
        {fields.length > 0 && (
          <table className={classes.fields}>
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
                  <th scope="row">{field.name}</th>
                  <td>
                    <del>{field.before}</del>
                  </td>
                  <td>
                    <span aria-hidden="true">→ </span>
                    <ins>{field.after}</ins>
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
