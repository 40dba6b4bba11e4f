'use client';

import { useQuery } from '@tanstack/react-query';
import { Fragment, useId, useLayoutEffect, useState } from 'react';
import type { Scope } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type Permission, useCan, useCanHere } from '#/trpc/use-can.ts';
import { Overlay, useChosenOption } from '../overlay.tsx';
import { takeTyped } from './command-store.ts';
import type { Command, CommandGroup, CommandTools } from './commands.ts';
import { drainCommands, findCommands, recentCommands, scopeCommands } from './find-commands.ts';
import { recentObjects } from './recent/recent-objects.ts';
import { usePaymentSearch, useReferenceSearch, useRequestSearch } from './use-searches.ts';

/** The command menu: type some letters, choose with the arrow keys, press Enter. */
export default function CommandMenu({
  open,
  ...props
}: {
  open: boolean;
  groups: readonly CommandGroup[];
  tools: CommandTools;
  onClose: () => void;
}) {
  return open ? <OpenMenu {...props} /> : null;
}

function OpenMenu({ groups, tools, onClose }: { groups: readonly CommandGroup[]; tools: CommandTools; onClose: () => void }) {
  const trpc = useTRPC();
  const id = useId();
  const [text, setText] = useState('');
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const { data: kinds } = useQuery(trpc.gateways.kinds.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const gatewayNames = (kinds ?? []).map(({ title }) => title);
  const { payments, customers, searching } = usePaymentSearch(text, tools.scope);
  const references = useReferenceSearch(text, tools.scope);
  const requests = useRequestSearch(text, tools.scope);
  const scopes = scopeCommands(tools.scope, merchants ?? [], text !== '');
  const can = useCan();
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const drains = useDrainCommands(text, tools.scope);
  const maySee = (permission: Permission, merchantId: string) =>
    can(permission, merchantId) && (merchants ?? []).some((merchant) => merchant.merchantId === merchantId);
  const recent = { title: 'Recent', commands: recentCommands(recentObjects(me?.staffId ?? ''), tools.scope, maySee) };
  const all = [...groups, { title: 'Override', commands: drains }, { title: 'Show', commands: scopes }];
  const found =
    text.trim() === ''
      ? findCommands([recent, ...all], '')
      : [
          ...findCommands(all, text, gatewayNames),
          ...findCommands([recent], text),
          // Last: they come when typing pauses, and must not move what is chosen.
          ...(customers.length > 0 ? [{ title: 'Customers', commands: customers }] : []),
          ...(payments.length > 0 ? [{ title: 'Payments', commands: payments }] : []),
          ...(references.length > 0 ? [{ title: 'Refunds, disputes and settlements', commands: references }] : []),
          ...(requests.length > 0 ? [{ title: 'Requests', commands: requests }] : []),
        ];
  useLayoutEffect(() => {
    // The field has the focus since the overlay's own effect. No key comes between these effects and the render that shows what was
    // typed; after a plain effect one would, and the field would keep that key alone.
    const typed = takeTyped();
    if (typed !== '') setText(typed);
  }, []);
  const offered = found.flatMap(({ commands }) => commands);
  const { list, chosen, choose, press } = useChosenOption(offered.length, text, (at) => run(offered[at]));

  function run(command: Command | undefined) {
    if (command === undefined) return;
    onClose();
    command.run(tools);
  }

  let index = -1;
  return (
    <Overlay label="Search" onClose={onClose}>
      <input
        className="overlay-field"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
        aria-label="Search"
        placeholder="Pages, actions, payments by order, e-mail, amount and day, references"
        autoComplete="off"
        spellCheck={false}
        value={text}
        maxLength={200}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choose(0);
        }}
        onKeyDown={press}
      />
      <div
        ref={list}
        className="flex-1 min-h-0 overflow-y-auto px-2 pt-1 pb-2 empty:hidden"
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
      >
        {found.map(({ title, commands }) => (
          <Fragment key={title}>
            <p className="px-3 pt-2.5 pb-1 text-ink-faint text-xs" role="presentation">
              {title}
            </p>
            {commands.map((command) => {
              index += 1;
              const own = index;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above holds the focus and takes the keys.
                <div
                  key={command.id}
                  id={`${id}-${own}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === chosen}
                  className="overlay-option flex items-center gap-3 min-h-9.5 text-base"
                  onPointerMove={() => choose(own)}
                  onClick={() => run(command)}
                >
                  <command.icon size={18} stroke={1.7} className="flex-none text-ink-faint" aria-hidden="true" />
                  <span className="flex-1 min-w-0 truncate">{command.label}</span>
                  {command.keys !== undefined && <Keys keys={command.keys} />}
                </div>
              );
            })}
          </Fragment>
        ))}
      </div>
      <p className="not-empty:p-5 not-empty:text-ink-quiet not-empty:text-sm not-empty:wrap-anywhere" role="status">
        {offered.length === 0 && (searching ? 'Searching payments…' : `No results for “${text.trim()}”`)}
      </p>
    </Overlay>
  );
}

const DRAIN_LENGTH_MIN = 2;

/** Commands that drain an account; the accounts are queried once something is typed, by those who may drain one. */
function useDrainCommands(text: string, scope: Scope): Command[] {
  const trpc = useTRPC();
  const can = useCan();
  const enabled = useCanHere()('override:set') && text.trim().length >= DRAIN_LENGTH_MIN;
  const { data } = useQuery(trpc.gateways.list.queryOptions(scope, { staleTime: 60_000, enabled }));
  return enabled ? drainCommands(data ?? [], scope, can) : [];
}

/** Keys to press one after the other. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key, position) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice.
          key={position}
          className="min-w-5 py-px px-1.25 border border-line-strong rounded-sm text-ink-quiet text-2xs leading-4 text-center"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
