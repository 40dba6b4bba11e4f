'use client';

import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Copyable } from '../../../../components/copyable.tsx';
import { Fact, Facts } from '../../../../components/facts.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { describeExactly } from '../../../../time/moments.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { describeAction, describeKind } from '../../../../words/audit.ts';
import { diffValues, type FieldChange } from '../diff-values.ts';
import { useMerchantName } from './audit-table.tsx';
import classes from './entry-panel.module.css';
import type { AuditEntry } from './use-audit.ts';

/** One entry beside the log: who, when, and what was before and after. Escape closes it, `j` and `k` go through the log. */
export function EntryPanel({
  entryId,
  known,
  rows,
  onOpen,
  onClose,
}: {
  entryId: string;
  known: AuditEntry | undefined;
  rows: readonly AuditEntry[];
  onOpen: (entryId: string) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const panel = useRef<HTMLElement>(null);
  const { data, error } = useQuery(trpc.audit.byId.queryOptions({ entryId }, { enabled: known === undefined }));
  const entry = known ?? data;
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const at = rows.findIndex((row) => row.entryId === entryId);
  const previous = at > 0 ? rows[at - 1]?.entryId : undefined;
  const next = at >= 0 ? rows[at + 1]?.entryId : undefined;
  function close() {
    onClose();
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-entry="${entryId}"]`)?.focus());
  }
  function press(event: KeyboardEvent) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'j' && next !== undefined) onOpen(next);
    else if (event.key === 'k' && previous !== undefined) onOpen(previous);
    else return;
    event.preventDefault();
  }
  return (
    <aside className={classes.panel} ref={panel} tabIndex={-1} aria-label="Entry" onKeyDown={press}>
      <div className={classes.head}>
        <Step label="Newer entry (k)" to={previous} onOpen={onOpen} icon={IconChevronUp} />
        <Step label="Older entry (j)" to={next} onOpen={onOpen} icon={IconChevronDown} />
        <span className={classes.gap} />
        <button type="button" className={classes.button} onClick={close} aria-label="Close (Esc)" title="Close (Esc)">
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <div className={classes.body}>
        {error !== null && entry === undefined && <Refusal message={error.message} />}
        {entry === undefined && error === null && (
          <div className={classes.waiting} role="status" aria-label="Loading the entry" />
        )}
        {entry !== undefined && <Entry entry={entry} />}
      </div>
    </aside>
  );
}

function Step({
  label,
  to,
  onOpen,
  icon: Glyph,
}: {
  label: string;
  to: string | undefined;
  onOpen: (entryId: string) => void;
  icon: typeof IconX;
}) {
  return (
    <button
      type="button"
      className={classes.button}
      disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
      aria-label={label}
      title={label}
    >
      <Glyph size={18} stroke={1.7} aria-hidden="true" />
    </button>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const scope = useScope();
  const merchantName = useMerchantName();
  const { action, actor, actorName, objectType, objectId, createdAt, merchantId, position } = entry;
  return (
    <>
      <h2 className={classes.title}>{describeAction(action)}</h2>
      <Facts>
        <Fact name="Who">
          <Link href={hrefIn(scope, '/audit', { actor })}>{actorName}</Link>
        </Fact>
        <Fact name="When">{describeExactly(createdAt)}</Fact>
        <Fact name="To what">
          {describeKind(objectType)} <Copyable text={objectId} label="the id" />
        </Fact>
        <Fact name="Of">{merchantName(merchantId)}</Fact>
        <Fact name="Action">
          <code>{action}</code>
        </Fact>
        <Fact name="Entry">{position.toLocaleString('en')}</Fact>
      </Facts>
      <p className={classes.more}>
        <Link href={hrefIn(scope, '/audit', { object: objectId })}>Everything that was done to it</Link>
      </p>
      <Changes before={entry.before} after={entry.after} />
    </>
  );
}

const SIGNS: Record<FieldChange['kind'], string> = { added: 'Added', removed: 'Removed', changed: 'Changed', same: 'Same' };

/** What was before and what is after, field by field; what stayed the same on request. */
function Changes({ before, after }: { before: unknown; after: unknown }) {
  const [all, setAll] = useState(false);
  const fields = diffValues(before, after);
  const same = fields.filter(({ kind }) => kind === 'same').length;
  const shown = all ? fields : fields.filter(({ kind }) => kind !== 'same');
  if (fields.length === 0) return <p className={classes.none}>No fields were recorded with it.</p>;
  return (
    <>
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and the keyboard has to reach that.
        <section className={classes.scroll} tabIndex={0} aria-label="Before and after">
          <table className={classes.changes}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ path, kind, before: was, after: is }) => (
                <tr key={path} data-kind={kind}>
                  <th scope="row">
                    {path === '' ? 'Value' : path}
                    <span className={classes.kind}>{SIGNS[kind]}</span>
                  </th>
                  <td>
                    {was === null ? <span className={classes.nothing}>–</span> : <span className={classes.was}>{was}</span>}
                  </td>
                  <td>{is === null ? <span className={classes.nothing}>–</span> : <span className={classes.is}>{is}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {same > 0 && (
        <button type="button" className={classes.toggle} aria-expanded={all} onClick={() => setAll(!all)}>
          {all
            ? 'Show only what changed'
            : same === 1
              ? 'Show 1 field that stayed the same'
              : `Show ${same} fields that stayed the same`}
        </button>
      )}
    </>
  );
}
