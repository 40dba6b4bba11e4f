'use client';

import type { MetadataKey } from '@switchyard/routing';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Checkbox, TextField } from '#/components/field/field.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { AsksBeforeLoss } from '#/forms/form.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import type { Profile } from './profile.ts';

const Select = dynamic(() => import('#/components/select/select.tsx').then((module) => module.Select<MetadataKey['type']>));

/** The keys of payments' metadata that the merchant declares, so that rules may compare them. */
export function MetadataKeys({ profile: { merchantId, timeZone } }: { profile: Profile }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.routing.metadataKeys.list.queryOptions({ merchantId }));
  return (
    <section className="mt-10" aria-label="Keys for rules">
      <h2 className="mb-3 text-base font-semibold">Keys for rules</h2>
      <p className="max-w-[90ch] mb-4 text-ink-quiet text-sm">
        Properties of a payment's metadata that rules may compare, under More conditions. A payment without a key, or with a value
        of another type, counts as absent there. Values stay with each decision, so declare no key that identifies a person. Rules
        compare days and hours in {timeZone}.
      </p>
      {error !== null && <p role="alert">{error.message}</p>}
      {data !== undefined && <KeysForm merchantId={merchantId} listed={data} />}
    </section>
  );
}

type Listed = RouterOutputs['routing']['metadataKeys']['list'];

/** A key as entered; `id` distinguishes rows while they are added and removed. */
interface EnteredKey {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly type: MetadataKey['type'];
  readonly values: string;
  readonly ignoreCase: boolean;
}

const TYPES = [
  { value: 'string', label: 'Text' },
  { value: 'enum', label: 'One of some values' },
  { value: 'integer', label: 'Whole number' },
  { value: 'boolean', label: 'True or false' },
] as const;

function KeysForm({ merchantId, listed }: { merchantId: string; listed: Listed }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useCan()('merchant:update', merchantId);
  const stored = listed.map(({ key }, id) => entered(key, id));
  const storedText = textOf(stored);
  const [keys, setKeys] = useState(stored);
  /** The keys as they were stored when editing began. */
  const [begunWith, setBegunWith] = useState(storedText);
  const [problems, setProblems] = useState<readonly { readonly field: string; readonly message: string }[]>([]);
  const save = useMutation(trpc.routing.metadataKeys.save.mutationOptions());
  const isDirty = textOf(keys) !== storedText;
  // Another person has saved: the list follows while nothing is edited, and what was typed stays.
  const isOverwriting = storedText !== begunWith && isDirty && textOf(keys) !== begunWith;
  if (storedText !== begunWith && !isOverwriting) {
    setKeys(stored);
    setBegunWith(storedText);
  }
  const set = (at: number, change: Partial<EnteredKey>) =>
    setKeys(keys.map((key, place) => (place === at ? { ...key, ...change } : key)));
  async function submit(): Promise<void> {
    const outcome = await save.mutateAsync({ merchantId, keys: keys.map(toKey) });
    if (outcome.kind === 'invalid') return setProblems(outcome.problems);
    setProblems([]);
    showToast({ text: 'The keys for rules were changed.' });
    await queries.invalidateQueries({ queryKey: trpc.routing.pathKey() });
  }
  const general = problems.filter(({ field }) => !/^\d/.test(field));
  return (
    <AsksBeforeLoss of={isDirty}>
      <form
        method="post"
        noValidate
        className="grid gap-3 max-w-[1000px]"
        aria-label="Keys for rules"
        onSubmit={(event) => {
          event.preventDefault();
          void submit().catch((error: Error) => setProblems([{ field: 'keys', message: error.message }]));
        }}
      >
        <fieldset disabled={!may} style={{ display: 'contents' }}>
          {keys.length === 0 && <p className="text-ink-faint text-sm">No keys yet: rules compare no metadata.</p>}
          {keys.map((key, at) => (
            <KeyRow
              key={key.id}
              at={at}
              entry={key}
              rules={listed.find(({ key: { name } }) => name === key.name)?.rules ?? []}
              problemOf={(field) => problems.find((problem) => problem.field.startsWith(`${at}.${field}`))?.message ?? null}
              onChange={(change) => set(at, change)}
              onRemove={() => setKeys(keys.filter((_, place) => place !== at))}
            />
          ))}
          {may && (
            <div>
              <Button
                onClick={() =>
                  setKeys([...keys, { id: nextId(keys), name: '', label: '', type: 'string', values: '', ignoreCase: false }])
                }
              >
                <IconPlus size={16} stroke={1.7} aria-hidden="true" />
                Add key
              </Button>
            </div>
          )}
        </fieldset>
        {general.map(({ message }) => (
          <p key={message} role="alert" className="text-bad-ink text-sm">
            The keys {message}.
          </p>
        ))}
        {isOverwriting && (
          <p role="alert" className="text-wait-ink text-sm">
            Another person has changed the keys. Saving replaces theirs; undo your changes to see them.
          </p>
        )}
        {may ? (
          isDirty && (
            <div className="flex flex-wrap gap-2 items-center">
              <Button type="submit" variant="accent" loading={save.isPending}>
                Save keys
              </Button>
              <Button
                onClick={() => {
                  setKeys(stored);
                  setBegunWith(storedText);
                  setProblems([]);
                }}
              >
                Undo changes
              </Button>
            </div>
          )
        ) : (
          <p className="text-ink-faint text-xs">Only operators and owners can change this.</p>
        )}
      </form>
    </AsksBeforeLoss>
  );
}

/** Keys as text, equal for keys that are sent alike. */
function textOf(keys: readonly EnteredKey[]): string {
  return JSON.stringify(keys.map(toKey));
}

function nextId(keys: readonly EnteredKey[]): number {
  return keys.reduce((last, { id }) => Math.max(last, id), -1) + 1;
}

function KeyRow({
  at,
  entry,
  rules,
  problemOf,
  onChange,
  onRemove,
}: {
  at: number;
  entry: EnteredKey;
  rules: readonly string[];
  problemOf: (field: string) => string | null;
  onChange: (change: Partial<EnteredKey>) => void;
  onRemove: () => void;
}) {
  const { name, label, type, values, ignoreCase } = entry;
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the form's own would be announced twice over.
    <div role="group" aria-label={`Key ${at + 1}`} className="grid gap-1.5 pb-3 border-b border-line">
      <div className="flex flex-wrap gap-x-3 gap-y-2 items-start">
        <div className="w-[170px]">
          <TextField
            label="Name in metadata"
            placeholder="customerTier"
            maxLength={64}
            value={name}
            error={problemOf('name')}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        </div>
        <div className="w-[190px]">
          <TextField
            label="Label"
            placeholder="Customer tier"
            maxLength={60}
            value={label}
            error={problemOf('label')}
            onChange={(event) => onChange({ label: event.currentTarget.value })}
          />
        </div>
        <div className="w-[190px]">
          <Select
            label="Type"
            options={TYPES}
            value={type}
            error={problemOf('type')}
            onChange={(next) => onChange({ type: next })}
          />
        </div>
        {type === 'enum' && (
          <div className="flex-[1_1_220px]">
            <TextField
              label="Values, separated by commas"
              placeholder="gold, silver, bronze"
              value={values}
              error={problemOf('values')}
              onChange={(event) => onChange({ values: event.currentTarget.value })}
            />
          </div>
        )}
        {(type === 'string' || type === 'enum') && (
          <div className="flex items-center h-9 mt-5.25">
            <Checkbox label="Ignore case" checked={ignoreCase} onChange={(next) => onChange({ ignoreCase: next })} />
          </div>
        )}
        <div className="mt-5.25">
          <Button onClick={onRemove} aria-label={`Remove key ${name || at + 1}`} aria-describedby={id}>
            <IconTrash size={16} stroke={1.7} aria-hidden="true" />
          </Button>
        </div>
      </div>
      {rules.length > 0 && (
        <p id={id} className="text-ink-faint text-xs">
          Compared by {rules.slice(0, 3).join(', ')}
          {rules.length > 3 && ` and ${rules.length - 3} more`}.
        </p>
      )}
    </div>
  );
}

function entered(key: MetadataKey, id: number): EnteredKey {
  const { name, label, type } = key;
  const values = key.type === 'enum' ? key.values.join(', ') : '';
  return { id, name, label, type, values, ignoreCase: 'ignoreCase' in key && key.ignoreCase === true };
}

function toKey({ name, label, type, values, ignoreCase }: EnteredKey): MetadataKey {
  const common = { name: name.trim(), label: label.trim() };
  const also = ignoreCase ? { ignoreCase } : {};
  switch (type) {
    case 'string':
      return { ...common, type, ...also };
    case 'enum': {
      const parts = values.split(',').map((value) => value.trim());
      return { ...common, type, values: parts.filter((value) => value !== ''), ...also };
    }
    case 'integer':
    case 'boolean':
      return { ...common, type };
    default:
      return type satisfies never;
  }
}
