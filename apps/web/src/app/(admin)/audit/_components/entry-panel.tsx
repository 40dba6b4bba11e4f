'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { describeAction, describeKind, describeMerchant } from '#/copy/audit.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { AuditEntry } from './use-audit.ts';

/** One entry beside the log: actor, time, and the values before and after. Escape closes it, `j` and `k` move through the log. */
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
  const { data, error } = useQuery(trpc.audit.byId.queryOptions({ entryId }, { enabled: known === undefined }));
  const entry = known ?? data;
  return (
    <SidePanel
      label="Entry"
      steps={{ id: entryId, ids: rows.map((row) => row.entryId), words: ['Newer entry', 'Older entry'], onOpen }}
      from={['data-entry', entryId]}
      onClose={onClose}
    >
      {error !== null && entry === undefined && <Refusal message={error.message} />}
      {entry === undefined && error === null && <PanelSkeleton label="Loading the entry" />}
      {entry !== undefined && <Entry entry={entry} />}
    </SidePanel>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const scope = useScope();
  const { action, actor, actorName, objectType, objectId, objectName, createdAt, position } = entry;
  const { merchantId, merchantName } = entry;
  return (
    <>
      <h2 className="text-lg font-semibold">{describeAction(action)}</h2>
      <DescriptionList>
        <Description name="Actor">
          <Link href={hrefIn(scope, '/audit', { actor })}>{actorName}</Link> <Copyable text={actor} label="the actor" />
        </Description>
        <Description name="Time">{formatTimestamp(createdAt)}</Description>
        <Description name="Object">
          {describeKind(objectType)} {objectName} <Copyable text={objectId} label="the id" />
        </Description>
        <Description name="Merchant">
          {describeMerchant(merchantId, merchantName)} {merchantId !== null && <Copyable text={merchantId} label="the id" />}
        </Description>
        <Description name="Action">
          <code>{action}</code>
        </Description>
        <Description name="Entry">{position.toLocaleString('en')}</Description>
      </DescriptionList>
      <p className="-mt-1">
        <Link href={hrefIn(scope, '/audit', { object: objectId })}>All changes of this object</Link>
      </p>
      <Changes before={entry.before} after={entry.after} />
    </>
  );
}

const SIGNS: Record<FieldChange['kind'], string> = { added: 'Added', removed: 'Removed', changed: 'Changed', same: 'Same' };

/** The values before and after, field by field; unchanged ones on request. */
function Value({ text, tone }: { text: string; tone: 'good' | 'bad' | null }) {
  const struck = tone === 'bad' ? 'line-through' : '';
  return (
    <span
      className={`py-px px-1 rounded-[3px] font-mono text-xs whitespace-pre-wrap wrap-anywhere tone-ink tone-ground ${struck}`}
      data-tone={tone}
    >
      {text}
    </span>
  );
}

function Changes({ before, after }: { before: unknown; after: unknown }) {
  const [all, setAll] = useState(false);
  const fields = diffValues(before, after);
  const same = fields.filter(({ kind }) => kind === 'same').length;
  const shown = all ? fields : fields.filter(({ kind }) => kind !== 'same');
  if (fields.length === 0) return <p className="text-ink-faint">No fields were recorded with it.</p>;
  return (
    <>
      {shown.length > 0 && (
        <ScrollArea label="Before and after">
          <table className="lined-table min-w-[420px] table-fixed [&_tbody_th]:w-[30%] [&_tbody_th]:font-medium [&_tbody_th]:wrap-anywhere">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ path, kind, before: was, after: is }) => (
                <tr key={path}>
                  <th scope="row">
                    {path === '' ? 'Value' : path}
                    <span className="block text-ink-faint text-xs font-normal">{SIGNS[kind]}</span>
                  </th>
                  <td>
                    {was === null ? (
                      <span className="text-ink-faint">–</span>
                    ) : (
                      <Value text={was} tone={kind === 'changed' || kind === 'removed' ? 'bad' : null} />
                    )}
                  </td>
                  <td>
                    {is === null ? (
                      <span className="text-ink-faint">–</span>
                    ) : (
                      <Value text={is} tone={kind === 'changed' || kind === 'added' ? 'good' : null} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      {same > 0 && (
        <button
          type="button"
          className="w-[fit-content] py-1 text-accent-ink hover:underline"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
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

/** One field of an audited object before and after a change. */
interface FieldChange {
  /** Dotted: `limits.minAmount`, `grants.0.role`; empty for the value itself. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'same';
  /** As JSON; null where it was absent. */
  readonly before: string | null;
  readonly after: string | null;
}

const FIELDS_MAX = 2_000;

/** The effect of a change, field by field in the order of the fields, the first 2,000 of them. Null means no value. */
export function diffValues(before: unknown, after: unknown): FieldChange[] {
  const from = flatten(before);
  const to = flatten(after);
  const paths = [...new Set([...from.keys(), ...to.keys()])].slice(0, FIELDS_MAX);
  return paths.map((path) => {
    const was = from.get(path) ?? null;
    const is = to.get(path) ?? null;
    return { path, kind: kindOf(was, is), before: was, after: is };
  });
}

function kindOf(before: string | null, after: string | null): FieldChange['kind'] {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  return before === after ? 'same' : 'changed';
}

function flatten(value: unknown): Map<string, string> {
  const found = new Map<string, string>();
  if (value === null || value === undefined) return found;
  collect(value, '', found);
  return found;
}

function collect(value: unknown, path: string, found: Map<string, string>): void {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    found.set(path, typeof value === 'string' ? value : JSON.stringify(value));
    return;
  }
  for (const [name, part] of Object.entries(value)) collect(part, path === '' ? name : `${path}.${name}`, found);
}
